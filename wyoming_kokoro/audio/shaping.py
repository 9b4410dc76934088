"""Speech in the shape that a sound device or a mixer wants: rate, channels, loudness."""

from __future__ import annotations

import numpy as np

from wyoming_kokoro.audio.resample import Resampler
from wyoming_kokoro.audio.samples import from_pcm, to_pcm
from wyoming_kokoro.model.audio import AudioFormat


class Shaper:
    """One piece of sound from `SPEECH` to 16 bits at another rate, on every channel alike, times `gain`."""

    def __init__(self, rate: int, channels: int, gain: float = 1.0) -> None:
        """A ValueError for a rate that is not among `resample.RATES`."""
        self._resampler = Resampler(rate)
        self._gain = gain
        self.format = AudioFormat(rate, channels=channels)

    def feed(self, pcm: bytes) -> bytes:
        """What can be given of the sound so far, perhaps nothing; `pcm` is a whole number of frames."""
        return self._shaped(self._resampler.feed(pcm))

    def finish(self) -> bytes:
        """The rest. Nothing may be fed after it."""
        return self._shaped(self._resampler.finish())

    def _shaped(self, pcm: bytes) -> bytes:
        if self._gain != 1.0:
            pcm = to_pcm(from_pcm(pcm) * np.float32(self._gain))
        if self.format.channels == 1:
            return pcm
        return np.repeat(np.frombuffer(pcm, "<i2"), self.format.channels).tobytes()
