"""The whole model in onnxruntime: the portable network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.onnx_graph import DURATIONS, prepared_graph
from wyoming_kokoro.engine.onnx_session import OnnxSession

if TYPE_CHECKING:
    from wyoming_kokoro.engine.kokoro import Array, Feed
    from wyoming_kokoro.engine.model_folder import ModelFolder
    from wyoming_kokoro.engine.speech_model import Stop


class OnnxNetwork:
    """Implements `Network`."""

    def __init__(self, folder: ModelFolder, *, threads: int) -> None:
        """Make the graph where it is not cached, and load it. Raises `EngineUnavailableError`."""
        graph = prepared_graph(folder.weights, WEIGHTS_SHA256, folder.graphs)
        self._session = OnnxSession(graph, threads=threads, outputs=("audio", DURATIONS), is_alone=True)

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples and durations."""
        samples, durations = self._session.run(feed, stop)
        return samples, durations.ravel()
