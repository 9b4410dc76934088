"""The model with the native library behind it: text to features in onnxruntime, features to sound in C++."""

from __future__ import annotations

import logging
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro_native import CancelledError, FileFailedError, FileUnfitError, NativeError, choose, file_version
from wyoming_kokoro_native.model import Model, Session
from wyoming_kokoro_native.packer import pack

from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.onnx_graph import DURATIONS, FEATURES, HIDDEN, prepared_front
from wyoming_kokoro.engine.onnx_session import OnnxSession
from wyoming_kokoro.engine.speech_model import StoppedError
from wyoming_kokoro.engine.vocoder_weights import PACKING_VERSION, pack_vocoder
from wyoming_kokoro.model.errors import EngineUnavailableError, SynthesisError

if TYPE_CHECKING:
    from wyoming_kokoro_native import Choice

    from wyoming_kokoro.engine.kokoro import Array, Feed
    from wyoming_kokoro.engine.model_folder import ModelFolder
    from wyoming_kokoro.engine.speech_model import Stop

_LOGGER = logging.getLogger(__name__)


class NativeNetwork:
    """Implements `Network`."""

    def __init__(self, folder: ModelFolder, *, threads: int, quality: str) -> None:
        """Make what is not cached (a second), and load it. Raises `EngineUnavailableError`."""
        graph = prepared_front(folder.weights, WEIGHTS_SHA256, folder.graphs)
        self._front = OnnxSession(graph, threads=threads, outputs=(FEATURES, HIDDEN, DURATIONS))
        self._threads = threads
        self._guard = threading.Lock()
        try:
            choice = choose(quality)
            self._model = open_vocoder(folder.weights, choice, folder.graphs)
            self._idle = [Session(self._model, threads=threads)]
        except (NativeError, MemoryError) as error:
            raise EngineUnavailableError(f"the native engine can't be used: {error}") from error
        _LOGGER.info("the native engine runs at level %s in %s on %d threads", *choice, threads)

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples and durations."""
        features, hidden, durations = self._front.run(feed, stop)
        session = self._take()
        try:
            session.begin()
            with stop.calls(session.cancel):
                return session.speak(features[0], hidden[:, 0], feed.style[0]), durations.ravel()
        except CancelledError as error:
            raise StoppedError from error
        except (NativeError, MemoryError, ValueError) as error:
            raise SynthesisError(f"the model can't speak {feed.tokens.size - 2} phonemes: {error}") from error
        finally:
            with self._guard:
                self._idle.append(session)

    def _take(self) -> Session:
        """A session that nobody uses: there are as many as there ever were sentences at once."""
        with self._guard:
            if self._idle:
                return self._idle.pop()
        return Session(self._model, threads=self._threads)


def open_vocoder(weights: Path, choice: Choice, cache_dir: Path) -> Model:
    """The packed weights, mapped; packed first where they are not cached, or not as they should be (half a second).

    Where the cache can't be written they are packed anew each time, in the folder for temporary files. Raises `NativeError`
    and `EngineUnavailableError`.
    """
    fingerprint = f"{WEIGHTS_SHA256} {PACKING_VERSION} {choice.level} {choice.precision}"
    prefix = f"vocoder-{WEIGHTS_SHA256[:16]}-{choice.level}-{choice.precision}-"
    cached = cache_dir / f"{prefix}{PACKING_VERSION}.{file_version()}.pack"
    try:
        return Model(cached, choice.level, fingerprint)
    except (FileUnfitError, FileFailedError) as error:
        _LOGGER.info("packing the vocoder's weights, once, since %s", error)
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        _pack(weights, choice, cached, fingerprint)
        for old in cache_dir.glob(f"{prefix}*.pack"):
            if old != cached:
                old.unlink(missing_ok=True)
    except (OSError, FileFailedError) as error:
        _LOGGER.warning("the packed weights can't be kept: %s", error)
        cached = Path(tempfile.gettempdir()) / cached.name
        _pack(weights, choice, cached, fingerprint)
    return Model(cached, choice.level, fingerprint)


def _pack(weights: Path, choice: Choice, place: Path, fingerprint: str) -> None:
    with pack(place, choice, fingerprint) as packer:
        pack_vocoder(weights, packer)
