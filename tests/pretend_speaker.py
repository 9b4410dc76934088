"""A speaker that plays into the memory of a test: what was heard of it, and when, stands in its `air`."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome, Stopped
from wyoming_kokoro.model.audio import SPEECH


@dataclass(slots=True)
class Hearing:
    """One playback as a person in the room hears it."""

    play: Play
    begun_at: float
    """Seconds of the loop."""
    ended_at: float | None = None
    """None while it goes on."""

    @property
    def name(self) -> str:
        """Of the announcement."""
        return self.play.announcement_id

    @property
    def first_index(self) -> int:
        """Sentence with which it began."""
        return self.play.presentation.first_index


@dataclass(slots=True)
class Air:
    """What was heard; it outlives the server."""

    hearings: list[Hearing] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Of the announcements, in the order in which they began."""
        return [hearing.name for hearing in self.hearings]


class PretendSpeaker:
    """`ports.Speaker` that takes as long as the sound does. What goes wrong is said by its fields."""

    def __init__(
        self, name: str = "pretend", *, air: Air | None = None, outlives_us: bool = False, can_stop: bool = True
    ) -> None:
        self._name = name
        self._outlives_us = outlives_us
        self.air = Air() if air is None else air
        self.can_stop = can_stop
        self.outcomes: list[PlayOutcome] = []
        """What the next playbacks come to; `CONFIRMED` when there are none left. `BUSY` and `FAILED` are never heard."""
        self.hangs = False
        """Whether a playback never ends."""
        self.is_started = False
        self._stopped = asyncio.Event()

    @property
    def name(self) -> str:
        """What receipts call it."""
        return self._name

    @property
    def outlives_us(self) -> bool:
        """As it was made."""
        return self._outlives_us

    async def start(self) -> None:
        """It is there."""
        self.is_started = True

    async def play(self, play: Play) -> Played:
        """Play it, or what `outcomes` and `hangs` say."""
        outcome = self.outcomes.pop(0) if self.outcomes else PlayOutcome.CONFIRMED
        if outcome in (PlayOutcome.BUSY, PlayOutcome.FAILED):
            return Played(outcome, f"it is {outcome}")
        loop = asyncio.get_running_loop()
        hearing = Hearing(play, loop.time())
        self.air.hearings.append(hearing)
        self._stopped = asyncio.Event()
        try:
            async with asyncio.timeout(None if self.hangs else await self._seconds(play)):
                await self._stopped.wait()
        except TimeoutError:
            hearing.ended_at = loop.time()
            return Played(outcome, "", hearing.ended_at - hearing.begun_at)
        except asyncio.CancelledError:
            goes_on = self._outlives_us and play.duration_seconds is not None
            hearing.ended_at = hearing.begun_at + (play.duration_seconds or 0.0) if goes_on else loop.time()
            raise
        hearing.ended_at = loop.time()
        return Played(PlayOutcome.FAILED, "it was stopped", hearing.ended_at - hearing.begun_at)

    async def stop(self) -> Stopped | None:
        """Be silent at once, if it can; also what an earlier process began."""
        if not self.can_stop:
            return None
        now = asyncio.get_running_loop().time()
        last = self.air.hearings[-1] if self.air.hearings else None
        if last is None or (last.ended_at is not None and last.ended_at <= now):
            return Stopped(0.0)
        last.ended_at = None if last.ended_at is None else now
        self._stopped.set()
        return Stopped(now - last.begun_at)

    async def close(self) -> None:
        """It is not needed any more."""

    async def _seconds(self, play: Play) -> float:
        """How long it takes; the sound itself tells where nobody knows it yet."""
        if play.duration_seconds is not None:
            return play.duration_seconds
        size_bytes = 0
        async with contextlib.aclosing(play.pcm()) as pcm:
            async for piece in pcm:
                size_bytes += len(piece)
        return SPEECH.seconds(size_bytes)
