"""A CUDA device that is not there: the processor computes, results come as late as from a device, and memory can run out."""

from __future__ import annotations

import math
from typing import Any


class FakeCuda:
    """Implements `CudaDriver`. What is copied is nonsense until `synchronize`, as it may be on a real device."""

    name = "cpu"

    def __init__(self) -> None:
        self.blocks: list[Any] = []
        self.failures: list[Exception] = []
        """Raised one by one instead of the next copies."""
        self.synchronised = 0
        self.emptied = 0
        self._under_way: list[tuple[Any, Any]] = []

    def host_block(self, size: int, dtype: Any) -> Any:
        """Ordinary memory: nothing here could write to it behind our back anyway."""
        import torch

        self.blocks.append(torch.full((size,), math.nan, dtype=dtype))
        return self.blocks[-1]

    def copy(self, block: Any, tensor: Any) -> None:
        """Only remembered."""
        if self.failures:
            raise self.failures.pop(0)
        block[: tensor.numel()] = math.nan
        self._under_way.append((block, tensor))

    def synchronize(self) -> None:
        """All that was remembered arrives."""
        self.synchronised += 1
        for block, tensor in self._under_way:
            block[: tensor.numel()].copy_(tensor)
        self._under_way.clear()

    def empty_cache(self) -> None:
        """Counted."""
        self.emptied += 1


def check_driver(driver: Any) -> None:
    """What every `CudaDriver` promises (`benchmarks/gpu.py` asks a real one): an AssertionError where it does not."""
    import torch

    block = driver.host_block(8, torch.float32)
    assert block.device.type == "cpu"
    first, second = (torch.arange(size, dtype=torch.float32).to(driver.name) for size in (8, 3))
    driver.copy(block, first)
    driver.synchronize()
    assert block.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    driver.copy(block, second + 5)
    driver.synchronize()
    assert block[:3].tolist() == [5, 6, 7]
    driver.empty_cache()
