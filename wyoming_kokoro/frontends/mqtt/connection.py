"""One connection to the broker: the bridge between the thread of the library and the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from wyoming_kokoro.frontends.mqtt.message import Message
from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from paho.mqtt.reasoncodes import ReasonCode

    from wyoming_kokoro.frontends.mqtt.broker import Broker
    from wyoming_kokoro.frontends.mqtt.limits import Limits

_LOGGER = logging.getLogger(__name__)

_QOS = 1
_TAKEN_OVER = 0x8E
"""The broker's reason when somebody else has connected under our name."""
OFFLINE = b"offline"


@dataclass(frozen=True, slots=True)
class Filter:
    """Topics that are wanted."""

    topic: str
    is_command: bool
    """Whether none may be missed. Otherwise what is retained is wanted at each connection, and not what we send ourselves."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a connection is over."""

    reason: str
    is_taken_over: bool = False


class Receiver(Protocol):
    """Whom a connection tells what happens; in the event loop, in the order in which it happened."""

    def opened(self, connection: Connection) -> None:
        """The broker has let us in; no message has come yet."""
        ...

    def received(self, message: Message) -> None:
        """A message has come."""
        ...


class Connection:
    """From `open` to `close`, or to its own end, whichever comes first. It is not used again."""

    def __init__(self, broker: Broker, client_id: str, status_topic: str, limits: Limits, receiver: Receiver) -> None:
        """The broker sends `offline` to the status topic for us where we vanish."""
        self._broker = broker
        self._limits = limits
        self._receiver = receiver
        self._loop = asyncio.get_running_loop()
        self._let_in: asyncio.Future[None] = self._loop.create_future()
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self.ended: asyncio.Future[Ended] = self._loop.create_future()
        self._is_running = False
        self._client: paho.Client | None = self._new_client(client_id, status_topic)

    async def open(self) -> None:
        """Return once the broker has let us in. Raises `ServerError`."""
        client, limits = self._living(), self._limits
        properties = Properties(PacketTypes.CONNECT)
        properties.SessionExpiryInterval = limits.session_seconds
        properties.ReceiveMaximum = limits.unacked
        properties.MaximumPacketSize = limits.packet_bytes
        try:
            await self._apart(
                partial(
                    client.connect,
                    self._broker.host,
                    self._broker.port,
                    keepalive=limits.keepalive_seconds,
                    clean_start=False,
                    properties=properties,
                )
            )
        except (OSError, ValueError) as error:  # ValueError: a name that can't be one of a host
            self._end(Ended(str(error)))
            raise ServerError(f"{self._broker} can't be reached: {error}") from error
        client.loop_start()
        self._is_running = True
        try:
            async with asyncio.timeout(limits.connect_seconds):
                await self._let_in
        except TimeoutError as error:
            raise ServerError(f"{self._broker} does not answer") from error

    async def subscribe(self, filters: Sequence[Filter]) -> None:
        """Return once the broker knows what we want. Raises `ServerError`."""
        wanted = [(each.topic, _subscription(each)) for each in filters]
        result, mid = self._living().subscribe(wanted)
        await self._answer(result, mid)

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False, correlation: bytes | None = None) -> None:
        """Return once the broker has it. Raises `ServerError` where that is not certain."""
        properties = None
        if correlation is not None:
            properties = Properties(PacketTypes.PUBLISH)
            properties.CorrelationData = correlation
        info = self._living().publish(topic, payload, qos=_QOS, retain=retain, properties=properties)
        await self._answer(info.rc, info.mid)

    def acknowledge(self, mid: int) -> None:
        """The broker may forget the message with that number; nothing where the connection is over."""
        if self._client is not None:
            self._client.ack(mid, _QOS)

    async def close(self) -> None:
        """Say goodbye, so that the broker does not miss us; where it does not listen, just go. Idempotent."""
        client = self._client
        if client is None:
            return
        client.disconnect()
        if self._is_running:
            await asyncio.wait([self.ended], timeout=self._limits.parting_seconds)
        if not self.ended.done() and isinstance(line := client.socket(), socket.socket):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            await asyncio.wait([self.ended], timeout=self._limits.parting_seconds)
        self._end(Ended("closed"))

    def _new_client(self, client_id: str, status_topic: str) -> paho.Client:
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            reconnect_on_failure=False,
            manual_ack=True,
        )
        client.connect_timeout = self._limits.connect_seconds
        client.will_set(status_topic, OFFLINE, qos=_QOS, retain=True)
        if self._broker.user is not None:
            client.username_pw_set(self._broker.user, self._broker.password)
        if self._broker.tls is not None:
            client.tls_set_context(self._broker.tls)
        client.on_connect = lambda _client, _data, _flags, reason, _properties: self._tell(self._connected, reason)
        client.on_disconnect = lambda _client, _data, _flags, reason, _properties: self._tell(self._disconnected, reason)
        client.on_message = lambda _client, _data, message: self._tell(self._arrived, message)
        client.on_publish = lambda _client, _data, mid, reason, _properties: self._tell(self._answered, mid, [reason])
        client.on_subscribe = lambda _client, _data, mid, reasons, _properties: self._tell(self._answered, mid, reasons)
        return client

    async def _apart(self, work: Callable[[], object]) -> None:
        """Do it in a thread that nobody waits for where the program ends meanwhile: a host may not answer for long."""
        done: asyncio.Future[None] = self._loop.create_future()

        def run() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to who waits for it
                self._tell(_settle, done, error)
            else:
                self._tell(_settle, done, None)

        threading.Thread(target=run, name="mqtt.connect", daemon=True).start()
        await done

    def _tell(self, callback: Callable[..., None], *arguments: object) -> None:
        """From the thread of the library into the event loop."""
        with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile: nobody is interested any more
            self._loop.call_soon_threadsafe(callback, *arguments)

    def _living(self) -> paho.Client:
        if self._client is None or self.ended.done():
            raise ServerError(f"the connection to {self._broker} is lost")
        return self._client

    async def _answer(self, result: int, mid: int | None) -> None:
        if result != MQTTErrorCode.MQTT_ERR_SUCCESS or mid is None:
            raise ServerError(f"the connection to {self._broker} is lost: {paho.error_string(MQTTErrorCode(result))}")
        answer = self._waiting[mid] = self._loop.create_future()
        try:
            await answer
        finally:
            self._waiting.pop(mid, None)

    def _connected(self, reason: ReasonCode) -> None:
        if self._let_in.done():
            return
        if reason.is_failure:
            self._let_in.set_exception(ServerError(f"{self._broker} does not let us in: {reason}"))
            return
        self._let_in.set_result(None)
        self._receiver.opened(self)

    def _disconnected(self, reason: ReasonCode) -> None:
        self._end(Ended(str(reason), is_taken_over=reason.value == _TAKEN_OVER))

    def _arrived(self, message: paho.MQTTMessage) -> None:
        if not self.ended.done():
            self._receiver.received(_message(message))

    def _answered(self, mid: int, reasons: Sequence[ReasonCode]) -> None:
        for reason in reasons:
            if reason.is_failure:
                # Trying again would not help: an owner has to change what the broker allows.
                _LOGGER.warning("MQTT: %s refuses: %s", self._broker, reason)
        if (answer := self._waiting.pop(mid, None)) is not None and not answer.done():
            answer.set_result(None)

    def _end(self, ended: Ended) -> None:
        if self.ended.done():
            return
        self.ended.set_result(ended)
        lost = ServerError(f"the connection to {self._broker} is lost: {ended.reason}")
        for answer in [self._let_in, *self._waiting.values()]:
            if not answer.done():
                answer.set_exception(lost)
                answer.exception()  # nobody may be waiting for it
        # It closes its sockets when nobody holds it any more.
        if self._client is not None:
            for name in ("on_connect", "on_disconnect", "on_message", "on_publish", "on_subscribe"):
                setattr(self._client, name, None)
        self._client = None


def _settle(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def _subscription(wanted: Filter) -> SubscribeOptions:
    """Commands that are retained come once, when the subscription is new, and are passed over."""
    if wanted.is_command:
        return SubscribeOptions(_QOS, retainHandling=SubscribeOptions.RETAIN_SEND_IF_NEW_SUB)
    return SubscribeOptions(0, noLocal=True, retainHandling=SubscribeOptions.RETAIN_SEND_ON_SUBSCRIBE)


def _message(message: paho.MQTTMessage) -> Message:
    properties = message.properties
    return Message(
        topic=message.topic,
        payload=bytes(message.payload),
        mid=message.mid if message.qos else 0,
        is_retained=message.retain,
        is_redelivered=message.dup,
        reply_to=getattr(properties, "ResponseTopic", None),
        correlation=getattr(properties, "CorrelationData", None),
        expires_in_seconds=getattr(properties, "MessageExpiryInterval", None),
    )
