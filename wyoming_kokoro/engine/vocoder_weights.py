"""The vocoder's weights, out of the shipped model and into the native library's own file."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from wyoming_kokoro.engine.onnx_graph import STFT_OFFSETS, stft_filters
from wyoming_kokoro.engine.onnx_weights import Weights

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray
    from wyoming_kokoro_native.packer import Packer

    Array = NDArray[np.float32]

_LOGGER = logging.getLogger(__name__)

PACKING_VERSION = 1
"""Goes up whenever something else is packed."""

_CHANNEL_MULTIPLE = 32
_DECODER = "decoder.decoder."
_GENERATOR = f"{_DECODER}generator."
_PROSODY = "encoder.predictor."


def pack_vocoder(weights: Path, packer: Packer) -> None:
    """Everything that the library asks for. Raises `EngineUnavailableError` where the weights hold another graph."""
    _Packing(Weights(weights), packer).run()


class _Packing:
    def __init__(self, weights: Weights, packer: Packer) -> None:
        self._weights = weights
        self._packer = packer

    def run(self) -> None:
        for name in ("F0", "N"):
            self._prosody(name)
        self._decoder()
        self._source()
        for stage in (0, 1):
            self._stage(stage)
        self._convolution("generator.conv_post", "/decoder/decoder/generator/conv_post/Conv", f"{_GENERATOR}conv_post.bias")
        self._packer.vector("generator.basis", self._weights.floats(f"{_GENERATOR}stft.istft.stft.inverse_basis"))

    def _prosody(self, name: str) -> None:
        for block in range(3):
            self._block(
                f"prosody.{name}.{block}", f"/encoder/{name}.{block}", f"{_PROSODY}{name}.{block}", block == 1, block == 1
            )
        self._quantised(f"prosody.{name}_proj", f"/encoder/{name}_proj", f"{_PROSODY}{name}_proj")

    def _decoder(self) -> None:
        self._quantised("decoder.asr_res", "/decoder/decoder/asr_res/asr_res.0", f"{_DECODER}asr_res.0")
        self._block("decoder.encode", "/decoder/decoder/encode", f"{_DECODER}encode", True, False)
        for block in range(4):
            name = f"decode.{block}"
            self._block(f"decoder.{name}", f"/decoder/decoder/{name}", f"{_DECODER}{name}", True, block == 3)
        for name in ("F0_conv", "N_conv"):
            self._packer.vector(f"decoder.{name}.weight", self._weights.convolution(f"/decoder/decoder/{name}").floats())
            self._packer.vector(f"decoder.{name}.bias", self._weights.floats(f"{_DECODER}{name}.bias"))

    def _source(self) -> None:
        mix = self._weights.input_of("/decoder/decoder/generator/m_source/l_linear/MatMul", 1)
        self._packer.vector("source.mix.weight", mix)
        self._packer.vector("source.mix.bias", self._weights.floats(f"{_GENERATOR}m_source.l_linear.bias"))
        self._packer.vector("source.filters", stft_filters())
        self._packer.vector("source.offsets", np.array(STFT_OFFSETS, np.float32))

    def _stage(self, stage: int) -> None:
        self._snake(f"noise_res.{stage}")
        for branch in range(3):
            self._snake(f"resblocks.{3 * stage + branch}")
        self._up(f"ups.{stage}")
        name = f"noise_convs.{stage}"
        # All taps of a window lie side by side: [outputs, inputs, taps] -> one tap of taps * inputs.
        noise = self._weights.convolution(f"/decoder/decoder/generator/{name}").floats().transpose(0, 2, 1)
        self._packer.convolution(
            f"generator.{name}", noise.reshape(len(noise), -1, 1), self._weights.floats(f"{_GENERATOR}{name}.bias")
        )

    def _up(self, name: str) -> None:
        """A transposed convolution with stride s and 2 s taps, as two taps with s times the outputs."""
        weights = self._weights.input_of(f"/decoder/decoder/generator/{name}/ConvTranspose", 1)
        inputs, outputs, taps = weights.shape
        stride = taps // 2
        before, now = (
            part.transpose(2, 1, 0).reshape(stride * outputs, inputs) for part in (weights[..., stride:], weights[..., :stride])
        )
        bias = np.tile(self._weights.floats(f"{_GENERATOR}{name}.bias"), stride)
        self._packer.convolution(f"generator.{name}", np.stack([before, now], 2), bias)

    def _snake(self, name: str) -> None:
        for which in (1, 2):
            for pair in range(3):
                number = f"{which}.{pair}"
                convolution = self._weights.convolution(f"/decoder/decoder/generator/{name}/convs{number}")
                bias = self._weights.floats(f"{_GENERATOR}{name}.convs{number}.bias")
                self._packer.convolution(
                    f"generator.{name}.convs{number}", convolution.bytes, bias, dilation=convolution.dilation, is_main=True
                )
                self._packer.vector(
                    f"generator.{name}.alpha{number}", self._weights.floats(f"{_GENERATOR}{name}.alpha{number}")
                )
                self._norm(f"generator.{name}.adain{number}", f"{_GENERATOR}{name}.adain{number}")

    def _block(self, name: str, node: str, parameter: str, has_shortcut: bool, doubles: bool) -> None:
        for number in (1, 2):
            self._quantised(f"{name}.conv{number}", f"{node}/conv{number}", f"{parameter}.conv{number}")
            self._norm(f"{name}.norm{number}", f"{parameter}.norm{number}")
        if has_shortcut:
            self._quantised(f"{name}.conv1x1", f"{node}/conv1x1", "")
        if doubles:
            pool = self._weights.input_of(f"{node}/pool/ConvTranspose", 1)
            self._packer.vector(f"{name}.pool.weight", _padded(pool[:, 0].T))
            self._packer.vector(f"{name}.pool.bias", _padded(self._weights.floats(f"{parameter}.pool.bias")))

    def _quantised(self, name: str, node: str, parameter: str) -> None:
        bias = self._weights.floats(f"{parameter}.bias") if parameter else None
        self._packer.convolution(name, self._weights.convolution(node).bytes, bias)

    def _convolution(self, name: str, node: str, bias: str) -> None:
        self._packer.convolution(name, self._weights.input_of(node, 1), self._weights.floats(bias))

    def _norm(self, name: str, parameter: str) -> None:
        """Gammas and betas from the style, each padded by itself."""
        weight = self._weights.matrix(f"{parameter}.fc")
        bias = self._weights.floats(f"{parameter}.fc.bias")
        self._packer.vector(f"{name}.weight", np.concatenate([_padded(half) for half in np.split(weight, 2, axis=1)], axis=1))
        self._packer.vector(f"{name}.bias", np.concatenate([_padded(half) for half in np.split(bias, 2)]))


def _padded(values: Array) -> Array:
    """With zeros at the end of the last axis, up to a whole number of the library's channels."""
    missing = -values.shape[-1] % _CHANNEL_MULTIPLE
    return np.pad(values, [(0, 0)] * (values.ndim - 1) + [(0, missing)])
