"""Samples as floats of -1.0 to 1.0, and as PCM of the format `SPEECH`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

_SCALE = 32767.0


def to_pcm(samples: Samples) -> bytes:
    """PCM of these samples; what lies beyond -1.0 to 1.0 is held at full scale, what is no number becomes silence."""
    finite = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    pcm: bytes = np.rint(np.clip(finite, -1.0, 1.0) * _SCALE).astype("<i2").tobytes()
    return pcm


def from_pcm(pcm: bytes) -> Samples:
    """The samples of that PCM."""
    return np.frombuffer(pcm, "<i2").astype(np.float32) / np.float32(_SCALE)
