"""The shipped int8 model as the official float model: every tensor under the name that its checkpoint has for it.

Which node of the graph holds which parameter is told by the node's own path. A weight that the graph has as the product of a
gain and a direction is split into both again, as the official model keeps it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from wyoming_kokoro.engine.onnx_weights import Weights
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float32]
    Named = tuple[str, Array]

CONVERSION_VERSION = 1
"""Goes up whenever the same graph gives other tensors."""

_OPERATIONS = frozenset({"MatMulInteger", "ConvInteger", "Conv", "ConvTranspose", "MatMul"})
_STFT = ".stft."
_PROSODY = ("F0.", "N.", "F0_proj", "N_proj", "shared")
"""These parts of the predictor stand in the graph as if they were the encoder's own."""


def official_tensors(path: Path) -> dict[str, Array]:
    """Every parameter of the official model but those of no effect (the pooler, the affines of instance norms).

    Takes seconds. Raises `EngineUnavailableError` where the file holds another graph.
    """
    weights = Weights(path)
    tensors: dict[str, Array] = {}
    for name, values in _all(weights):
        if name in tensors and not np.array_equal(tensors[name], values):
            raise EngineUnavailableError(f"the weights hold another graph than Kokoro v1.0's: two tensors are called {name}")
        tensors[name] = np.array(values, np.float32, order="C")  # writable, as torch wants it
    return tensors


def split_weight(weight: Array) -> tuple[Array, Array]:
    """Gain and direction [outputs, ...] of a weight, so that gain * direction / |direction| is the weight.

    A channel of nothing but zeros, of which quantisation made some, would be 0 / 0: it gets a direction of ones and no gain.
    """
    flat = weight.reshape(len(weight), -1)
    gains = np.sqrt(np.square(flat, dtype=np.float64).sum(1)).astype(np.float32)
    directions = np.where((gains == 0)[:, None], np.float32(1), flat).reshape(weight.shape)
    return gains.reshape(-1, *[1] * (weight.ndim - 1)), directions


def _all(weights: Weights) -> Iterator[Named]:
    for name, values in weights.named_floats():
        if _STFT not in name:
            yield _official(name.split(".")), values
    for node in weights.nodes.values():
        if node.op_type == "DynamicQuantizeLSTM":
            yield from _recurrent(weights, node)
        elif node.op_type == "DequantizeLinear":
            yield from _embedding(weights, node)
        elif node.op_type in _OPERATIONS and weights.holds(node.input[1]):
            yield from _weight(weights, node)


def _weight(weights: Weights, node: Any) -> Iterator[Named]:
    stored = node.input[1]
    name = _official(node.name.strip("/").split("/")[:-1])
    if _STFT in f"{name}." or _is_repeated(node.name):
        return
    values = _floats(weights, node)
    if "MatMul" in node.op_type:
        yield f"{name}.weight", values.T
    elif "/Mul" in stored:
        gain, direction = split_weight(values)
        yield f"{name}.weight_g", gain
        yield f"{name}.weight_v", direction
    else:
        yield f"{name}.weight", values


def _floats(weights: Weights, node: Any) -> Array:
    stored = node.input[1]
    if not stored.endswith("_quantized"):
        return weights.input_of(node.name, 1)
    return weights.dequantised(
        stored, stored.removesuffix("_quantized") + "_scale", node.input[3] if len(node.input) > 3 else ""
    )


def _embedding(weights: Weights, node: Any) -> Iterator[Named]:
    """Rows are looked up in bytes before they are made floats: the table is what the scale is named for."""
    scale = node.input[1]
    table = scale.removesuffix("_scale") + "_quantized"
    if weights.holds(table) and table.endswith(".weight_quantized"):
        name = _official(table.removesuffix("_quantized").split("."))
        yield name, weights.dequantised(table, scale, node.input[2] if len(node.input) > 2 else "")


def _recurrent(weights: Weights, node: Any) -> Iterator[Named]:
    """Weights [directions, inputs, 4 * size], gates in the order i, o, f, c; torch has [4 * size, inputs] and i, f, c, o."""
    name = _official(node.name.strip("/").split("/")[:-1])
    inputs = node.input
    into = [
        weights.dequantised(inputs[place], inputs[scale], inputs[scale + 1], by_first_axis=True)
        for place, scale in ((1, 8), (2, 10))
    ]
    bias = weights.input_of(node.name, 3)
    for direction, suffix in enumerate(("", "_reverse")):
        biases = np.split(bias[direction], 2)
        for kind, matrix, shift in zip(("ih", "hh"), into, biases, strict=True):
            yield f"{name}.weight_{kind}_l0{suffix}", _gates_in_torch_order(matrix[direction].T)
            yield f"{name}.bias_{kind}_l0{suffix}", _gates_in_torch_order(shift)


def _gates_in_torch_order(values: Array) -> Array:
    i, o, f, c = np.split(values, 4)
    return np.concatenate([i, f, c, o])


def _is_repeated(node: str) -> bool:
    """Whether it is a later pass of a layer that has only one set of weights, as all but the first of the text model have."""
    return "/bert/" in node and re.search(r"_\d+/", node) is not None


def _official(parts: list[str]) -> str:
    """The official name of what the graph calls `encoder.X` or `decoder.decoder.X`, or keeps at that path."""
    kept: list[str] = []
    for part in parts:
        if kept and part.startswith(f"{kept[-1]}."):
            kept.pop()  # `cnn.0/cnn.0.0`
        kept.append(part)
    name = ".".join(kept[1:])
    return f"predictor.{name}" if kept[0] == "encoder" and name.startswith(_PROSODY) else name
