"""What comes in: each message becomes one call of the core, and is acknowledged once that is durable or refused aloud."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.frontends.mqtt import event_payload, reading
from wyoming_kokoro.frontends.mqtt.inbox import Inbox
from wyoming_kokoro.frontends.mqtt.topics import Ask, Birth, Command, Say, Set, State
from wyoming_kokoro.model.errors import LogError, RefusedError, UnfitRecordsError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.mqtt.answers import Answers
    from wyoming_kokoro.frontends.mqtt.inbox import Pending
    from wyoming_kokoro.frontends.mqtt.limits import Limits
    from wyoming_kokoro.frontends.mqtt.message import Message
    from wyoming_kokoro.frontends.mqtt.outlet import Outlet
    from wyoming_kokoro.frontends.mqtt.topics import Topics
    from wyoming_kokoro.ports import Clock

_LOGGER = logging.getLogger(__name__)

_SOURCE = "mqtt"
_LONGEST_RETRY_SECONDS = 15.0


class Desk:
    """Messages for one room are served in their order; nobody waits for another room."""

    def __init__(self, house: House, topics: Topics, outlet: Outlet, answers: Answers, clock: Clock, limits: Limits) -> None:
        self._house = house
        self._topics = topics
        self._outlet = outlet
        self._answers = answers
        self._clock = clock
        self._limits = limits
        self._inbox = Inbox(remembered=2 * limits.unacked)
        self._lanes: dict[str, deque[Pending]] = {}
        """What waits, by the room that it is for."""
        self._tasks = TaskSet()

    def reconnected(self) -> None:
        """From now on messages come on another connection."""
        self._inbox.reconnected()

    def take(self, message: Message) -> None:
        """A message has come. Returns at once."""
        if not message.wants_ack and self._inbox.unfinished >= self._limits.waiting:
            _LOGGER.warning("MQTT: %s: dropped: too much is waiting; publish with QoS 1, then nothing is lost", message.topic)
            return
        pending = self._inbox.take(message)
        if pending is None:
            self._acknowledge()
            return
        lane = self._lane_of(message)
        if lane in self._lanes:
            self._lanes[lane].append(pending)
            return
        self._lanes[lane] = deque([pending])
        self._tasks.start(self._serve(lane), name=f"mqtt.lane[{lane}]")

    async def stop(self) -> None:
        """Begin nothing more; what is under way and not acknowledged will be brought again."""
        await self._tasks.stop()

    def _lane_of(self, message: Message) -> str:
        match self._topics.purpose(message.topic):
            case Say(room):
                return room or "*"
            case Set(room) | Command(room):
                return room
            case _:
                return "?"

    async def _serve(self, lane: str) -> None:
        """Everything that waits there, one after the other."""
        waiting = self._lanes[lane]
        while waiting:
            pending = waiting[0]
            await self._settle(pending.message)
            waiting.popleft()
            self._inbox.finish(pending)
            self._acknowledge()
        del self._lanes[lane]

    def _acknowledge(self) -> None:
        for mid in self._inbox.acks():
            self._outlet.acknowledge(mid)

    async def _settle(self, message: Message) -> None:
        """Return once it is durable, or once the refusal is at the broker."""
        try:
            await self._do(message)
        except RefusedError as refused:
            await self._refuse(message, refused)
        except UnfitRecordsError as error:
            await self._refuse(message, RefusedError("payload", str(error)))
        except Exception:
            _LOGGER.exception("MQTT: %s: failed unexpectedly", message.topic)
            await self._refuse(message, RefusedError("payload", "it met a fault in the server; its log says more"))

    async def _do(self, message: Message) -> None:
        purpose = self._topics.purpose(message.topic)
        if purpose is None or isinstance(purpose, State | Birth):
            return
        if message.is_retained:
            _LOGGER.warning(
                "MQTT: %s: passed over: a command must not be retained, or it would come again and again", message.topic
            )
            return
        if len(message.payload) > self._limits.payload_bytes:
            raise RefusedError("payload", f"at most {self._limits.payload_bytes} bytes are expected")
        match purpose:
            case Say(named):
                await self._say(message, named)
            case Set(room, setting):
                value = reading.read_setting(setting, message.payload)
                await self._stored(lambda: self._house.rooms.set(room, **{setting: value}))
            case Command(room):
                await self._command(room, reading.read_order(message.payload))
            case Ask(operation):
                await self._stored(lambda: self._answers.answer(operation, message))

    async def _say(self, message: Message, room: str | None) -> None:
        if room is not None:
            self._house.rooms.view(room)  # the refusal of a room that there is not names the room, not what is said there
        asked = reading.read_say(message, room, _SOURCE)
        if asked.announcement_id is None:
            # Under one name it may be tried again where nobody knows whether it was written.
            asked = replace(asked, announcement_id=self._clock.entropy(8).hex())
        await self._stored(lambda: self._house.announcements.accept(asked))

    async def _command(self, room: str, order: reading.Order) -> None:
        rooms = self._house.rooms
        calls: dict[str, Callable[[], Awaitable[object]]] = {
            "stop": lambda: rooms.stop(room),
            "skip": lambda: rooms.skip(room),
            "clear": lambda: rooms.clear(room),
            "replay": lambda: rooms.replay(room),
            "played": lambda: rooms.played(room, order.play_id),
        }
        await self._stored(calls[order.action])

    async def _stored(self, call: Callable[[], Awaitable[object]]) -> None:
        """Do it, over and over while the journal is away: a broker brings a message again only after a new connection."""
        backoff = Backoff(self._clock, first_seconds=0.1, most_seconds=_LONGEST_RETRY_SECONDS)
        while True:
            try:
                await call()
            except UnfitRecordsError:
                raise
            except LogError as error:
                if not backoff.tries:
                    _LOGGER.warning("MQTT: what came is not acknowledged yet, and is tried again: %s", error)
                await backoff.wait()
            else:
                return

    async def _refuse(self, message: Message, refused: RefusedError) -> None:
        purpose = self._topics.purpose(message.topic)
        _LOGGER.info("MQTT: %s: refused: %s", message.topic, refused.field)
        if isinstance(purpose, Ask):
            await self._answers.refuse(purpose.operation, message, refused)
            return
        named = purpose.room if isinstance(purpose, Say | Set | Command) else None
        is_known = named in self._house.rooms.names()
        payload = event_payload.refusal(
            refused,
            topic=message.topic,
            room=named,
            announcement_id=reading.named_id(message.payload) if isinstance(purpose, Say) else None,
            now_ms=self._clock.now_ms(),
        )
        topic = self._topics.room(named, "event") if named is not None and is_known else self._topics.event
        await self._outlet.publish(topic, payload)
