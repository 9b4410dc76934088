"""What the MQTT door needs of the core, without a journal: keeps in memory what it is told, and fails when it is told to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.rooms.view import RoomState, RoomView
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.records import Sequenced
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind
from wyoming_kokoro.model.voice import Voice

VOICES = (
    Voice(name="af_heart", language="en-US", description="Heart"),
    Voice(name="bm_lewis", language="en-GB", description="Lewis"),
    Voice(name="jf_alpha", language="ja", description="Alpha", installed=False, extra="ja"),
)


class FakeVoices:
    """A few of them."""

    default = VOICES[0]

    def all(self) -> tuple[Voice, ...]:
        return VOICES


class Accepted(NamedTuple):
    """What an acceptance answers."""

    announcement_id: str
    cast_id: CastId
    rooms: tuple[str, ...]
    is_new: bool


@dataclass
class FakeAnnouncements:
    """Accepts, once for each id and for each message that is brought again."""

    rooms: FakeRooms
    asked: list[AnnouncementRequest] = field(default_factory=list)
    errors: deque[Exception] = field(default_factory=deque)
    """Raised by the next calls, one each."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    """Nothing is accepted while it is not set."""
    entered: int = 0
    cancelled: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate.set()

    async def accept(self, request: AnnouncementRequest) -> Accepted:
        self.entered += 1
        await self.gate.wait()
        if self.errors:
            raise self.errors.popleft()
        for room in request.rooms:
            self.rooms.view(room)
        if request.text == "refuse me":
            raise RefusedError("voice", "there is no such voice")
        for known in self.asked:
            if known.announcement_id == request.announcement_id or (request.is_redelivered and known.digest == request.digest):
                return Accepted(known.announcement_id or "", CastId("a" * 16), known.rooms, False)
        self.asked.append(request)
        rooms = request.rooms or self.rooms.names()
        for room in rooms:
            self.rooms.happens(room, RoomEventKind.QUEUED, request.announcement_id or "")
        return Accepted(request.announcement_id or "", CastId("a" * 16), rooms, True)

    async def cancel(self, announcement_id: str) -> None:
        self.cancelled.append(announcement_id)


@dataclass
class FakeRooms:
    """Rooms that do nothing but remember."""

    known: tuple[str, ...] = ("kitchen", "hall")
    calls: list[tuple[str, ...]] = field(default_factory=list)
    records: dict[str, list[Sequenced]] = field(default_factory=dict)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)
    changed: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    errors: deque[Exception] = field(default_factory=deque)
    fresh: asyncio.Event = field(default_factory=asyncio.Event)

    def names(self) -> tuple[str, ...]:
        return self.known

    def view(self, room: str) -> Any:
        if room not in self.known:
            raise RefusedError("room", f"there is no room {room!r}")
        return fake_view(room, self.settings.get(room, {}))

    async def stop(self, room: str) -> None:
        self._call("stop", room)

    async def skip(self, room: str) -> None:
        self._call("skip", room)

    async def clear(self, room: str) -> None:
        self._call("clear", room)

    async def replay(self, room: str) -> None:
        self._call("replay", room)

    async def played(self, room: str, play_id: str) -> None:
        self._call("played", room, play_id)

    async def set(self, room: str, **settings: Any) -> None:
        self._call("set", room, *(f"{name}={value}" for name, value in settings.items()))
        self.settings.setdefault(room, {}).update(settings)
        self.changed.put_nowait(room)

    def happens(self, room: str, kind: RoomEventKind, announcement_id: str, **fields: Any) -> None:
        """An event of the room becomes durable."""
        records = self.records.setdefault(room, [])
        at_ms = fields.pop("at_ms", SystemClock().now_ms())
        event = RoomEvent(event=kind, announcement_id=announcement_id, order=0, cast_id=CastId("a" * 16), **fields)
        records.append(Sequenced(len(records), at_ms, event))
        self.fresh.set()
        self.fresh = asyncio.Event()

    async def events(self, room: str) -> AsyncGenerator[Sequenced, None]:
        records = self.records.setdefault(room, [])
        place = len(records)
        while True:
            fresh = self.fresh
            while place < len(records):
                place += 1
                yield records[place - 1]
            await fresh.wait()

    async def changes(self) -> AsyncGenerator[str, None]:
        while True:
            yield await self.changed.get()

    def _call(self, *call: str) -> None:
        self.view(call[1])
        if self.errors:
            raise self.errors.popleft()
        self.calls.append(call)


class FakeHouse:
    """Announcements, rooms, and a clock."""

    def __init__(self, rooms: tuple[str, ...] = ("kitchen", "hall")) -> None:
        self.rooms = FakeRooms(rooms)
        self.announcements = FakeAnnouncements(self.rooms)
        self.shop = SimpleNamespace(clock=SystemClock())


def fake_view(room: str, settings: dict[str, Any]) -> RoomView:
    """A room that does nothing."""
    chosen = {"voice": None, "speed": None, "volume": None, "dnd": False, **settings}
    queue = ("one", "two")
    return RoomView(room=room, state=RoomState.IDLE, queue=queue, now_playing=None, speakers=(), held_by="", tail=0, **chosen)
