"""The shipped model's vocoder as a graph in floats: what the native library is measured by."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from wyoming_kokoro.engine.onnx_graph import FEATURES, HIDDEN

if TYPE_CHECKING:
    from pathlib import Path

PITCH = "/encoder/Reshape_output_0"
DECODED = "/decoder/decoder/decode.3/Div_4_output_0"
SPECTRUM = "/decoder/decoder/generator/Concat_3_output_0"
AUDIO = "audio"
OUTPUTS = (PITCH, DECODED, SPECTRUM, AUDIO)


def vocoder_in_floats(weights: Path) -> onnx.ModelProto:
    """Inputs FEATURES, HIDDEN and style; outputs OUTPUTS. Integer convolutions and products become those of floats."""
    model = onnx.load(str(weights))
    graph = model.graph
    _use_floats(graph)
    kept = _between(graph, {FEATURES, HIDDEN}, OUTPUTS)
    used = {name for node in kept for name in node.input}
    tensors = [tensor for tensor in graph.initializer if tensor.name in used]
    style = next(value for value in graph.input if value.name == "style")
    for field in (graph.node, graph.initializer, graph.input, graph.output, graph.value_info):
        del field[:]
    graph.node.extend(kept)
    graph.initializer.extend(tensors)
    graph.input.append(style)
    graph.input.append(helper.make_tensor_value_info(FEATURES, TensorProto.FLOAT, [1, 512, None]))
    graph.input.append(helper.make_tensor_value_info(HIDDEN, TensorProto.FLOAT, [None, 1, 512]))
    graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in OUTPUTS)
    return model


def _use_floats(graph: onnx.GraphProto) -> None:
    """Each integer node, and what it takes to scale its result, gives way to one of floats with the same last output."""
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    makers = {output: node for node in graph.node for output in node.output}
    users = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            users[name].append(node)

    changed: dict[str, onnx.NodeProto] = {}
    for node in graph.node:
        if node.op_type not in {"ConvInteger", "MatMulInteger"} or node.input[1] not in tensors:
            continue
        name = node.input[1].removesuffix("_quantized")
        values = (tensors[node.input[1]].astype(np.float32) - tensors[node.input[3]]) * tensors[f"{name}_scale"]
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float32), f"{name}_floats"))
        inputs = [makers[node.input[0]].input[0], f"{name}_floats"]
        last = node
        while last.op_type != "Mul":
            (last,) = (user for user in users[last.output[0]] if user.op_type in {"Add", "Cast", "Mul"})
            if last.op_type == "Add":
                inputs.append(last.name.removesuffix("_quantizedbias_add"))
        kind = node.op_type.removesuffix("Integer")
        changed[last.name] = helper.make_node(kind, inputs, list(last.output), name=f"{node.name}_floats")
        changed[last.name].attribute.extend(node.attribute)
    nodes = [changed.get(node.name, node) for node in graph.node]
    del graph.node[:]
    graph.node.extend(nodes)


def _between(graph: onnx.GraphProto, starts: set[str], ends: tuple[str, ...]) -> list[onnx.NodeProto]:
    """The nodes that the ends come from, as far as the starts, each behind those that it needs."""
    makers = {output: node for node in graph.node for output in node.output}
    done: set[str] = set()
    order: list[onnx.NodeProto] = []
    todo = list(ends)
    while todo:
        node = None if todo[-1] in starts else makers.get(todo[-1])
        if node is None or node.name in done:
            todo.pop()
            continue
        missing = [name for name in node.input if name not in starts and name in makers and makers[name].name not in done]
        if missing:
            todo.extend(missing)
        else:
            order.append(node)
            done.add(node.name)
            todo.pop()
    return order
