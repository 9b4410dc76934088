"""The styles of voices and blends: what makes the model sound like somebody."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from wyoming_kokoro.engine.phonemes import MAX_PHONEMES
from wyoming_kokoro.engine.voices import blend_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from wyoming_kokoro.engine.model_folder import ModelFolder

STYLE_SIZE = 256


class Styles:
    """Reads voices from the model's folder when they are first asked for, and keeps the newest of them."""

    def __init__(self, folder: ModelFolder) -> None:
        self._folder = folder

    def style(self, voice: str, phonemes: int) -> NDArray[np.float32]:
        """Style [1, 256] of that voice or blend for a piece of so many phonemes (1 to 510); a blend's is the weighted mean."""
        row = min(phonemes, MAX_PHONEMES) - 1
        mixed = np.zeros((1, STYLE_SIZE), np.float64)
        for name, share in blend_of(voice).shares:
            mixed += share * _rows(self._folder.voice(name))[row]
        return mixed.astype(np.float32)


@lru_cache(maxsize=16)
def _rows(path: Path) -> NDArray[np.float32]:
    """Styles [510, 1, 256], one for every length."""
    return np.fromfile(path, "<f4").reshape(MAX_PHONEMES, 1, STYLE_SIZE)
