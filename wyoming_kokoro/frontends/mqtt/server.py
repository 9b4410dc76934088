"""The MQTT door: keeps a connection to the broker, and what goes in and out through it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.rooms.view import RoomState
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.frontends.mqtt.answers import Answers
from wyoming_kokoro.frontends.mqtt.board import Board
from wyoming_kokoro.frontends.mqtt.broker import read_broker
from wyoming_kokoro.frontends.mqtt.connection import OFFLINE, Connection, Filter
from wyoming_kokoro.frontends.mqtt.desk import Desk
from wyoming_kokoro.frontends.mqtt.discovery import Discovery
from wyoming_kokoro.frontends.mqtt.feeds import Feeds, Told
from wyoming_kokoro.frontends.mqtt.limits import Limits
from wyoming_kokoro.frontends.mqtt.outlet import Outlet
from wyoming_kokoro.frontends.mqtt.topics import Birth, State, Topics
from wyoming_kokoro.model.errors import ServerError
from wyoming_kokoro.model.room import RoomEventKind

if TYPE_CHECKING:
    from wyoming_kokoro.frontends.mqtt.connection import Ended
    from wyoming_kokoro.frontends.mqtt.message import Message
    from wyoming_kokoro.settings import MqttSettings

_LOGGER = logging.getLogger(__name__)

_SUSPICIOUS = 3
"""Connections that did not last, one after the other."""


class MqttServer:
    """Serves from `start` to `stop`, with or without the broker."""

    def __init__(self, settings: MqttSettings, told: Told, *, instance: str = "home", limits: Limits | None = None) -> None:
        """Raises `SettingsError` where the broker can't be spoken to as the settings say."""
        self._broker = read_broker(settings)
        self._limits = limits or Limits()
        self._clock = told.house.shop.clock
        self._topics = Topics(instance, settings.discovery_prefix)
        self._outlet = Outlet()
        self._board = Board(self._outlet)
        discovery = Discovery(self._topics, events=list(RoomEventKind), states=list(RoomState))
        self._feeds = Feeds(told, self._topics, discovery, self._outlet, self._board)
        answers = Answers(told.house, self._topics, self._outlet)
        self._desk = Desk(told.house, self._topics, self._outlet, answers, self._clock, self._limits)
        self._rooms = told.house.rooms.names()
        self._tasks = TaskSet()
        self._connection: Connection | None = None

    async def start(self) -> None:
        """Begin to reach for the broker and return at once; it may be away for as long as it likes."""
        self._tasks.start(self._feeds.follow_changes(), name="mqtt.states", lasting=True)
        for room in self._rooms:
            self._tasks.start(self._feeds.follow_events(room), name=f"mqtt.events[{room}]", lasting=True)
        self._tasks.start(self._board.work(), name="mqtt.board", lasting=True)
        self._tasks.start(self._stay_connected(), name="mqtt.connection", lasting=True)

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the door can't go on; carries why."""
        return self._tasks.failed

    async def stop(self, grace_seconds: float) -> None:
        """Say that we are offline, and go; what is not acknowledged will be brought again. Idempotent."""
        await self._desk.stop()
        if self._connection is not None:
            with contextlib.suppress(ServerError, TimeoutError):
                async with asyncio.timeout(grace_seconds):
                    await self._connection.publish(self._topics.status, OFFLINE, retain=True)
        await self._tasks.stop()

    def opened(self, connection: Connection) -> None:
        """See `Receiver`."""
        self._desk.reconnected()
        self._outlet.opened(connection)

    def received(self, message: Message) -> None:
        """See `Receiver`."""
        match self._topics.purpose(message.topic):
            case State(room) if message.is_retained and message.payload:
                self._feeds.remove_room(room)
            case Birth() if message.payload == b"online":
                self._tasks.start(self._greet(), name="mqtt.greet")
        self._desk.take(message)

    async def _greet(self) -> None:
        part = int.from_bytes(self._clock.entropy(2), "big") / 2**16
        await self._clock.sleep(self._limits.birth_jitter_seconds * part)
        self._feeds.repeat_for_home_assistant()

    async def _stay_connected(self) -> None:
        limits, told = self._limits, ""
        backoff = Backoff(self._clock, limits.first_wait_seconds, limits.longest_wait_seconds, is_jittered=True)
        while True:
            started = self._clock.monotonic()
            try:
                ended = await self._serve_one()
                told = ""
                self._tell_end(ended, backoff, self._clock.monotonic() - started)
            except ServerError as error:
                # Once is enough for a broker that is away for days.
                _LOGGER.log(logging.DEBUG if told == str(error) else logging.WARNING, "MQTT: %s; trying again", error)
                told = str(error)
            await backoff.wait()

    async def _serve_one(self) -> Ended:
        """From one connection's beginning to its end. Raises `ServerError` where it does not come about."""
        connection = Connection(self._broker, self._topics.node, self._topics.status, self._limits, self)
        try:
            await connection.open()
            self._connection = connection
            await connection.subscribe(self._filters())
            # Who sees that we are online may rely on being heard.
            self._feeds.post_all()
            self._board.repeat()
            _LOGGER.info("MQTT: connected to %s; topics begin with %s", self._broker, self._topics.base)
            return await connection.ended
        finally:
            self._connection = None
            await connection.close()

    def _tell_end(self, ended: Ended, backoff: Backoff, lasted_seconds: float) -> None:
        """Two servers under one name push each other out; not every broker says so."""
        if lasted_seconds >= self._limits.steady_seconds:
            backoff.reset()
        _LOGGER.warning("MQTT: the connection to %s has ended: %s", self._broker, ended.reason)
        if ended.is_taken_over or backoff.tries == _SUSPICIOUS:
            text = "MQTT: is there another server called %s? Each needs an `instance` of its own"
            _LOGGER.error(text, self._topics.instance)

    def _filters(self) -> list[Filter]:
        commands = [Filter(topic, is_command=True) for topic in self._topics.commands]
        return [*commands, *(Filter(topic, is_command=False) for topic in (self._topics.birth, self._topics.states))]
