"""The official model in torch: on CUDA where there is a device, on the processor elsewhere and after the device has failed."""

from __future__ import annotations

import hashlib
import logging
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from wyoming_kokoro.engine.half_precision import EQUAL_DECIBELS, HalfPrecision, distance_decibels
from wyoming_kokoro.engine.kokoro import THREE_LENGTHS, Feed
from wyoming_kokoro.engine.official_model import load_model
from wyoming_kokoro.engine.phonemes import Phonemes
from wyoming_kokoro.engine.speech_model import Stop, StoppedError
from wyoming_kokoro.engine.styles import Styles
from wyoming_kokoro.engine.torch_checkpoint import checkpoint
from wyoming_kokoro.engine.torch_device import Cpu, Cuda, Device, found_cuda, is_lost
from wyoming_kokoro.model.errors import SynthesisError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.engine.kokoro import Array
    from wyoming_kokoro.engine.model_folder import ModelFolder
    from wyoming_kokoro.engine.torch_device import CudaDriver

_LOGGER = logging.getLogger(__name__)


class TorchNetwork:
    """Implements `Network`. One sentence at a time: the noise comes from a generator that all of torch shares."""

    def __init__(
        self,
        folder: ModelFolder,
        *,
        threads: int,
        precision: str = "auto",
        find: Callable[[], CudaDriver | None] = found_cuda,
    ) -> None:
        """`precision` f32 rules half precision out. Raises `EngineUnavailableError`."""
        self._folder = folder
        self._threads = threads
        self._turn = threading.Lock()
        self._stop = Stop()
        self._device: Device = Cpu()
        self._load()
        self._driver = _first_use(find)
        if self._driver is not None:
            self._move(self._driver, precision)
        _LOGGER.info("torch computes on %s in %s", self._device.name, "16 bit" if self.is_half else "32 bit")

    @property
    def device(self) -> str:
        """What it computes on now."""
        return self._device.name

    @property
    def is_half(self) -> bool:
        """Whether the generator computes in half precision."""
        return self._half is not None and self._half.is_on

    def run(self, feed: Feed, stop: Stop) -> tuple[Array, Array]:
        """Samples and durations. Stopped between two layers of the model."""
        with self._turn:
            stop.check()
            self._stop = stop
            try:
                return self._compute(feed)
            except StoppedError:
                raise
            except Exception as error:  # torch has many errors and no root of its own
                if not is_lost(error) or self._driver is None:
                    raise SynthesisError(f"the model can't speak {feed.tokens.size - 2} phonemes: {error}") from error
                reason = error
            # Outside of `except`: the error's traceback holds what the device has no room for.
            self._leave(str(reason))
            return self._again(feed)

    def _again(self, feed: Feed) -> tuple[Array, Array]:
        try:
            return self._compute(feed)
        except StoppedError:
            raise
        except Exception as error:  # as above
            raise SynthesisError(f"the model can't speak {feed.tokens.size - 2} phonemes: {error}") from error

    def _compute(self, feed: Feed) -> tuple[Array, Array]:
        import torch

        torch.set_num_threads(self._threads)  # a setting of each thread's own
        torch.manual_seed(seed(feed))
        with torch.inference_mode():
            samples, durations = self._model.forward_with_tokens(
                self._device.put(feed.tokens), self._device.put(feed.style), float(feed.speed[0])
            )
            return self._device.fetch(samples, durations)

    def _load(self) -> None:
        """The model on the processor, from its file: nothing of what a failed device held is needed."""
        self._half: HalfPrecision | None = None
        self._model: Any = load_model(checkpoint(self._folder))
        for module in self._model.modules():
            if not any(True for _ in module.children()):
                module.register_forward_pre_hook(self._check)

    def _check(self, _module: Any, _inputs: Any) -> None:
        self._stop.check()

    def _move(self, driver: CudaDriver, precision: str) -> None:
        """To the device, in the precision that is right there; back again where it has no room."""
        import torch

        torch.backends.cudnn.benchmark = False  # it would measure anew for every length
        torch.backends.cudnn.deterministic = True
        try:
            self._model.to(driver.name)
            self._device = Cuda(driver)
            self._half = HalfPrecision(self._model, driver.name)
            if precision != "f32":
                self._half.is_on = self._is_half_equal(self._half)
        except Exception as error:
            if not is_lost(error):
                raise
            self._leave(str(error))

    def _is_half_equal(self, half: HalfPrecision) -> bool:
        """Measured on three lengths, which warms the device up, too."""
        for text in THREE_LENGTHS:
            feed = self._feed(text)
            half.is_on = False
            exact, durations = self._compute(feed)
            half.is_on = True
            other, others = self._compute(feed)
            decibels = distance_decibels(exact, other) if np.array_equal(durations, others) else 0.0
            _LOGGER.info("half precision differs at %.0f dB below %d phonemes", decibels, feed.tokens.size - 2)
            if decibels < EQUAL_DECIBELS:
                _LOGGER.warning("half precision is not used: it would be heard (%.0f dB, not %.0f)", decibels, EQUAL_DECIBELS)
                return False
        return True

    def _feed(self, text: str) -> Feed:
        tokens = Phonemes(text).tokens
        return Feed(
            tokens=np.array([[0, *tokens, 0]], np.int64),
            style=Styles(self._folder).style("af_heart", len(tokens)),
            speed=np.ones(1, np.float32),
        )

    def _leave(self, reason: str) -> None:
        """Compute on the processor from now on."""
        _LOGGER.warning("%s is given up, the processor speaks from now on: %s", self._driver and self._driver.name, reason)
        driver, self._driver = self._driver, None
        self._device = Cpu()
        self._load()
        if driver is not None:
            _let_go(driver)


def seed(feed: Feed) -> int:
    """From all that the model is given, so that the same sentence gets the same noise."""
    digest = hashlib.sha256()
    for each in feed:
        digest.update(each.tobytes())
    return int.from_bytes(digest.digest()[:8], "big") >> 1


def _first_use(find: Callable[[], CudaDriver | None]) -> CudaDriver | None:
    try:
        return find()
    except RuntimeError as error:
        _LOGGER.warning("CUDA can't be used: %s", error)
        return None


def _let_go(driver: CudaDriver) -> None:
    try:
        driver.empty_cache()
    except RuntimeError as error:
        _LOGGER.debug("what the device held can't be given back: %s", error)
