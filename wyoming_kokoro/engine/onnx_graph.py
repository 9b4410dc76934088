"""The model's graph as it is run: the shipped one with a cheaper STFT and its durations as an output, or its front alone."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import onnx

_LOGGER = logging.getLogger(__name__)

REWRITE_VERSION = 2
"""Goes up whenever `rewrite` makes another graph, so that a cached one is not taken for it."""

FRONT_VERSION = 1
"""The same for `cut_front`."""

DURATIONS = "/encoder/Clip_output_0"
"""Output: for each token its length in frames of 25 ms (600 samples); their sum is the length of the sound."""

FEATURES = "/encoder/MatMul_1_output_0"
"""Inner tensor [1, 512, frames]: what the decoder reads of the text."""

HIDDEN = "/encoder/shared/Reshape_output_0"
"""Inner tensor [frames, 1, 512]: what pitch and energy are predicted from."""

_GENERATOR = "/decoder/decoder/generator/"
_WINDOW = 20
_HOP = 5
_BINS = _WINDOW // 2 + 1

_UNVOICED = (
    0.0, 0.0, -2.22e-8, -2.18e-8, 4.57e-8, -3.92e-8, 8.34e-8, -7.43e-8, 2.71e-9, -7.87e-8, 3.13e-9,
    1.34e-7, 0.0, 1.69e-8, -3.52e-8, 4.64e-8, -6.27e-8, 1.46e-8, 1.62e-8, -1.18e-8, 3.38e-8, -1.31e-7,
)  # fmt: skip
"""What the replaced STFT makes of a frame without voice, in the bins where exact arithmetic has nothing: its rounding errors.

In such frames the source is constant, so all that the generator reads of these bins is the phase of the errors, and it has
come to know them: with others the speech is 1.5 dB softer. Most of that is the lowest bin's sign, since the graph takes an
imaginary part of exactly zero beside a negative real one for a phase of -pi.
"""

_UNVOICED_GAIN = 3
"""Lifts them above the rounding errors of the convolution itself; still far below anything that is heard."""

STFT_OFFSETS = tuple(value * _UNVOICED_GAIN for value in _UNVOICED)
"""What is added to each filter's output."""

_REPLACED = {f"{_GENERATOR}{name}" for name in ("STFT", "Transpose_3", "Gather_4", "Gather_5")}
_REAL = f"{_GENERATOR}Gather_4_output_0"
_IMAGINARY = f"{_GENERATOR}Gather_5_output_0"


def prepared_graph(weights: Path, weights_sha256: str, cache_dir: Path) -> Path:
    """The rewritten graph of these weights, from the cache or made now (a second, 300 MB of memory).

    Where the cache can't be written it is made anew each time, in the folder for temporary files. Raises
    `EngineUnavailableError` where the weights hold another graph.
    """
    name = f"{weights_sha256[:16]}-{REWRITE_VERSION}"
    return _prepared(cache_dir, "kokoro", name, lambda: _changed(weights, rewrite))


def prepared_front(weights: Path, weights_sha256: str, cache_dir: Path) -> Path:
    """The same for the part of the graph in front of the vocoder; its outputs are `FEATURES`, `HIDDEN` and `DURATIONS`."""
    name = f"{weights_sha256[:16]}-{FRONT_VERSION}"
    return _prepared(cache_dir, "front", name, lambda: _changed(weights, cut_front))


def _prepared(cache_dir: Path, kind: str, name: str, make: Callable[[], bytes]) -> Path:
    cached = cache_dir / f"{kind}-{name}.onnx"
    if cached.is_file():
        return cached
    _LOGGER.info("preparing the model's graph, once: %s", cached)
    data = make()
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        write_whole(cached, data)
        _forget_others(cached, kind)
    except OSError as error:
        _LOGGER.warning("the model's graph can't be kept: %s", error)
        cached = Path(tempfile.gettempdir()) / cached.name
        write_whole(cached, data)
    return cached


def write_whole(place: Path, data: bytes | memoryview) -> None:
    """Put it there whole or not at all."""
    descriptor, part = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(place)
    finally:
        Path(part).unlink(missing_ok=True)


def _forget_others(kept: Path, kind: str) -> None:
    """Graphs of other versions of this program would lie there for ever."""
    for old in kept.parent.glob(f"{kind}-*.onnx"):
        if old != kept:
            old.unlink(missing_ok=True)


