"""Runs one room from one start to the next: takes in what is announced, plays one after the other, tells what became of each.

| an announcement is | until |
|---|---|
| queued | its cast can be played, nothing more urgent waits, and nothing holds it back |
| started | every speaker has ended, or it is stopped or interrupted |
| resting | the speakers that were busy, or failed, are tried again |
| ended | for ever, by exactly one final event |
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque

from wyoming_kokoro.core.rooms.book import Book
from wyoming_kokoro.core.rooms.controls import Controls
from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.ledger import RoomLedger
from wyoming_kokoro.core.rooms.orders import Orders
from wyoming_kokoro.core.rooms.past import Past
from wyoming_kokoro.core.rooms.places import Places
from wyoming_kokoro.core.rooms.podium import Podium
from wyoming_kokoro.core.rooms.queue import RoomQueue
from wyoming_kokoro.core.rooms.readiness import Ready
from wyoming_kokoro.core.rooms.readying import Readying
from wyoming_kokoro.core.rooms.resuming import entry_of, resumption
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.rooms.staging import failure_programme, programme_of
from wyoming_kokoro.core.rooms.timetable import Timetable
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.records import Sequenced
from wyoming_kokoro.model.room import Announcement, RoomEvent, RoomEventKind, Withdrawal

_LOGGER = logging.getLogger(__name__)

_LONGEST_REST_SECONDS = 60.0
"""The clock on the wall may jump: it is looked at now and then."""
_SHORTEST_REST_SECONDS = 0.001
"""Less than that the clocks can't tell."""
_RETRY_SECONDS = 1.0


