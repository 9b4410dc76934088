"""Brings every voice to the same loudness where it is heard. What is stored stays as the model spoke it."""

from __future__ import annotations

import numpy as np

from wyoming_kokoro.audio.limiter import limited
from wyoming_kokoro.audio.samples import from_pcm, to_pcm


def levelled(pcm: bytes, gain_db: float) -> bytes:
    """One whole sentence, louder by so many decibels, its peaks kept below the limiter's ceiling; as it is for 0.0.

    Equal sentences and gains give equal bytes, of the same length. `pcm` is in `model.audio.SPEECH`.
    """
    if gain_db == 0.0:
        return pcm
    return to_pcm(limited(from_pcm(pcm) * np.float32(10 ** (gain_db / 20))))
