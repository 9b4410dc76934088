"""Where the torch model computes: the processor, or a CUDA device whose results come back through pinned blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wyoming_kokoro.engine.kokoro import Array

SAMPLES = 30 * 24_000
"""Room in the pinned block: what 510 phonemes come to stays below 30 s; a longer sound gets a larger block."""

TOKENS = 512

_SIGNS_OF_NO_MEMORY = ("out of memory", "ALLOC_FAILED", "NVML_SUCCESS", "NvMapMemAlloc")
"""How allocations fail that do not go through torch itself: CUDA's, cuDNN's and cuBLAS's own, and the Jetson's driver's."""


class Device(Protocol):
    """Takes arrays to where the model is, and its results back."""

    @property
    def name(self) -> str:
        """As torch calls it."""
        ...

    @property
    def halves(self) -> bool:
        """Whether half precision may be faster there."""
        ...

    def put(self, array: NDArray[Any]) -> Any:
        """A tensor of it on the device."""
        ...

    def fetch(self, samples: Any, durations: Any) -> tuple[Array, Array]:
        """Both as arrays of floats that nobody else will write to."""
        ...


class CudaDriver(Protocol):
    """The part of CUDA that is not done by moving a model to a device."""

    @property
    def name(self) -> str:
        """Of the device, for torch."""
        ...

    def host_block(self, size: int, dtype: Any) -> Any:
        """A tensor on the host that the device can write to by itself."""
        ...

    def copy(self, block: Any, tensor: Any) -> None:
        """Begin to copy a tensor to the start of a block; done after the next `synchronize`."""
        ...

    def synchronize(self) -> None:
        """Wait for all that was begun. Raises what went wrong meanwhile."""
        ...

    def empty_cache(self) -> None:
        """Give back to the device what torch keeps of its memory."""
        ...


class Cpu:
    """Implements `Device`."""

    name = "cpu"
    halves = False

    def put(self, array: NDArray[Any]) -> Any:
        """No copy is needed."""
        import torch

        return torch.from_numpy(array)

    def fetch(self, samples: Any, durations: Any) -> tuple[Array, Array]:
        """They are there already."""
        return samples.numpy(), durations.float().numpy()


class Cuda:
    """Implements `Device`. For one sentence at a time."""

    halves = True

    def __init__(self, driver: CudaDriver) -> None:
        """Takes its blocks, which may fail as any allocation may."""
        import torch

        self._driver = driver
        self._samples = driver.host_block(SAMPLES, torch.float32)
        self._durations = driver.host_block(TOKENS, torch.float32)

    @property
    def name(self) -> str:
        """The driver's."""
        return self._driver.name

    def put(self, array: NDArray[Any]) -> Any:
        """A few hundred bytes."""
        import torch

        return torch.from_numpy(array).to(self.name)

    def fetch(self, samples: Any, durations: Any) -> tuple[Array, Array]:
        """Copy both into the blocks, wait once, and copy them out, since the next sentence writes there again."""
        if samples.numel() > self._samples.numel():
            self._samples = self._driver.host_block(samples.numel(), self._samples.dtype)
        self._driver.copy(self._samples, samples.float())
        self._driver.copy(self._durations, durations.float())
        self._driver.synchronize()
        return _out_of(self._samples, samples.numel()), _out_of(self._durations, durations.numel())


class TorchCuda:
    """Implements `CudaDriver` by torch's own CUDA, on the current device."""

    name = "cuda"

    def host_block(self, size: int, dtype: Any) -> Any:
        """Page-locked."""
        import torch

        return torch.empty(size, dtype=dtype, pin_memory=True)

    def copy(self, block: Any, tensor: Any) -> None:
        """On the current stream, behind what computes the tensor."""
        block[: tensor.numel()].copy_(tensor, non_blocking=True)

    def synchronize(self) -> None:
        """The current stream is all that is used."""
        import torch

        torch.cuda.current_stream().synchronize()

    def empty_cache(self) -> None:
        """What nothing uses."""
        import torch

        torch.cuda.empty_cache()


def found_cuda() -> CudaDriver | None:
    """A CUDA device, or None where torch sees none."""
    import torch

    return TorchCuda() if torch.cuda.is_available() else None


def is_lost(error: BaseException) -> bool:
    """Whether the device has no memory left, or is in a state that it does not come out of within this process."""
    import torch

    if isinstance(error, torch.OutOfMemoryError):
        return True
    text = str(error)
    return isinstance(error, RuntimeError) and ("CUDA error" in text or any(sign in text for sign in _SIGNS_OF_NO_MEMORY))


def _out_of(block: Any, size: int) -> NDArray[np.float32]:
    values: NDArray[np.float32] = block[:size].numpy().copy()
    return values
