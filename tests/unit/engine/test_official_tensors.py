"""The int8 model's weights as the official model has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from wyoming_kokoro.engine.official_tensors import official_tensors, split_weight
from wyoming_kokoro.engine.onnx_weights import Weights
from wyoming_kokoro.engine.weights import fetch


def joined(gain: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """As the official model does it, each time it runs."""
    axes = tuple(range(1, direction.ndim))
    return gain * direction / np.sqrt(np.square(direction).sum(axes, keepdims=True))


def test_gain_and_direction_make_the_weight_again() -> None:
    weight = np.random.default_rng(1).normal(size=(4, 3, 5)).astype(np.float32)
    gain, direction = split_weight(weight)
    assert gain.shape == (4, 1, 1)
    assert joined(gain, direction) == pytest.approx(weight, rel=1e-5)


def test_a_channel_of_zeros_stays_one_and_is_no_division_of_nothing_by_nothing() -> None:
    weight = np.ones((3, 2, 2), np.float32)
    weight[1] = 0
    gain, direction = split_weight(weight)
    assert np.isfinite(joined(gain, direction)).all()
    assert joined(gain, direction) == pytest.approx(weight)


def graph(tmp_path: Path, *nodes: onnx.NodeProto, **tensors: np.ndarray) -> Path:
    """A file with that graph; two underscores in a tensor's name stand for a dot."""
    stored = [onnx.numpy_helper.from_array(values, name.replace("__", ".")) for name, values in tensors.items()]
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("x", "y")]
    path = tmp_path / "model.onnx"
    onnx.save(helper.make_model(helper.make_graph(nodes, "small", ports[:1], ports[1:], stored)), str(path))
    return path


def test_the_gates_of_a_recurrent_layer_come_in_the_order_of_torch(tmp_path: Path) -> None:
    gates = np.repeat(np.arange(4, dtype=np.uint8), 2)  # i, o, f, c, two of each
    layer = helper.make_node(
        "DynamicQuantizeLSTM",
        ["x", "w", "r", "b", "", "", "", "", "ws", "z", "rs", "z"],
        ["y"],
        name="/encoder/shared/LSTM_quant",
    )
    tensors = official_tensors(
        graph(
            tmp_path,
            layer,
            w=np.tile(gates, (2, 3, 1)),
            r=np.tile(gates, (2, 2, 1)),
            b=np.tile(np.concatenate([gates, gates + 10]).astype(np.float32), (2, 1)),
            ws=np.array([1, 10], np.float32),
            rs=np.array([2, 20], np.float32),
            z=np.array([1, 1], np.uint8),
        )
    )
    assert tensors["predictor.shared.weight_ih_l0"][:, 0].tolist() == [-1, -1, 1, 1, 2, 2, 0, 0]
    assert tensors["predictor.shared.weight_hh_l0_reverse"][:, 0].tolist() == [-20, -20, 20, 20, 40, 40, 0, 0]
    assert tensors["predictor.shared.bias_hh_l0"].tolist() == [10, 10, 12, 12, 13, 13, 11, 11]
    assert tensors["predictor.shared.weight_ih_l0"].shape == (8, 3)


def test_a_matrix_is_turned_and_a_convolution_is_split(tmp_path: Path) -> None:
    matrix = helper.make_node("MatMulInteger", ["x", "m_quantized", "z", "z"], ["a"], name="/encoder/bert_encoder/MatMul_quant")
    convolution = helper.make_node(
        "ConvInteger",
        ["a", "/decoder/decoder/asr_res/Mul_output_0_quantized", "z", "z"],
        ["y"],
        name="/decoder/decoder/asr_res/asr_res.0/Conv_quant",
    )
    tensors = official_tensors(
        graph(
            tmp_path,
            matrix,
            convolution,
            m_quantized=np.array([[1, 2], [3, 4], [5, 6]], np.uint8),
            m_scale=np.array([1, 10], np.float32),
            z=np.array(0, np.uint8),
            **{
                "/decoder/decoder/asr_res/Mul_output_0_quantized": np.array([[[3], [4]]], np.uint8),
                "/decoder/decoder/asr_res/Mul_output_0_scale": np.array(0.5, np.float32),
            },
        )
    )
    assert tensors["bert_encoder.weight"].tolist() == [[1, 3, 5], [20, 40, 60]]
    assert tensors["decoder.asr_res.0.weight_g"].tolist() == [[[2.5]]]
    assert tensors["decoder.asr_res.0.weight_v"].tolist() == [[[1.5], [2.0]]]


@pytest.mark.speech
def test_the_shipped_model_gives_every_tensor_and_none_that_is_not_a_number() -> None:
    path = fetch().folder.weights
    tensors = official_tensors(path)
    assert len(tensors) == 546
    assert sum(values.size for values in tensors.values()) == 81_172_818
    assert all(np.isfinite(values).all() for values in tensors.values())
    name = "decoder.generator.resblocks.4.convs2.1"
    gain, direction = tensors[f"{name}.weight_g"], tensors[f"{name}.weight_v"]
    weights = Weights(path)
    node = weights.nodes["/decoder/decoder/generator/resblocks.4/convs2.1/Conv_quant"]
    stored = node.input[1]
    expected = weights.dequantised(stored, stored.removesuffix("_quantized") + "_scale", node.input[3])
    assert joined(gain, direction) == pytest.approx(expected, abs=1e-6)
    dead = sum(int((values == 0).sum()) for name, values in tensors.items() if name.endswith(".weight_g"))
    assert dead == 94
