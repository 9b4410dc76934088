"""The official model in torch, and what becomes of a sentence when its device fails."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fake_cuda import FakeCuda, check_driver
from wyoming_kokoro.engine import kokoro_torch, official_model
from wyoming_kokoro.engine.half_precision import distance_decibels
from wyoming_kokoro.engine.kokoro import TWO_LENGTHS, Feed
from wyoming_kokoro.engine.kokoro_torch import TorchNetwork, seed
from wyoming_kokoro.engine.lean_blocks import make_lean
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.official_model import check_names, load_model
from wyoming_kokoro.engine.phonemes import Phonemes
from wyoming_kokoro.engine.speech_model import Stop, StoppedError
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.engine.torch_checkpoint import checkpoint
from wyoming_kokoro.engine.torch_device import is_lost
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.errors import EngineUnavailableError, SynthesisError

HAS_TORCH = find_spec("torch") is not None and find_spec("kokoro") is not None

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not HAS_TORCH, reason="the extra torch is not installed"),
    pytest.mark.timeout(300),
]


@pytest.fixture(scope="module")
def folder() -> ModelFolder:
    return fetch().folder


@pytest.fixture(scope="module", autouse=True)
def loaded_once(folder: ModelFolder) -> Iterator[None]:
    """The file is read once, and every network gets a copy of what was in it: loading takes seconds."""
    model = load_model(checkpoint(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kokoro_torch, "checkpoint", lambda _: None)
        patch.setattr(kokoro_torch, "load_model", lambda _: copy.deepcopy(model))
        yield


@pytest.fixture(scope="module")
def network(folder: ModelFolder) -> TorchNetwork:
    return TorchNetwork(folder, threads=1, find=lambda: None)


def feed_of(folder: ModelFolder, phonemes: str, speed: float = 1.0) -> Feed:
    tokens = Phonemes(phonemes).tokens
    style = Styles(folder).style("af_heart", len(tokens))
    return Feed(np.array([[0, *tokens, 0]], np.int64), style, np.array([speed], np.float32))


@pytest.fixture(scope="module")
def word(folder: ModelFolder) -> Feed:
    return feed_of(folder, TWO_LENGTHS[0])


def test_equal_feeds_give_equal_samples_and_durations_that_add_up(network: TorchNetwork, word: Feed) -> None:
    first, durations = network.run(word, Stop())
    network.run(word._replace(speed=np.array([1.1], np.float32)), Stop())
    second, _ = network.run(word, Stop())
    assert np.array_equal(first, second)
    assert durations.shape == (word.tokens.size,)
    assert durations.sum() * 600 == len(first)
    assert 0.05 < float(np.abs(first).max()) < 1.5


def test_whatever_the_model_is_given_changes_the_seed(word: Feed) -> None:
    others = [word._replace(speed=np.array([1.1], np.float32)), word._replace(style=word.style + 1)]
    assert len({seed(each) for each in (word, *others, word)}) == 3


def test_a_stop_ends_a_sentence_between_two_layers(network: TorchNetwork, word: Feed) -> None:
    class Later(Stop):
        """Set at the tenth question."""

        asked = 0

        def check(self) -> None:
            self.asked += 1
            if self.asked == 10:
                self.set()
            super().check()

    stop = Later()
    with pytest.raises(StoppedError):
        network.run(word, stop)
    assert stop.asked == 10
    assert len(network.run(word, Stop())[0])


def test_a_sentence_that_is_stopped_before_its_turn_is_not_begun(network: TorchNetwork, word: Feed) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(StoppedError):
        network.run(word, stop)


def test_what_the_model_can_not_take_is_an_error_of_that_sentence_alone(network: TorchNetwork, word: Feed) -> None:
    with pytest.raises(SynthesisError, match="can't speak"):
        network.run(word._replace(tokens=np.zeros((1, 600), np.int64)), Stop())
    assert len(network.run(word, Stop())[0])


def test_no_weight_norm_is_left_to_be_multiplied_out_at_every_sentence(network: TorchNetwork) -> None:
    assert [name for name, _ in network._model.named_parameters() if name.endswith(("weight_g", "weight_v"))] == []


@pytest.mark.filterwarnings("ignore:.*weight_norm.*is deprecated:FutureWarning")
@pytest.mark.parametrize("kind", ["AdaIN1d", "AdaINResBlock1"])
def test_a_lean_block_computes_what_the_official_one_does(kind: str) -> None:
    import torch
    from kokoro import istftnet

    torch.manual_seed(1)
    block = istftnet.AdaIN1d(8, 6) if kind == "AdaIN1d" else istftnet.AdaINResBlock1(6, 3, (1, 3, 5), 8)
    for parameter in block.parameters():
        parameter.data.uniform_(0.5, 1.5)
    x, style = torch.randn(1, 6, 50), torch.randn(1, 8)
    with torch.inference_mode():
        expected = block(x, style)
        make_lean(block)
        found = block(x, style)
    assert torch.allclose(found, expected, rtol=1e-4, atol=1e-5)
    assert block.forward.__module__ == make_lean.__module__


def test_it_speaks_the_same_lengths_as_the_int8_model(network: TorchNetwork, folder: ModelFolder) -> None:
    from wyoming_kokoro.engine.kokoro_onnx import OnnxNetwork

    feed = feed_of(folder, TWO_LENGTHS[1])
    _, durations = network.run(feed, Stop())
    _, expected = OnnxNetwork(folder, threads=1).run(feed, Stop())
    assert durations.sum() == pytest.approx(expected.sum(), abs=4)
    assert np.abs(durations - expected).max() <= 2


def small_model() -> Any:
    import torch

    return torch.nn.ModuleDict({"a": torch.nn.Linear(2, 2), "norm": torch.nn.InstanceNorm1d(2, affine=True)})


def test_affines_of_instance_norms_may_be_missing_and_nothing_else() -> None:
    check_names(small_model(), ["a.weight", "a.bias"])
    with pytest.raises(EngineUnavailableError, match=r"lacks a\.bias"):
        check_names(small_model(), ["a.weight"])


def test_an_unknown_weight_is_named_beside_what_is_missing() -> None:
    with pytest.raises(EngineUnavailableError, match=r"lacks a\.bias and has unknown a\.biass"):
        check_names(small_model(), ["a.weight", "a.biass"])


@pytest.mark.parametrize("content", [{}, {"a": {"module.nothing": 0}}, [1]], ids=["empty", "other", "no-dictionary"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(official_model, "_built", small_model)
    torch.save(content, tmp_path / "other.pth")
    with pytest.raises(EngineUnavailableError, match=r"Kokoro v1\.0"):
        load_model(tmp_path / "other.pth")


def test_a_misshapen_weight_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(official_model, "_built", small_model)
    torch.save({"a": {"module.weight": torch.zeros(2, 2), "module.bias": torch.zeros(3)}}, tmp_path / "misshapen.pth")
    with pytest.raises(EngineUnavailableError, match=r"a\.bias"):
        load_model(tmp_path / "misshapen.pth")


def test_the_fake_device_keeps_what_a_driver_promises() -> None:
    check_driver(FakeCuda())


class OnFake:
    """A network on a fake device, its half precision measured on a word alone: the processor is slow at that."""

    def __init__(self, folder: ModelFolder, **changes: Any) -> None:
        self.driver = FakeCuda()
        self.network = TorchNetwork(folder, threads=1, **({"find": lambda: self.driver} | changes))


@pytest.fixture(scope="module")
def half(folder: ModelFolder) -> Iterator[OnFake]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kokoro_torch, "THREE_LENGTHS", TWO_LENGTHS[:1])
        yield OnFake(folder)


def test_half_precision_is_taken_where_it_measures_equal(half: OnFake, network: TorchNetwork, word: Feed) -> None:
    assert half.network.is_half
    samples, durations = half.network.run(word, Stop())
    exact, expected = network.run(word, Stop())
    assert np.array_equal(durations, expected)
    assert 35 < distance_decibels(exact, samples) < 100


def test_half_precision_is_not_taken_where_it_would_be_heard(half: OnFake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kokoro_torch, "THREE_LENGTHS", TWO_LENGTHS[:1])
    monkeypatch.setattr(kokoro_torch, "distance_decibels", lambda exact, other: 34.9)
    assert half.network._half is not None
    assert not half.network._is_half_equal(half.network._half)


@pytest.fixture(scope="module")
def exact(folder: ModelFolder) -> OnFake:
    return OnFake(folder, precision="f32")


def test_results_come_through_blocks_that_were_there_before(exact: OnFake, network: TorchNetwork, word: Feed) -> None:
    assert not exact.network.is_half
    before = exact.driver.synchronised
    samples, durations = exact.network.run(word, Stop())
    expected = network.run(word, Stop())
    assert np.array_equal(samples, expected[0])
    assert np.array_equal(durations, expected[1])
    assert exact.driver.synchronised == before + 1
    assert len(exact.driver.blocks) == 2


def test_the_next_sentence_does_not_write_over_the_last(exact: OnFake, word: Feed) -> None:
    first, _ = exact.network.run(word, Stop())
    kept = first.copy()
    exact.network.run(word._replace(speed=np.array([0.8], np.float32)), Stop())
    assert np.array_equal(first, kept)


def test_an_error_that_is_not_the_devices_leaves_it_in_use(exact: OnFake, word: Feed) -> None:
    exact.driver.failures.append(RuntimeError("the size of tensor a must match the size of tensor b"))
    with pytest.raises(SynthesisError, match="must match"):
        exact.network.run(word, Stop())
    assert exact.driver.emptied == 0
    exact.network.run(word, Stop())


def no_memory() -> Exception:
    import torch

    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 MiB.")


def test_a_device_without_memory_costs_a_warning_and_not_the_sentence(
    folder: ModelFolder, network: TorchNetwork, word: Feed, caplog: pytest.LogCaptureFixture
) -> None:
    made = OnFake(folder, precision="f32")
    made.driver.failures.append(no_memory())
    with caplog.at_level(logging.WARNING):
        samples, _ = made.network.run(word, Stop())
    assert "the processor speaks from now on: CUDA out of memory" in caplog.text
    assert np.array_equal(samples, network.run(word, Stop())[0])
    synchronised = made.driver.synchronised
    made.network.run(word, Stop())
    assert (made.driver.synchronised, made.driver.emptied) == (synchronised, 1)


def test_a_device_without_memory_for_the_model_is_not_used_at_all(
    folder: ModelFolder, word: Feed, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(FakeCuda):
        def host_block(self, size: int, dtype: Any) -> Any:
            raise no_memory()

    with caplog.at_level(logging.WARNING):
        network = TorchNetwork(folder, threads=1, find=Full)
    assert "the processor speaks" in caplog.text
    assert not network.is_half
    assert len(network.run(word, Stop())[0])


def test_a_broken_driver_is_no_obstacle(folder: ModelFolder, caplog: pytest.LogCaptureFixture) -> None:
    def find() -> None:
        raise RuntimeError("found no NVIDIA driver on your system")

    with caplog.at_level(logging.WARNING):
        assert TorchNetwork(folder, threads=1, find=find).device == "cpu"
    assert "CUDA can't be used" in caplog.text


@pytest.mark.parametrize(
    ("message", "lost"),
    [
        ("CUDA error: an illegal memory access was encountered", True),
        ("cuDNN error: CUDNN_STATUS_ALLOC_FAILED", True),
        ("NVML_SUCCESS == r INTERNAL ASSERT FAILED", True),
        ("mat1 and mat2 shapes cannot be multiplied", False),
    ],
)
def test_a_lost_device_is_told_by_what_its_libraries_say(message: str, lost: bool) -> None:
    assert is_lost(RuntimeError(message)) is lost
    assert not is_lost(ValueError(message))
