"""Where one announcement of a room is being heard: how it begins, and every way in which it ends or goes back to the queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wyoming_kokoro.core.rooms.book import Book
from wyoming_kokoro.core.rooms.entry import HEARD, Entry
from wyoming_kokoro.core.rooms.performance import Performance
from wyoming_kokoro.core.rooms.programme import Programme
from wyoming_kokoro.core.rooms.queue import RoomQueue
from wyoming_kokoro.core.rooms.readiness import Ready
from wyoming_kokoro.core.rooms.resuming import Resumption
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.rooms.staging import play_of, programme_of, started
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.announcement import Play, PlayOutcome
from wyoming_kokoro.model.room import RoomEventKind, SpeakerResult
from wyoming_kokoro.ports import Speaker

_LOGGER = logging.getLogger(__name__)

_BUSY_SECONDS = (1.0, 10.0)
_FAILED_SECONDS = (2.0, 60.0)
"""How long it rests at first, and at most: the time doubles."""

_ENDING_SECONDS = 5.0
"""A silenced speaker has so long to say that it has ended."""


@dataclass(slots=True)
class _Heard:
    """What is being heard."""

    performance: Performance
    task: asyncio.Task[None]
    failure: str
    """Why tones are heard instead of it; empty where it is itself."""
    results: tuple[SpeakerResult, ...] = ()


class Podium:
    """Holds one announcement at most. What ends goes into the book before anything else happens."""

    def __init__(self, stage: Stage, book: Book, queue: RoomQueue, tasks: TaskSet, changed: Signal) -> None:
        self._stage = stage
        self._book = book
        self._queue = queue
        self._tasks = tasks
        self._changed = changed
        self._heard: _Heard | None = None

    @property
    def entry(self) -> Entry | None:
        """What is heard now."""
        return None if self._heard is None else self._heard.performance.entry

    @property
    def position_seconds(self) -> float:
        """How far it should have come."""
        return 0.0 if self._heard is None else self._heard.performance.position_seconds

    @property
    def seconds_left(self) -> float:
        """How long it is still heard, as far as is known; 0.0 where nothing is."""
        if self._heard is None:
            return 0.0
        return max((self._heard.performance.programme.duration_seconds or 0.0) - self.position_seconds, 0.0)

    @property
    def play_id(self) -> str:
        """Of what is heard now."""
        return "" if self._heard is None else self._heard.performance.play.play_id

    @property
    def has_ended(self) -> bool:
        """Whether what was heard has ended, and is to be concluded."""
        return self._heard is not None and self._heard.task.done()

    @property
    def may_be_interrupted(self) -> bool:
        """Whether something critical may silence it."""
        performance = None if self._heard is None else self._heard.performance
        return performance is not None and not (performance.is_unstoppable or performance.entry.is_critical)

    def learn(self, programme: Programme) -> None:
        """All of what is heard is known now."""
        if self._heard is not None:
            self._heard.performance.learn(programme)

    async def begin(self, entry: Entry, programme: Programme, *, failure: str = "") -> None:
        """Take it out of the queue and play it on those of the room's speakers that are left for it."""
        speakers = self._speakers_for(entry)
        self._queue.remove(entry.order)
        if not speakers:
            reason = failure or entry.failure or "the room has no speakers"
            await self._book.tell(entry.ended(RoomEventKind.FAILED, reason=reason))
            return
        play = play_of(self._stage, entry, programme)
        under_way = [SpeakerResult(speaker=speaker.name) for speaker in speakers]
        await self._book.tell(started(entry, play, under_way, reason=failure))
        self._play(self._performance(entry, play, programme, speakers), failure)

    async def resume(self, entry: Entry, resumed: Resumption, ready: Ready) -> None:
        """Wait for the end of what plays on since before the restart; speakers that stopped with us go on beside it."""
        self._queue.remove(entry.order)
        still = {speaker.name for speaker in resumed.speakers}
        others = [speaker for speaker in self._speakers_for(entry) if speaker.name not in still]
        if not others:
            entry.first_index = resumed.started.index or 0
        programme = programme_of(self._stage, entry, ready)
        play, heard_seconds = play_of(self._stage, entry, programme), 0.0
        if others:
            told = [SpeakerResult(speaker=name, outcome=PlayOutcome.ASSUMED) for name in sorted(still)]
            told += [SpeakerResult(speaker=speaker.name) for speaker in others]
            await self._book.tell(started(entry, play, told))
        else:
            play, heard_seconds = replace(play, play_id=resumed.started.play_id), resumed.heard_seconds
        speakers: list[Speaker] = [*resumed.speakers, *others]
        self._play(self._performance(entry, play, programme, speakers, heard_seconds), "")

    async def conclude(self) -> None:
        """What was heard has ended by itself."""
        heard = self._take()
        entry = heard.performance.entry
        if heard.failure:
            await self._book.tell(entry.ended(RoomEventKind.FAILED, reason=heard.failure))
            return
        entry.take_in(heard.results)
        left = entry.speakers_left(speaker.name for speaker in self._stage.speakers)
        if entry.is_heard:
            await self._book.tell(entry.ended(RoomEventKind.FINISHED))
        elif left and entry.expires_ms > self._stage.now_ms:
            await self._try_again(heard)
        else:
            await self._book.tell(entry.ended(RoomEventKind.FAILED, reason=entry.failure))

    async def interrupt(self) -> bool:
        """Silence it for something critical; it goes back to the queue, to go on with its sentence. False where it can't be
        silenced: then the other one is next."""
        position = await self._silence("a critical announcement waits for its end")
        if position is None:
            return False
        heard = self._take()
        entry = heard.performance.entry
        if self._is_heard_after_all(heard):
            await self._book.tell(entry.ended(RoomEventKind.FINISHED))
            return True
        self._note_place(heard, position)
        await self._book.tell(
            entry.event(
                RoomEventKind.INTERRUPTED,
                reason="a critical announcement is heard first",
                index=entry.first_index,
                position_seconds=round(position, 3),
                play_id=heard.performance.play.play_id,
            )
        )
        self._queue.put(entry)
        return True

    async def cancel(self, reason: str) -> None:
        """Silence it for good; where that can't be done it is heard to its end."""
        position = await self._silence(reason)
        if position is None:
            return
        heard = self._take()
        entry = heard.performance.entry
        if self._is_heard_after_all(heard):
            await self._book.tell(entry.ended(RoomEventKind.FINISHED))
        else:
            await self._book.tell(entry.ended(RoomEventKind.CANCELLED, reason=reason, position_seconds=round(position, 3)))

    # -- parts -----------------------------------------------------------------------------------------------------------------

    def _speakers_for(self, entry: Entry) -> list[Speaker]:
        left = set(entry.speakers_left(speaker.name for speaker in self._stage.speakers))
        return [speaker for speaker in self._stage.speakers if speaker.name in left]

    def _performance(
        self, entry: Entry, play: Play, programme: Programme, speakers: Sequence[Speaker], heard_seconds: float = 0.0
    ) -> Performance:
        clock = self._stage.shop.clock
        return Performance(entry, play, programme, speakers, clock=clock, tell=self._book.tell, position_seconds=heard_seconds)

    def _play(self, performance: Performance, failure: str) -> None:
        performance.begin()
        task = self._tasks.start(self._run(performance), name=f"play[{self._stage.room}]")
        self._heard = _Heard(performance, task, failure)

    async def _run(self, performance: Performance) -> None:
        try:
            results = await performance.ended()
            if self._heard is not None and self._heard.performance is performance:
                self._heard.results = results
        finally:
            self._changed.notify()

    def _take(self) -> _Heard:
        if self._heard is None:
            raise AssertionError("nothing is heard")
        heard, self._heard = self._heard, None
        return heard

    async def _silence(self, why: str) -> float | None:
        """Silence every speaker; how far all have come, or None, and a warning, where one can't be silenced."""
        if self._heard is None:
            raise AssertionError("nothing is heard")
        performance = self._heard.performance
        position = await performance.silence()
        if position is None:
            warning = performance.entry.event(RoomEventKind.WARNING, reason=f"it can't be stopped ({why})")
            await self._book.tell(warning)
            return None
        await asyncio.wait([self._heard.task], timeout=_ENDING_SECONDS)
        self._heard.task.cancel()
        return position

    def _is_heard_after_all(self, heard: _Heard) -> bool:
        """Whether a speaker had ended before it was silenced; others that may have played it are not asked again."""
        entry = heard.performance.entry
        entry.take_in(result for result in heard.results if result.outcome in (*HEARD, PlayOutcome.UNKNOWN))
        return entry.is_heard

    def _note_place(self, heard: _Heard, position: float) -> None:
        """It goes on with the sentence that was cut."""
        entry, programme = heard.performance.entry, heard.performance.programme
        entry.first_index, entry.repeat = programme.index_at(position), programme.times_left_at(position)
        entry.last_heard_ms = self._stage.now_ms

    async def _try_again(self, heard: _Heard) -> None:
        entry = heard.performance.entry
        positions = [result.position_seconds or 0.0 for result in heard.results if result.outcome is PlayOutcome.FAILED]
        if positions and min(positions) > 0:
            self._note_place(heard, min(positions))
        is_busy = entry.is_only_busy
        first, most = _BUSY_SECONDS if is_busy else _FAILED_SECONDS
        seconds = min(first * 2**entry.tries, most)
        entry.rest(self._stage.now + seconds, is_blocking=is_busy)
        announcement_id = entry.announcement.announcement_id
        _LOGGER.info("room %s: %s is tried again in %g s: %s", self._stage.room, announcement_id, seconds, entry.failure)
        warning = entry.event(
            RoomEventKind.WARNING,
            reason=f"{entry.failure}; it is tried again in {seconds:g} s",
            index=entry.first_index,
            play_id=heard.performance.play.play_id,
            speakers=heard.results,
        )
        await self._book.tell(warning)
        self._queue.put(entry)
