"""Packed weights that are mapped, and sessions that speak with them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Final

import numpy as np

from wyoming_kokoro_native.arrays import floats, pointer
from wyoming_kokoro_native.library import check, library

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]

FEATURES: Final = 512
STYLE: Final = 128
"""Values of either half of a style."""
SPECTRUM: Final = 22
SAMPLES_PER_FRAME: Final = 600


class Model:
    """Packed weights, mapped. Read-only; any number of sessions share it."""

    def __init__(self, path: Path, level: str, fingerprint: str) -> None:
        """Raises `FileUnfitError`, `FileFailedError`, `UnavailableError`."""
        self.level = level
        self.handle = ctypes.c_void_p()
        names = [text.encode("utf-8") for text in (str(path), level, fingerprint)]
        check(library().kokoro_model_open(*names, ctypes.byref(self.handle)))
        self._close = library().kokoro_model_close

    def __del__(self) -> None:
        if getattr(self, "_close", None):
            self._close(self.handle)


class Session:
    """Speaks one sentence at a time; `cancel` may come from any thread."""

    def __init__(self, model: Model, *, threads: int) -> None:
        """`threads` from 1 to 256, the calling one among them."""
        self._model = model
        self._handle = ctypes.c_void_p()
        check(library().kokoro_session_open(model.handle, threads, ctypes.byref(self._handle)))
        self._close = library().kokoro_session_close

    def __del__(self) -> None:
        if getattr(self, "_close", None):
            self._close(self._handle)

    def begin(self) -> None:
        """Forget an earlier `cancel`."""
        library().kokoro_session_begin(self._handle)

    def cancel(self) -> None:
        """End the call under way, and those that follow until `begin`, with `CancelledError`."""
        library().kokoro_session_cancel(self._handle)

    def speak(self, features: Array, hidden: Array, style: Array) -> Array:
        """Features [512, frames], hidden [frames, 512], style [256] -> samples [600 * frames]."""
        frames = features.shape[-1]
        features, hidden = floats(features, (FEATURES, frames)), floats(hidden, (frames, FEATURES))
        style = floats(style, (2 * STYLE,))
        audio = np.empty(SAMPLES_PER_FRAME * frames, np.float32)
        taken = (pointer(features), pointer(hidden), frames, pointer(style), pointer(audio))
        check(library().kokoro_speak(self._handle, *taken))
        return audio

    def prosody(self, hidden: Array, style: Array) -> tuple[Array, Array]:
        """Hidden [frames, 512], second half of the style -> pitch and energy [2 * frames]."""
        frames = len(hidden)
        hidden, style = floats(hidden, (frames, FEATURES)), floats(style, (STYLE,))
        pitch, energy = np.empty(2 * frames, np.float32), np.empty(2 * frames, np.float32)
        check(library().kokoro_prosody(self._handle, pointer(hidden), frames, pointer(style), pointer(pitch), pointer(energy)))
        return pitch, energy

    def decode(self, features: Array, pitch: Array, energy: Array, style: Array) -> Array:
        """Features [512, frames], pitch and energy [2 * frames], first half of the style -> [2 * frames, 512]."""
        frames = features.shape[-1]
        features, style = floats(features, (FEATURES, frames)), floats(style, (STYLE,))
        pitch, energy = floats(pitch, (2 * frames,)), floats(energy, (2 * frames,))
        decoded = np.empty((2 * frames, FEATURES), np.float32)
        taken = (pointer(features), frames, pointer(pitch), pointer(energy), pointer(style), pointer(decoded))
        check(library().kokoro_decode(self._handle, *taken))
        return decoded

    def source(self, pitch: Array) -> Array:
        """Pitch [pitches] -> magnitudes and phases [60 * pitches + 1, 22]."""
        pitch = floats(pitch, (len(pitch),))
        spectrum = np.empty((60 * len(pitch) + 1, SPECTRUM), np.float32)
        check(library().kokoro_source(self._handle, pointer(pitch), len(pitch), pointer(spectrum)))
        return spectrum

    def generate(self, decoded: Array, spectrum: Array, style: Array) -> Array:
        """Decoded [pitches, 512], spectrum [60 * pitches + 1, 22], first half of the style -> samples [300 * pitches]."""
        pitches = len(decoded)
        decoded, style = floats(decoded, (pitches, FEATURES)), floats(style, (STYLE,))
        spectrum = floats(spectrum, (60 * pitches + 1, SPECTRUM))
        audio = np.empty(SAMPLES_PER_FRAME // 2 * pitches, np.float32)
        taken = (pointer(decoded), pointer(spectrum), pitches, pointer(style), pointer(audio))
        check(library().kokoro_generate(self._handle, *taken))
        return audio
