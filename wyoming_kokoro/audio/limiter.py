"""Keeps peaks below a ceiling without being heard: a gain that bends ahead of a peak and back behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    from wyoming_kokoro.audio.samples import Samples

CEILING = 10 ** (-1 / 20)
"""-1 dB below full scale: what lossy formats and resampling add to a peak has room above it."""

FULL_SCALE = 1.0
"""For what is stored: a short word may go beyond it, and would be clipped."""

_REACH = SPEECH.rate // 200
"""5 ms in which the gain goes down before a peak, and comes back after it."""


def limited(samples: Samples, ceiling: float = CEILING) -> Samples:
    """The same sound with no sample beyond `ceiling`; the very same array where none was.

    Works on a whole sentence, whose edges are silent: so sentences that follow one another join as they did, and whoever hears
    a part of a cast hears what the others hear. `samples` are floats of any size, and finite.
    """
    peaks = np.abs(samples)
    if samples.size == 0 or float(peaks.max()) <= ceiling:
        return samples
    wanted = np.minimum(1.0, ceiling / np.maximum(peaks, ceiling))
    # The least gain that anything within reach wants, held as long as the average below looks back and ahead: so the average is
    # nowhere above what is wanted.
    held = _least_around(wanted, _REACH)
    gain = _average_around(held, _REACH)
    bent: Samples = np.clip(samples * gain, -ceiling, ceiling).astype(np.float32)
    return bent


def _least_around(values: Samples, reach: int) -> Samples:
    """At each place the least of the values at most `reach` away. In time n * log(reach)."""
    padded = np.pad(values, reach, constant_values=1.0)
    width, window = 1, 2 * reach + 1
    while 2 * width <= window:
        padded = np.minimum(padded[:-width], padded[width:])
        width *= 2
    rest = window - width
    return np.minimum(padded[: len(values)], padded[rest : rest + len(values)])


def _average_around(values: Samples, reach: int) -> Samples:
    """At each place the mean of the values at most `reach` away, ones standing beyond the edges."""
    sums = np.cumsum(np.pad(values.astype(np.float64), (reach + 1, reach), constant_values=1.0))
    window = 2 * reach + 1
    mean: Samples = ((sums[window:] - sums[:-window]) / window).astype(np.float32)
    return mean