def _changed(weights: Path, change: Callable[[onnx.ModelProto], None]) -> bytes:
    import onnx

    model = onnx.load(str(weights))
    change(model)
    data: bytes = model.SerializeToString()
    return data


def rewrite(model: onnx.ModelProto) -> None:
    """Change that graph in place: STFT of the harmonic source -> convolution with fixed filters, durations -> output."""
    _replace_stft(model.graph)
    _expose_durations(model.graph)


def cut_front(model: onnx.ModelProto) -> None:
    """Change that graph in place: everything goes that features, hidden states and durations do not need."""
    from onnx import TensorProto, helper

    graph = model.graph
    wanted = (FEATURES, HIDDEN, DURATIONS)
    needed = _needed_nodes(graph, wanted)
    kept = [node for node in graph.node if node.name in needed]
    used = {name for node in kept for name in node.input}
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    for field in (graph.node, graph.initializer, graph.output, graph.value_info):
        del field[:]
    graph.node.extend(kept)
    graph.initializer.extend(tensors)
    graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in wanted)


def _needed_nodes(graph: onnx.GraphProto, outputs: tuple[str, ...]) -> set[str]:
    """Names of the nodes that these outputs come from."""
    makers = {output: node for node in graph.node for output in node.output}
    missing = sorted(set(outputs) - makers.keys())
    if missing:
        raise EngineUnavailableError(f"the weights hold another graph than Kokoro v1.0's: it lacks {', '.join(missing)}")
    needed: set[str] = set()
    todo = list(outputs)
    while todo:
        node = makers.get(todo.pop())
        if node is not None and node.name not in needed:
            needed.add(node.name)
            todo.extend(node.input)
    return needed


def stft_filters() -> np.ndarray:
    """Filters [22, 1, 20] of a Hann-windowed DFT: 11 real parts, then 11 imaginary ones."""
    import numpy as np

    bins = np.arange(_BINS)[:, None]
    samples = np.arange(_WINDOW)[None, :]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)
    angles = 2 * np.pi * ((bins * samples) % _WINDOW) / _WINDOW
    imaginary = -window * np.sin(angles)
    imaginary[[0, _BINS - 1]] = 0  # not the sine's own rounding errors, which would drown those of `_UNVOICED`
    return np.concatenate([window * np.cos(angles), imaginary])[:, None].astype(np.float32)


def _replace_stft(graph: onnx.GraphProto) -> None:
    nodes = {node.name: node for node in graph.node}
    missing = _REPLACED - nodes.keys()
    if missing:
        raise EngineUnavailableError(
            f"the weights hold another graph than Kokoro v1.0's: it lacks {', '.join(sorted(missing))}"
        )
    signal = nodes[f"{_GENERATOR}STFT"].input[0]
    kept = []
    for node in graph.node:
        if node.op_type == "STFT":
            kept.extend(_convolution(graph, signal))
        elif node.name not in _REPLACED:
            kept.append(node)
    del graph.node[:]
    graph.node.extend(kept)


def _convolution(graph: onnx.GraphProto, signal: str) -> list[onnx.NodeProto]:
    import numpy as np
    from onnx import helper, numpy_helper

    constants = {
        "stft_filters": stft_filters(),
        "stft_unvoiced": np.array(STFT_OFFSETS, np.float32),
        "stft_axis": np.array([1], np.int64),
        "stft_split": np.array([_BINS, _BINS], np.int64),
    }
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    return [
        helper.make_node("Unsqueeze", [signal, "stft_axis"], ["stft_signal"]),
        helper.make_node("Conv", ["stft_signal", "stft_filters", "stft_unvoiced"], ["stft_bins"], strides=[_HOP]),
        helper.make_node("Split", ["stft_bins", "stft_split"], [_REAL, _IMAGINARY], axis=1),
    ]


def _expose_durations(graph: onnx.GraphProto) -> None:
    from onnx import TensorProto, helper

    if not any(DURATIONS in node.output for node in graph.node):
        raise EngineUnavailableError("the weights hold another graph than Kokoro v1.0's: it has no durations")
    graph.output.append(helper.make_tensor_value_info(DURATIONS, TensorProto.FLOAT, None))
