"""Which announcements there are and what became of each in each room; an index in memory over the streams."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.rooms.past import Past
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.unix_time import HOUR_MS
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, CastId, room_stream
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.records import Sequenced
from wyoming_kokoro.model.room import Announcement, RoomEvent
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)

_REDELIVERED_MS = 10 * 60 * 1000
"""So long a message that the transport may have brought before counts as the same."""


@dataclass(slots=True)
class Shelved:
    """One announcement."""

    announcement_id: str
    order: SeqNum
    cast_id: CastId
    rooms: tuple[str, ...]
    priority: Priority
    at_ms: int
    asked: str
    digest: str
    topic: str | None
    replay_of: str | None
    pasts: dict[str, Past] = field(default_factory=dict)

    def past(self, room: str) -> Past:
        """What has become of it there."""
        return self.pasts.setdefault(room, Past())

    def is_waiting(self, room: str) -> bool:
        """Whether its last event there is still to come."""
        return room in self.rooms and not self.past(room).is_over


class AnnouncementShelf:
    """Fed by followers of `announcements` and of every room's stream."""

    def __init__(self, log: Log, clock: Clock, rooms: Iterable[str], *, dedupe_hours: int) -> None:
        self._log = log
        self._clock = clock
        self._rooms = tuple(rooms)
        self._lasts_ms = dedupe_hours * HOUR_MS
        self._shelved: dict[SeqNum, Shelved] = {}
        self._by_id: dict[str, SeqNum] = {}
        self._by_digest: dict[str, SeqNum] = {}
        self._open_rooms: Counter[CastId] = Counter()
        self._waiting: dict[str, dict[SeqNum, Priority]] = {room: {} for room in self._rooms}
        self._is_rebuilt = asyncio.Event()
        self.tail: Cursor = 0
        """Next record of `announcements` to take in."""
        self.changed = Signal()

    async def follow(self) -> None:
        """Take in all there is, then what is accepted; never returns."""
        await self._rebuild()
        self._is_rebuilt.set()
        async for sequenced in self._log.follow(ANNOUNCEMENTS, self.tail):
            self.take_in(sequenced)

    async def follow_room(self, room: str) -> None:
        """Take in what happens in a room; never returns."""
        await self.ready()
        async for sequenced in self._log.follow(room_stream(room), 0):
            self.take_in_event(room, sequenced)

    async def ready(self) -> None:
        """Return when all was taken in that stood there at the start."""
        await self._is_rebuilt.wait()

    async def took_in(self, tail: Cursor) -> None:
        """Return when everything below that place was taken in."""
        while self.tail < tail:
            await self.changed.wait(self.changed.count)

    def take_in(self, sequenced: Sequenced) -> None:
        """The next record of `announcements`."""
        if sequenced.seq_num < self.tail:
            return
        self.tail = sequenced.seq_num + 1
        record = sequenced.record
        if isinstance(record, Announcement):
            self._shelve(sequenced, record)
        self.changed.notify()

    def take_in_event(self, room: str, sequenced: Sequenced) -> None:
        """The next record of `rooms/<room>`."""
        event = sequenced.record
        shelved = self._shelved.get(event.order) if isinstance(event, RoomEvent) else None
        if shelved is None:
            return
        past = shelved.past(room)
        was_waiting = shelved.is_waiting(room)
        if past.event is None or sequenced.seq_num > past.last_event:
            past.add(sequenced)
        if was_waiting and not shelved.is_waiting(room):
            self._end(shelved, room)
        self.changed.notify()

    # -- looking ---------------------------------------------------------------------------------------------------------------

    def known(self, announcement_id: str) -> Shelved | None:
        """The announcement that has that id; it may be used again after `dedupe_hours`."""
        shelved = self._shelved.get(self._by_id.get(announcement_id, -1))
        return shelved if shelved is not None and shelved.at_ms > self._clock.now_ms() - self._lasts_ms else None

    def redelivered(self, digest: str) -> Shelved | None:
        """The announcement that came as the same message a short while ago."""
        shelved = self._shelved.get(self._by_digest.get(digest, -1)) if digest else None
        return shelved if shelved is not None and shelved.at_ms > self._clock.now_ms() - _REDELIVERED_MS else None

    async def counts(self, order: SeqNum) -> bool:
        """Whether the announcement at that place is the first of its id; the others are ignored."""
        await self.took_in(order + 1)
        return order in self._shelved

    def find(self, announcement_id: str) -> Shelved | None:
        """The newest announcement of that id that is still there."""
        return self._shelved.get(self._by_id.get(announcement_id, -1))

    def newest(self, below: SeqNum | None = None) -> Iterator[Shelved]:
        """All below that place, newest first."""
        return (each for order, each in reversed(self._shelved.items()) if below is None or order < below)

    def waiting(self, room: str) -> dict[SeqNum, Priority]:
        """Places and priorities of those whose last event in that room is still to come."""
        return self._waiting.get(room, {})

    def is_open(self, cast_id: CastId) -> bool:
        """Whether a room is still to play that cast."""
        return self._open_rooms[cast_id] > 0

    def forget_below(self, first: SeqNum) -> None:
        """Those were trimmed."""
        for order in [order for order in self._shelved if order < first]:
            shelved = self._shelved.pop(order)
            for room in [room for room in self._rooms if order in self._waiting[room]]:
                self._end(shelved, room)
            if self._by_id.get(shelved.announcement_id) == order:
                del self._by_id[shelved.announcement_id]
            if self._by_digest.get(shelved.digest) == order:
                del self._by_digest[shelved.digest]

    # -- parts -----------------------------------------------------------------------------------------------------------------

    async def _rebuild(self) -> None:
        backoff = Backoff(self._clock)
        while True:
            try:
                async for sequenced in read_through(self._log, ANNOUNCEMENTS, self.tail):
                    self.take_in(sequenced)
                for room in self._rooms:
                    async for sequenced in read_through(self._log, room_stream(room)):
                        self.take_in_event(room, sequenced)
            except LogUnavailableError as error:
                _LOGGER.debug("the announcements wait for the journal: %s", error)
                await backoff.wait()
            else:
                return

    def _shelve(self, sequenced: Sequenced, record: Announcement) -> None:
        """Take it in, unless it repeats the id of another: then it is ignored."""
        order, at_ms = sequenced.seq_num, sequenced.timestamp_ms
        first = self._shelved.get(self._by_id.get(record.announcement_id, -1))
        if first is not None and at_ms - first.at_ms < self._lasts_ms:
            return
        shelved = Shelved(
            announcement_id=record.announcement_id,
            order=order,
            cast_id=record.cast_id,
            rooms=record.rooms,
            priority=record.priority,
            at_ms=at_ms,
            asked=record.asked,
            digest=record.digest,
            topic=record.topic,
            replay_of=record.replay_of,
        )
        self._shelved[order] = shelved
        self._by_id[record.announcement_id] = order
        if record.digest:
            self._by_digest[record.digest] = order
        for room in record.rooms:
            if room in self._waiting:
                self._waiting[room][order] = record.priority
                self._open_rooms[record.cast_id] += 1

    def _end(self, shelved: Shelved, room: str) -> None:
        if self._waiting[room].pop(shelved.order, None) is not None:
            self._open_rooms[shelved.cast_id] -= 1
            if not self._open_rooms[shelved.cast_id]:
                del self._open_rooms[shelved.cast_id]
