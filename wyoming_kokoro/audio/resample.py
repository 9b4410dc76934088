"""Speech at another rate, chunk by chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import soxr

from wyoming_kokoro.audio.samples import from_pcm, to_pcm
from wyoming_kokoro.model.audio import SPEECH, AudioFormat

if TYPE_CHECKING:
    from wyoming_kokoro.audio.samples import Samples

RATES = (16_000, 22_050, 24_000, 44_100, 48_000)


class Resampler:
    """One piece of sound from `SPEECH` to another rate; what it gives for the chunks does not depend on how they were cut.

    In all it gives exactly as many frames as the duration asks for, to the nearest frame.
    """

    def __init__(self, rate: int) -> None:
        """A ValueError for a rate that is not among `RATES`."""
        if rate not in RATES:
            raise ValueError(f"{rate} is not one of {', '.join(map(str, RATES))}")
        self.format = AudioFormat(rate, SPEECH.width, SPEECH.channels)
        self._stream = None if rate == SPEECH.rate else soxr.ResampleStream(SPEECH.rate, rate, SPEECH.channels, dtype="float32")
        self._fed = 0
        self._given = 0

    def feed(self, pcm: bytes) -> bytes:
        """What can be given of the sound so far, perhaps nothing; `pcm` is a whole number of frames."""
        self._fed += len(pcm) // SPEECH.frame_bytes
        if self._stream is None:
            return pcm
        return self._count(self._stream.resample_chunk(from_pcm(pcm)))

    def finish(self) -> bytes:
        """The rest. Nothing may be fed after it."""
        if self._stream is None:
            return b""
        rest = self._stream.resample_chunk(from_pcm(b""), last=True)
        owed = round(self._fed * self.format.rate / SPEECH.rate) - self._given
        return self._count(np.pad(rest, (0, max(0, owed - len(rest))))[:owed])

    def _count(self, samples: Samples) -> bytes:
        self._given += len(samples)
        return to_pcm(samples)
