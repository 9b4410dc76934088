"""The rewritten graph says what the shipped one says."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.onnx_graph import DURATIONS, prepared_graph, rewrite, stft_filters
from wyoming_kokoro.engine.phonemes import Phonemes
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.errors import EngineUnavailableError


def test_the_filters_are_a_windowed_fourier_transform() -> None:
    signal = np.random.default_rng(1).normal(size=20).astype(np.float32)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(20) / 20)
    expected = np.fft.rfft(signal * window)
    bins = stft_filters()[:, 0] @ signal
    assert bins[:11] == pytest.approx(expected.real, abs=1e-5)
    assert bins[11:] == pytest.approx(expected.imag, abs=1e-5)


def test_weights_of_another_model_are_refused() -> None:
    node = helper.make_node("Identity", ["x"], ["y"])
    tensors = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
    other = helper.make_model(helper.make_graph([node], "other", tensors[:1], tensors[1:]))
    with pytest.raises(EngineUnavailableError, match="another graph"):
        rewrite(other)


def test_a_prepared_graph_is_taken_from_the_cache(tmp_path: Path) -> None:
    cached = tmp_path / "kokoro-0123456789abcdef-2.onnx"
    cached.write_bytes(b"graph")
    assert prepared_graph(tmp_path / "no weights", "0123456789abcdef" * 4, tmp_path) == cached


def test_a_new_graph_takes_the_place_of_older_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wyoming_kokoro.engine.onnx_graph._changed", lambda *_: b"graph")
    (tmp_path / "kokoro-0123456789abcdef-1.onnx").write_bytes(b"old")
    made = prepared_graph(tmp_path / "weights", "0123456789abcdef" * 4, tmp_path)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"graph"]
    assert made == tmp_path / "kokoro-0123456789abcdef-2.onnx"


def test_a_cache_that_can_not_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wyoming_kokoro.engine.onnx_graph._changed", lambda *_: b"graph")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "file").write_text("no folder")
    made = prepared_graph(tmp_path / "weights", "0123456789abcdef" * 4, tmp_path / "file")
    assert made.read_bytes() == b"graph"


def session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


@pytest.mark.speech
def test_durations_and_loudness_are_those_of_the_shipped_graph(tmp_path: Path) -> None:
    folder = fetch().folder
    shipped = onnx.load(str(folder.weights))
    shipped.graph.output.append(helper.make_tensor_value_info(DURATIONS, TensorProto.FLOAT, None))
    onnx.save(shipped, str(tmp_path / "shipped.onnx"))
    tokens = Phonemes("ðə dˈɔɹ ɪz ˈOpᵊn.").tokens
    feed = {
        "tokens": np.array([[0, *tokens, 0]], np.int64),
        "style": np.fromfile(folder.voice("af_heart"), "<f4").reshape(510, 1, 256)[len(tokens) - 1],
        "speed": np.array([1.0], np.float32),
    }
    graph = prepared_graph(folder.weights, WEIGHTS_SHA256, folder.graphs)
    expected, its_durations = session(tmp_path / "shipped.onnx").run(["audio", DURATIONS], feed)
    sound, durations = session(graph).run(["audio", DURATIONS], feed)
    assert np.array_equal(durations, its_durations)
    assert len(sound) == len(expected) == 600 * durations.sum()
    assert levels(sound) == pytest.approx(levels(expected), abs=0.004)
    assert np.sum(np.square(expected)) > 20 * np.sum(np.square(sound - expected))


def levels(samples: np.ndarray) -> np.ndarray:
    """Loudness of each tenth of a second: what is heard, whatever the phases of the noise."""
    frames = samples[: len(samples) // 2400 * 2400].reshape(-1, 2400)
    return np.asarray(np.sqrt(np.mean(np.square(frames), axis=1)))