class Director:
    """One room's runner, from its start to its end."""

    def __init__(self, stage: Stage, told: Signal) -> None:
        self._stage = stage
        self._log = stage.shop.log
        self._tasks = TaskSet()
        self._changed = Signal()
        self._arrivals: deque[Sequenced] = deque()
        self._withdrawn: list[Sequenced] = []
        self._taken: Cursor = 0
        """Next record of `announcements` to take out of the arrivals."""
        self._read: Cursor = 0
        """Next record of `announcements`; what was read before it is taken in, or among the arrivals."""
        self._pasts: dict[SeqNum, Past] = {}
        self._readying = Readying(stage, self._changed.notify)
        self._ledger = RoomLedger(self._log, stage.shop.clock, self._tasks, stage.room)
        self._places = Places(self._log, stage.shop.clock, stage.room)
        self._controls = Controls(self._log, stage.room, stage.preferences, self._changed.notify)
        self._timetable = Timetable(stage)
        self._book = Book(self._ledger, self._places, told)
        self._told = told
        self.is_open = False
        """Whether it has taken over what was left."""
        self.queue = RoomQueue()
        self.podium = Podium(stage, self._book, self.queue, self._tasks, self._changed)
        self._orders = Orders(stage, self._controls, self._book, self.queue, self.podium)

    async def run(self) -> None:
        """Go on where the last one ended, for ever. Raises `RoomLostError` where somebody else runs the room now."""
        try:
            await self._open()
            while True:
                seen = self._changed.count
                retry = await self._step()
                await self._rest(seen, _RETRY_SECONDS if retry else _LONGEST_REST_SECONDS)
        finally:
            await self._tasks.stop()
            self._timetable.close()
            await self._readying.close()

    # -- the beginning ---------------------------------------------------------------------------------------------------------

    async def _open(self) -> None:
        place = await self._places.load()
        for sequenced in await self._ledger.open(place.events):
            if isinstance(event := sequenced.record, RoomEvent):
                self._pasts.setdefault(event.order, Past()).add(sequenced)
        self._places.events = self._ledger.tail
        self._controls.tail = place.control
        self._tasks.start(self._follow(place.announcements), name=f"room.announcements[{self._stage.room}]")
        self._tasks.start(self._controls.follow(place.control), name=f"room.control[{self._stage.room}]")
        self._tasks.start(self._places.commit_forever(), name=f"room.place[{self._stage.room}]")
        for speaker in self._stage.speakers:
            self._tasks.start(speaker.start(), name=f"start[{speaker.name}]")
        await self._catch_up()
        self._taken = place.announcements
        await self._take_arrivals()
        await self._resume()
        self._pasts.clear()
        self.is_open = True

    async def _follow(self, start: SeqNum) -> None:
        async for sequenced in self._log.follow(ANNOUNCEMENTS, start):
            if not isinstance(sequenced.record, Announcement) or await self._stage.shelf.counts(sequenced.seq_num):
                self._arrivals.append(sequenced)
            self._read = sequenced.seq_num + 1
            self._changed.notify()

    async def _catch_up(self) -> None:
        """Return when all was read that had been announced before: what was being heard is among it."""
        await self._stage.shelf.ready()
        tail = self._stage.shelf.tail
        while self._read < tail:
            await self._changed.wait(self._changed.count)

    async def _resume(self) -> None:
        """Go on with what was being heard."""
        for entry in self.queue.entries():
            past = self._pasts.get(entry.order)
            if past is None or past.started is None:
                continue
            if past.started.reason:
                # Only the tones were heard in its place: they are not repeated.
                await self._orders.end(entry, RoomEventKind.FAILED, past.started.reason)
                continue
            may_outlive = not self._stage.preferences.options.progressive
            found = resumption(entry, past, self._stage.speakers, self._stage.shop.clock, may_outlive=may_outlive)
            if found is not None and self.podium.entry is None:
                await self.podium.resume(entry, found, await self._what_is_there(entry))

    async def _what_is_there(self, entry: Entry) -> Ready:
        """Of a cast that was whole when it began to be heard, and may have gone since."""
        try:
            return await self._readying.ready(entry.order)
        except VoiceOfAHouseError:
            return Ready((), is_whole=True)

    # -- one step --------------------------------------------------------------------------------------------------------------

    async def _step(self) -> bool:
        """Whatever is to be done now; whether something has to be tried again soon."""
        await self._take_arrivals()
        await self._take_back()
        is_left = await self._orders.carry_out(self._places.announcements)
        await self._sort_out()
        if self.podium.has_ended:
            await self.podium.conclude()
        await self._go_on()
        self._places.control = self._controls.place
        self._let_go()
        awaited = [entry for entry in self.queue.entries() if not entry.is_held]
        self._timetable.tell(awaited, self.podium.seconds_left)
        self._told.notify()
        return is_left

    async def _take_arrivals(self) -> None:
        """Queue what was announced. What was withdrawn waits for `_take_back`: it may be being heard."""
        queued: list[RoomEvent] = []
        while self._arrivals:
            sequenced = self._arrivals.popleft()
            match sequenced.record:
                case Announcement() as announcement if self._stage.room in announcement.rooms:
                    queued += self._take_in(Entry.of(announcement, sequenced.seq_num), sequenced.timestamp_ms)
                case Withdrawal():
                    self._withdrawn.append(sequenced)
                case _:
                    pass
            self._taken = sequenced.seq_num + 1
        await self._book.tell(*queued)

    async def _take_back(self) -> None:
        """Drop what was withdrawn; then the room has come as far as it has read."""
        for sequenced in self._withdrawn:
            if isinstance(sequenced.record, Withdrawal):
                await self._orders.drop(sequenced.record.announcement_id, "it was withdrawn", below=sequenced.seq_num)
        self._withdrawn.clear()
        self._places.announcements = self._taken if self._arrivals else self._read

    def _take_in(self, entry: Entry, accepted_ms: int) -> list[RoomEvent]:
        """Queue it; returns what is to be told, which is nothing where an earlier run has told it."""
        past = self._pasts.get(entry.order)
        if past is not None and past.is_over:
            return []
        self.queue.put(entry if past is None else entry_of(entry, past))
        self._readying.begin(entry, accepted_ms)
        if past is None:
            return [entry.event(RoomEventKind.QUEUED)]
        self._places.began(entry.order, past.first_event)
        entry.is_held = past.event is RoomEventKind.HELD
        return []

    async def _sort_out(self) -> None:
        """Drop what is not to be heard any more, and say what is held back."""
        for entry, newer_id in self.queue.superseded():
            await self._orders.end(entry, RoomEventKind.SUPERSEDED, f"{newer_id} is newer", field="topic")
        for entry in self.queue.expired(self._stage.now_ms):
            if entry.failure:
                await self._orders.end(entry, RoomEventKind.FAILED, entry.failure)
            else:
                await self._orders.end(
                    entry, RoomEventKind.EXPIRED, "its time was over before it could be heard", field="expires_in"
                )
        held_by = self._held_by
        for entry in self.queue.entries():
            if held_by and entry.may_be_held and not entry.is_held:
                await self._book.tell(entry.event(RoomEventKind.HELD, reason=held_by))
            entry.is_held = bool(held_by) and entry.may_be_held

    async def _go_on(self) -> None:
        """Begin the next one, if it can be heard and nothing is; or silence what is heard for what is critical."""
        entry = self.queue.next(self._stage.now, is_quiet=bool(self._held_by))
        if entry is None or not self._readying.is_done(entry.order):
            return
        if self.podium.entry is not None and not (
            entry.is_critical and self.podium.may_be_interrupted and await self.podium.interrupt()
        ):
            return
        try:
            ready = await self._readying.ready(entry.order)
        except VoiceOfAHouseError as error:
            await self.podium.begin(entry, failure_programme(self._stage), failure=str(error))
            return
        await self.podium.begin(entry, programme_of(self._stage, entry, ready))
        if not ready.is_whole:
            self._tasks.start(self._learn(entry), name=f"learn[{self._stage.room}]")

    # -- parts -----------------------------------------------------------------------------------------------------------------

    @property
    def _held_by(self) -> str:
        return self._stage.preferences.held_by(self._stage.now_ms)

    @property
    def tail(self) -> Cursor:
        """Number that the next event of the room will get."""
        return self._ledger.tail

    @property
    def is_waiting_for_cast(self) -> bool:
        """Whether nothing is heard because the next one's cast is still being made."""
        entry = self.queue.next(self._stage.now, is_quiet=bool(self._held_by))
        return self.podium.entry is None and entry is not None and not self._readying.is_done(entry.order)

    @property
    def held_by(self) -> str:
        """What keeps announcements back now; empty for nothing."""
        return self._held_by

    async def _learn(self, entry: Entry) -> None:
        """The rest of a cast that is heard while it is being made."""
        try:
            ready = await self._stage.readiness.whole(entry.announcement, self._stage.now_ms, self._stage.room)
        except VoiceOfAHouseError as error:
            _LOGGER.debug("room %s: the rest is not to be had: %s", self._stage.room, error)
            return
        if self.podium.entry is entry:
            self.podium.learn(programme_of(self._stage, entry, ready))

    def _let_go(self) -> None:
        """Forget what belongs to announcements that have ended."""
        heard = self.podium.entry
        self._readying.keep({entry.order for entry in (*self.queue.entries(), *([heard] if heard else []))})

    async def _rest(self, seen: int, longest_seconds: float) -> None:
        """Until something changes, or time alone changes something."""
        change_seconds = self.queue.seconds_to_change(self._stage.now, self._stage.now_ms)
        seconds = min(longest_seconds, max(change_seconds, _SHORTEST_REST_SECONDS))
        quiet = self._stage.preferences.seconds_to_change(self._stage.now_ms)
        change = asyncio.ensure_future(self._changed.wait(seen))
        try:
            await asyncio.wait([change], timeout=seconds if quiet is None else min(seconds, quiet))
        finally:
            change.cancel()
