"""Half precision for the part of the torch model that takes the time, and the measure of what it costs in sound."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wyoming_kokoro.engine.kokoro import Array

EQUAL_DECIBELS = 35.0
"""Half precision counts as equal where what it changes stays so far below the sound.

The model's own noise, drawn with another seed, makes a difference at 22 dB that nobody hears; half precision one at 45 (both
measured).
"""


class HalfPrecision:
    """Lets the generator's convolutions compute in 16 bit while `is_on`; its source keeps 32, or the pitch would drift."""

    def __init__(self, model: Any, device: str) -> None:
        self.is_on = False
        self._device = device.partition(":")[0]
        for module in _parts(model.decoder.generator):
            module.forward = self._switched(module.forward)

    def _switched(self, forward: Callable[..., Any]) -> Callable[..., Any]:
        def run(*inputs: Any) -> Any:
            import torch

            if not self.is_on:
                return forward(*inputs)
            with torch.autocast(self._device, torch.float16):
                return forward(*inputs).float()

        return run


def _parts(generator: Any) -> Iterator[Any]:
    for modules in (generator.ups, generator.noise_convs, generator.noise_res, generator.resblocks):
        yield from modules
    yield generator.conv_post


def distance_decibels(exact: Array, other: Array) -> float:
    """How far the difference lies below the sound; 0 where they can't be compared, infinite where they are equal."""
    if exact.shape != other.shape or not np.isfinite(other).all():
        return 0.0
    signal, noise = (float(np.square(each, dtype=np.float64).sum()) for each in (exact, exact - other))
    if noise == 0:
        return math.inf
    return max(0.0, 10 * math.log10(signal / noise)) if signal else 0.0
