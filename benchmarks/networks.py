"""The ways to compute the model on this machine, side by side: as shipped, in onnxruntime as we run it, natively, in torch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.g2p import Phonemizer
from wyoming_kokoro.engine.kokoro import Feed, Network
from wyoming_kokoro.engine.kokoro_onnx import OnnxNetwork
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.engine.voice_table import language_of

if TYPE_CHECKING:
    from wyoming_kokoro.engine.kokoro import Array

SHIPPED = "shipped"
ONNX = "onnx"


class ShippedNetwork:
    """The weights' own graph in onnxruntime with its default options, as the package kokoro-onnx runs it."""

    def __init__(self, folder: ModelFolder) -> None:
        import onnxruntime

        self._session = onnxruntime.InferenceSession(str(folder.weights), providers=["CPUExecutionProvider"])

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples; it tells no durations."""
        return self._session.run(None, feed._asdict())[0], np.empty(0, np.float32)


@dataclass(frozen=True)
class Way:
    """One way, not loaded yet."""

    name: str
    load: Callable[[], Network]


def ways(folder: ModelFolder, threads: int = 0) -> Iterator[Way]:
    """All that this machine has, the shipped one first."""
    threads = threads or allowed_cores()
    yield Way(SHIPPED, lambda: ShippedNetwork(folder))
    yield Way(ONNX, lambda: OnnxNetwork(folder, threads=threads))
    if find_spec("torch") is not None and find_spec("kokoro") is not None:
        yield Way("official", lambda: _official(folder, threads))
        yield Way("torch", lambda: _torch(folder, threads))
    try:
        from wyoming_kokoro_native import levels, precisions
    except ImportError:
        return
    for level in levels():
        for precision in precisions(level):
            yield Way(f"{level} {precision}", _native(folder, threads, level, precision))


def _official(folder: ModelFolder, threads: int) -> Network:
    from benchmarks.official import OfficialNetwork

    return OfficialNetwork(folder, threads=threads)


def _torch(folder: ModelFolder, threads: int) -> Network:
    from wyoming_kokoro.engine.kokoro_torch import TorchNetwork

    return TorchNetwork(folder, threads=threads)


def _native(folder: ModelFolder, threads: int, level: str, precision: str) -> Callable[[], Network]:
    def load() -> Network:
        from wyoming_kokoro.engine.kokoro_native import NativeNetwork

        with _forced(level):
            return NativeNetwork(folder, threads=threads, quality=precision)

    return load


@contextmanager
def _forced(level: str) -> Iterator[None]:
    before = os.environ.get("WYOMING_KOKORO_LEVEL")
    os.environ["WYOMING_KOKORO_LEVEL"] = level
    try:
        yield
    finally:
        if before is None:
            del os.environ["WYOMING_KOKORO_LEVEL"]
        else:
            os.environ["WYOMING_KOKORO_LEVEL"] = before


class Feeds:
    """Texts as the model is given them."""

    def __init__(self, folder: ModelFolder) -> None:
        self._styles = Styles(folder)
        self._phonemizer = Phonemizer()

    def feed(self, text: str, voice: str) -> Feed:
        """A text of at most 510 phonemes, in the voice's language."""
        tokens = self._phonemizer.phonemes(text, language_of(voice).tag).tokens
        return Feed(
            tokens=np.array([[0, *tokens, 0]], np.int64),
            style=self._styles.style(voice, len(tokens)),
            speed=np.array([1.0], np.float32),
        )
