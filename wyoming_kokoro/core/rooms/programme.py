"""What is heard of one announcement, and when: the sentences behind what comes before them. Pure."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from wyoming_kokoro.core.sound import PAUSE_MS, prelude
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.presentation import Presentation


class Cue(NamedTuple):
    """A sentence begins."""

    at_seconds: float
    """From the beginning of everything."""
    sentence: int


@dataclass(frozen=True, slots=True)
class Programme:
    """The times of one playback, as far as the durations of the sentences are known."""

    presentation: Presentation
    durations_ms: tuple[int, ...]
    """Of every sentence of the cast that is known, from the first on."""
    is_whole: bool = True
    """Whether these are all."""

    @property
    def duration_seconds(self) -> float | None:
        """Of everything that is heard; None while not all of it is known."""
        if not self.is_whole:
            return None
        times = self.presentation.repeat
        pauses_ms = max(times - 1, 0) * PAUSE_MS
        return self._opening_seconds + (times * self._speech_ms + pauses_ms) / 1000

    def cues(self) -> tuple[Cue, ...]:
        """Every sentence that is heard, in order."""
        one_time = (self._speech_ms + PAUSE_MS) / 1000
        return tuple(
            Cue(self._opening_seconds + time * one_time + start, index)
            for time in range(self.presentation.repeat)
            for index, start in self._starts()
        )

    def index_at(self, position_seconds: float) -> int:
        """The sentence with which to go on; a text that is heard several times begins its current time anew."""
        if self.presentation.repeat != 1:
            return self.presentation.first_index
        starts = [cue.at_seconds for cue in self.cues()]
        place = max(bisect_right(starts, position_seconds) - 1, 0)
        return self.presentation.first_index + place

    def times_left_at(self, position_seconds: float) -> int:
        """How often the text is still to be heard, the current time included."""
        one_time = (self._speech_ms + PAUSE_MS) / 1000
        passed = int(max(position_seconds - self._opening_seconds, 0.0) // one_time) if one_time else 0
        return max(self.presentation.repeat - passed, 1)

    @property
    def _opening_seconds(self) -> float:
        return SPEECH.seconds(len(prelude(self.presentation)))

    @property
    def _heard_ms(self) -> tuple[int, ...]:
        return self.durations_ms[self.presentation.first_index :]

    @property
    def _speech_ms(self) -> int:
        return sum(self._heard_ms)

    def _starts(self) -> list[tuple[int, float]]:
        begins = itertools.accumulate(self._heard_ms, initial=0)
        return [
            (self.presentation.first_index + place, begin / 1000)
            for place, (begin, _) in enumerate(zip(begins, self._heard_ms, strict=False))
        ]
