"""A client of the broker that publishes, and records what it hears."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Heard:
    """One message."""

    topic: str
    payload: bytes
    is_retained: bool
    correlation: bytes | None = None

    @property
    def json(self) -> Any:
        """The payload as JSON."""
        return json.loads(self.payload)


class MqttClient:
    """Connected as long as the context lasts; comes back where the broker was away."""

    def __init__(self, port: int, lasting_name: str | None = None) -> None:
        """Under a lasting name the broker keeps what comes while it is away."""
        self._lasting_name = lasting_name
        self._loop = asyncio.get_running_loop()
        self._port = port
        self._news = asyncio.Event()
        self._filters: list[str] = []
        self._client = self._new_client()
        self._published: dict[int, asyncio.Future[None]] = {}
        self._connected = asyncio.Event()
        self._subscribed = asyncio.Event()
        self.heard: list[Heard] = []

    async def publish(
        self, topic: str, payload: str | bytes | dict[str, Any], *, qos: int = 1, retain: bool = False, **properties: Any
    ) -> None:
        """Return once the broker has it."""
        data = payload if isinstance(payload, str | bytes) else json.dumps(payload)
        extra = Properties(PacketTypes.PUBLISH)
        for name, value in properties.items():
            setattr(extra, name, value)
        info = self._client.publish(topic, data, qos=qos, retain=retain, properties=extra)
        if qos:
            self._published[info.mid] = self._loop.create_future()
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._published[info.mid]

    async def subscribe(self, *filters: str) -> None:
        """Return once the broker knows."""
        self._filters.extend(filters)
        self._subscribed.clear()
        self._client.subscribe([(each, 1) for each in filters])
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._subscribed.wait()

    async def until(
        self, condition: Callable[[list[Heard]], Any], *, patience_seconds: float | None = PATIENCE_SECONDS
    ) -> list[Heard]:
        """Everything that was heard, once it fulfils the condition."""
        try:
            async with asyncio.timeout(patience_seconds):
                while not condition(self.heard):
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"heard so far: {[(each.topic, each.payload[:200]) for each in self.heard[-30:]]}") from None
        return list(self.heard)

    async def first(self, topic: str, condition: Callable[[Heard], Any] = lambda _: True) -> Heard:
        """The first message on that topic that fulfils the condition."""
        heard = await self.until(lambda all_: any(each.topic == topic and condition(each) for each in all_))
        return next(each for each in heard if each.topic == topic and condition(each))

    def on(self, topic: str) -> list[Heard]:
        """What was heard on that topic."""
        return [each for each in self.heard if each.topic == topic]

    async def open(self) -> None:
        """Return when it is connected."""
        properties = Properties(PacketTypes.CONNECT)
        if self._lasting_name is not None:
            properties.SessionExpiryInterval = 3600
        connect, is_fresh = self._client.connect, self._lasting_name is None
        await asyncio.to_thread(connect, "127.0.0.1", self._port, clean_start=is_fresh, properties=properties)
        self._client.loop_start()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._connected.wait()

    async def close(self) -> None:
        """Go away."""
        self._client.disconnect()
        await asyncio.to_thread(self._client.loop_stop)
        for name in ("on_connect", "on_message", "on_publish", "on_subscribe"):
            setattr(self._client, name, None)

    def _new_client(self) -> paho.Client:
        protocol = MQTTProtocolVersion.MQTTv5
        client = paho.Client(CallbackAPIVersion.VERSION2, self._lasting_name or "", protocol=protocol)
        client.reconnect_delay_set(1, 1)
        client.on_connect = lambda *_: self._tell(self._again)
        client.on_message = lambda _client, _data, message: self._tell(self._hear, message)
        client.on_publish = lambda _client, _data, mid, *_: self._tell(self._done, mid)
        client.on_subscribe = lambda *_: self._tell(self._subscribed.set)
        return client

    def _tell(self, callback: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(callback, *arguments)

    def _again(self) -> None:
        self._connected.set()
        if self._filters:
            self._client.subscribe([(each, 1) for each in self._filters])

    def _hear(self, message: paho.MQTTMessage) -> None:
        correlation = getattr(message.properties, "CorrelationData", None)
        self.heard.append(Heard(message.topic, bytes(message.payload), message.retain, correlation))
        self._news.set()

    def _done(self, mid: int) -> None:
        if (published := self._published.pop(mid, None)) is not None and not published.done():
            published.set_result(None)


@contextlib.asynccontextmanager
async def mqtt_client(port: int, *filters: str, lasting_name: str | None = None) -> AsyncIterator[MqttClient]:
    """A client that has subscribed to these."""
    client = MqttClient(port, lasting_name)
    await client.open()
    try:
        if filters:
            await client.subscribe(*filters)
        yield client
    finally:
        await client.close()
