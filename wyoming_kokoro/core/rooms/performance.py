"""One try of one announcement: on some speakers side by side, with a limit for each, and its sentences told as they begin."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.programme import Cue, Programme
from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome, Stopped
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind, SpeakerResult
from wyoming_kokoro.ports import Clock, Speaker

_LOGGER = logging.getLogger(__name__)

_OVERTIME_SECONDS = 60.0
"""So much longer than the sound itself may a speaker take: its own limit comes first."""
_SECONDS_A_CHARACTER = 0.2
"""Far more than any voice takes; for what is still being made."""
_STOP_SECONDS = 5.0
"""A speaker that takes longer to be silent can't be stopped."""
_LETTING_GO_SECONDS = 1.0
_LEAST_SECONDS_BETWEEN_CUES = 0.5
"""At most two sentences a second are told."""


class Performance:
    """Begun once `started` is durable."""

    def __init__(
        self,
        entry: Entry,
        play: Play,
        programme: Programme,
        speakers: Sequence[Speaker],
        *,
        clock: Clock,
        tell: Callable[[RoomEvent], Awaitable[None]],
        position_seconds: float = 0.0,
    ) -> None:
        """`position_seconds` is how far it has been heard already."""
        self.entry = entry
        self.programme = programme
        self.play = replace(play, learnt_duration_seconds=lambda: self.programme.duration_seconds)
        self._speakers = speakers
        self._clock = clock
        self._tell = tell
        self._playing: dict[asyncio.Task[Played], Speaker] = {}
        self._learnt = asyncio.Event()
        self._begun_at = clock.monotonic() - position_seconds
        self._heard_seconds = position_seconds
        self.is_unstoppable = False
        """Whether a speaker has said that it can't be silenced."""

    @property
    def position_seconds(self) -> float:
        """How far it should have come."""
        return self._clock.monotonic() - self._begun_at

    def learn(self, programme: Programme) -> None:
        """All of what is heard is known now."""
        self.programme = programme
        self._learnt.set()

    def begin(self) -> None:
        """Have it played: from now on it can be silenced."""
        self._begun_at = self._clock.monotonic() - self._heard_seconds
        loop = asyncio.get_running_loop()
        for speaker in self._speakers:
            self._playing[loop.create_task(speaker.play(self.play), name=f"play[{speaker.name}]")] = speaker

    async def ended(self) -> tuple[SpeakerResult, ...]:
        """Return when every speaker has ended, or is given up."""
        telling = asyncio.get_running_loop().create_task(self._tell_sentences(), name=f"sentences[{self.play.room}]")
        try:
            await asyncio.wait(self._playing, timeout=self._limit_seconds)
            return tuple(self._result(task, speaker) for task, speaker in self._playing.items())
        finally:
            left = [telling, *(task for task in self._playing if not task.done())]
            for task in left:
                task.cancel()
            # One that does not even end when it is cancelled is left behind: nobody waits for it.
            await asyncio.wait(left, timeout=_LETTING_GO_SECONDS)

    async def silence(self) -> float | None:
        """Stop every speaker; returns how far all have come, or None where one can't be stopped."""
        stopped = await asyncio.gather(*(self._stop(speaker) for task, speaker in self._playing.items() if not task.done()))
        positions = [each.position_seconds for each in stopped if each is not None]
        self.is_unstoppable = len(positions) < len(stopped)
        return None if self.is_unstoppable else min(positions, default=self.position_seconds)

    async def _stop(self, speaker: Speaker) -> Stopped | None:
        stopping = asyncio.ensure_future(speaker.stop())
        await asyncio.wait([stopping], timeout=_STOP_SECONDS)
        if not stopping.done():
            stopping.cancel()
            return None
        if (error := stopping.exception()) is not None:
            _LOGGER.error("%s could not be stopped", speaker.name, exc_info=error)
            return None
        return stopping.result()

    @property
    def _limit_seconds(self) -> float:
        seconds = self.play.duration_seconds
        if seconds is None:
            announcement = self.entry.announcement
            seconds = announcement.repeat * len(announcement.recipe.text) * _SECONDS_A_CHARACTER
        return seconds - self._heard_seconds + _OVERTIME_SECONDS

    def _result(self, task: asyncio.Task[Played], speaker: Speaker) -> SpeakerResult:
        if not task.done() or task.cancelled():
            reason = f"no end within {self._limit_seconds:.0f} s"
            return SpeakerResult(speaker=speaker.name, outcome=PlayOutcome.UNKNOWN, reason=reason)
        if (error := task.exception()) is not None:
            _LOGGER.error("%s broke off unexpectedly", speaker.name, exc_info=error)
            return SpeakerResult(speaker=speaker.name, outcome=PlayOutcome.UNKNOWN, reason="it broke off unexpectedly")
        played = task.result()
        return SpeakerResult(
            speaker=speaker.name,
            outcome=played.outcome,
            reason=played.reason,
            position_seconds=played.position_seconds,
        )

    async def _tell_sentences(self) -> None:
        told, last = 0, -_LEAST_SECONDS_BETWEEN_CUES
        while True:
            cues = self.programme.cues()
            if told == len(cues):
                if self.programme.is_whole:
                    return
                await self._learnt.wait()
                continue
            cue = cues[told]
            told += 1
            if cue.at_seconds < self._heard_seconds:
                continue
            await self._clock.sleep(max(cue.at_seconds - self.position_seconds, 0.0))
            if cue.at_seconds - last >= _LEAST_SECONDS_BETWEEN_CUES:
                last = cue.at_seconds
                await self._tell(self._sentence(cue))

    def _sentence(self, cue: Cue) -> RoomEvent:
        return self.entry.event(
            RoomEventKind.SENTENCE, index=cue.sentence, position_seconds=round(cue.at_seconds, 3), play_id=self.play.play_id
        )


class StillPlaying:
    """`ports.Speaker` round one that has gone on playing while this process was away: it is waited for, not asked again."""

    def __init__(self, speaker: Speaker, seconds_left: float, clock: Clock) -> None:
        self._speaker = speaker
        self._seconds_left = max(seconds_left, 0.0)
        self._clock = clock

    @property
    def name(self) -> str:
        """As the speaker inside."""
        return self._speaker.name

    @property
    def outlives_us(self) -> bool:
        """It does."""
        return True

    async def start(self) -> None:
        """It is begun already."""

    async def play(self, play: Play) -> Played:
        """Wait for the end of the sound."""
        await self._clock.sleep(self._seconds_left)
        return Played(PlayOutcome.ASSUMED, f"{play.room} was played on while the server was restarted")

    async def stop(self) -> Stopped | None:
        """As the speaker inside."""
        return await self._speaker.stop()

    async def close(self) -> None:
        """As the speaker inside."""
        await self._speaker.close()
