"""What is in the shipped model's graph, by name: its float tensors, and its quantised convolutions and matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray
    from wyoming_kokoro_native.packer import Bytes

    Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class QuantisedConvolution:
    """Weights [outputs, inputs, taps] of one convolution."""

    bytes: Bytes
    dilation: int

    def floats(self) -> Array:
        """The weights that the bytes stand for."""
        return (self.bytes.values.astype(np.float32) - self.bytes.zero) * np.float32(self.bytes.scale)


class Weights:
    """The model's file, read. Everything raises `EngineUnavailableError` where it is another graph."""

    def __init__(self, path: Path) -> None:
        import onnx

        graph = onnx.load(str(path)).graph
        self._tensors = {tensor.name: tensor for tensor in graph.initializer}
        self._nodes = {node.name: node for node in graph.node}

    @property
    def nodes(self) -> Mapping[str, Any]:
        """The graph's nodes by name, in its own order."""
        return self._nodes

    def holds(self, name: str) -> bool:
        """Whether a tensor of that name is stored, not computed."""
        return name in self._tensors

    def named_floats(self) -> Iterator[tuple[str, Array]]:
        """Every tensor that is stored in floats under the name of a parameter, as it is."""
        from onnx import TensorProto

        for name, tensor in self._tensors.items():
            is_parameter = name.startswith(("encoder.", "decoder.")) and not name.endswith("_scale")
            if tensor.data_type == TensorProto.FLOAT and is_parameter:
                yield name, self._tensor(name)

    def dequantised(self, values: str, scale: str, zero: str, *, by_first_axis: bool = False) -> Array:
        """The floats that a tensor's bytes stand for.

        Scale and zero point are one for all, or one for each place along the last axis, or else along the first.
        """
        scales = self._tensor(scale).astype(np.float32)
        zeros = (self._tensor(zero) if zero else np.zeros(1, np.uint8)).astype(np.float32)
        bytes_ = self._tensor(values).astype(np.float32)
        if by_first_axis:
            scales, zeros = (each.reshape(-1, *[1] * (bytes_.ndim - 1)) for each in (scales, zeros))
        plain: Array = (bytes_ - zeros) * scales
        return plain

    def floats(self, name: str) -> Array:
        """A tensor of that name, without dimensions of 1 at its ends."""
        return _trimmed(self._tensor(name).astype(np.float32))

    def input_of(self, node: str, position: int) -> Array:
        """The tensor that this node takes there."""
        return self._tensor(self._node(node).input[position]).astype(np.float32)

    def convolution(self, node: str) -> QuantisedConvolution:
        """The convolution of that name, in bytes."""
        from wyoming_kokoro_native.packer import Bytes

        found = self._node(f"{node}/Conv_quant")
        values, scale, zero = self._quantised(found)
        if values.dtype != np.uint8 or scale.size != 1 or zero.size != 1:
            raise EngineUnavailableError(f"{node} is quantised in another way than Kokoro v1.0 as it is shipped")
        dilations = [list(each.ints) for each in found.attribute if each.name == "dilations"]
        weights = Bytes(values=values, scale=float(scale.ravel()[0]), zero=int(zero.ravel()[0]))
        return QuantisedConvolution(weights, dilations[0][0] if dilations else 1)

    def matrix(self, parameter: str) -> Array:
        """A quantised matrix of that name, as floats."""
        name = f"{parameter}.weight_quantized"
        found = next((node for node in self._nodes.values() if node.op_type == "MatMulInteger" and node.input[1] == name), None)
        if found is None:
            raise EngineUnavailableError(f"the weights hold another graph than Kokoro v1.0's: it has no {parameter}")
        values, scale, zero = self._quantised(found)
        plain: Array = (values.astype(np.float32) - zero) * scale.astype(np.float32)
        return plain

    def _quantised(self, node: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Values, scales and zero points; several nodes share a zero point under whatever name it got first."""
        name: str = node.input[1]
        scale = self._tensor(name.removesuffix("_quantized") + "_scale")
        zero = self._tensor(node.input[3]) if len(node.input) > 3 else np.zeros(1, np.uint8)
        return self._tensor(name), scale, zero

    def _node(self, name: str) -> Any:
        if name not in self._nodes:
            raise EngineUnavailableError(f"the weights hold another graph than Kokoro v1.0's: it lacks {name}")
        return self._nodes[name]

    def _tensor(self, name: str) -> NDArray[Any]:
        from onnx import numpy_helper

        if name not in self._tensors:
            raise EngineUnavailableError(f"the weights hold another graph than Kokoro v1.0's: it lacks {name}")
        return numpy_helper.to_array(self._tensors[name])


def _trimmed(values: Array) -> Array:
    while values.ndim > 1 and values.shape[0] == 1:
        values = values[0]
    while values.ndim > 1 and values.shape[-1] == 1:
        values = values[..., 0]
    return values
