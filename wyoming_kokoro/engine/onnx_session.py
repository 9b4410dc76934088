"""One graph in onnxruntime: how it is loaded, run and stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wyoming_kokoro.engine.speech_model import StoppedError
from wyoming_kokoro.model.errors import EngineUnavailableError, SynthesisError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wyoming_kokoro.engine.kokoro import Array, Feed
    from wyoming_kokoro.engine.speech_model import Stop

_SPIN_US = "100"
"""Threads that sleep after each of the graph's thousands of steps wake up too late; by default they would spin far longer."""

_LONG_TOKENS = 100
"""What a longer sentence took of memory is given back when it is done. To ask the system anew costs a twentieth of the time."""


class OnnxSession:
    """A graph of the model. Called from several threads at once."""

    def __init__(self, graph: Path, *, threads: int, outputs: Sequence[str], is_alone: bool = False) -> None:
        """Raises `EngineUnavailableError` where it can't be loaded.

        `is_alone`: nothing else computes beside it, so its threads may look for their next share a moment before they sleep.
        """
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "1" if is_alone else "0")
        if is_alone:
            options.add_session_config_entry("session.intra_op.spin_duration_us", _SPIN_US)
            options.add_session_config_entry("session.force_spinning_stop", "1")
        self._outputs = list(outputs)
        try:
            self._session: Any = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has many errors and no root of its own
            raise EngineUnavailableError(f"{graph} can't be loaded: {error}") from error

    def run(self, feed: Feed, stop: Stop) -> list[Array]:
        """The outputs. Raises `SynthesisError`, and `StoppedError` where it was stopped."""
        import onnxruntime

        options = onnxruntime.RunOptions()
        if feed.tokens.size > _LONG_TOKENS:
            options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
        with stop.calls(lambda: setattr(options, "terminate", True)):
            try:
                outputs: list[Array] = self._session.run(self._outputs, feed._asdict(), options)
            except Exception as error:  # onnxruntime has many errors and no root of its own
                if options.terminate:
                    raise StoppedError from error
                raise SynthesisError(f"the model can't speak {feed.tokens.size - 2} phonemes: {error}") from error
        return outputs
