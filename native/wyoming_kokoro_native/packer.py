"""Writes the file of packed weights: whole or not at all."""

from __future__ import annotations

import contextlib
import ctypes
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wyoming_kokoro_native.arrays import pointer
from wyoming_kokoro_native.library import check, library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from wyoming_kokoro_native.choice import Choice


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bytes:
    """Weights [outputs, inputs, taps] of a convolution; each stands for (value - zero) * scale."""

    values: NDArray[np.uint8]
    scale: float
    zero: int


class Packer:
    """One file that is being written."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self._handle = handle

    def vector(self, name: str, values: NDArray[np.float32]) -> None:
        """Floats as they are; their shape is forgotten."""
        flat = np.ascontiguousarray(values, np.float32).ravel()
        check(library().kokoro_packer_vector(self._handle, name.encode("utf-8"), pointer(flat), len(flat)))

    def convolution(
        self,
        name: str,
        weights: Bytes | NDArray[np.float32],
        bias: NDArray[np.float32] | None = None,
        *,
        dilation: int = 1,
        is_main: bool = False,
    ) -> None:
        """A convolution with stride 1 and weights [outputs, inputs, taps]; `is_main` for those that precision is about."""
        values = np.ascontiguousarray(weights.values if isinstance(weights, Bytes) else weights)
        outputs, inputs, taps = values.shape
        if bias is not None:
            bias = np.ascontiguousarray(bias, np.float32)
            if bias.shape != (outputs,):
                raise ValueError(f"{name}: {bias.shape} biases for {outputs} outputs")
        shape = (outputs, inputs, taps, dilation)
        if isinstance(weights, Bytes):
            rest = (weights.scale, weights.zero, pointer(bias), int(is_main))
            check(library().kokoro_packer_bytes(self._handle, name.encode("utf-8"), pointer(values), *shape, *rest))
        else:
            values = np.ascontiguousarray(values, np.float32)
            check(library().kokoro_packer_floats(self._handle, name.encode("utf-8"), pointer(values), *shape, pointer(bias)))


@contextlib.contextmanager
def pack(path: Path, choice: Choice, fingerprint: str) -> Iterator[Packer]:
    """The file at `path`, there as soon as the block is left without an error.

    Raises `OSError` and `NativeError` where it can't be written.
    """
    descriptor, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.close(descriptor)
    try:
        with _opened(Path(part), choice, fingerprint) as packer:
            yield packer
        Path(part).chmod(0o644)
        Path(part).replace(path)
    finally:
        Path(part).unlink(missing_ok=True)


@contextlib.contextmanager
def _opened(path: Path, choice: Choice, fingerprint: str) -> Iterator[Packer]:
    handle = ctypes.c_void_p()
    names = [text.encode("utf-8") for text in (str(path), choice.level, choice.precision, fingerprint)]
    check(library().kokoro_packer_open(*names, ctypes.byref(handle)))
    try:
        yield Packer(handle)
    except BaseException:
        library().kokoro_packer_close(handle, 0)
        raise
    check(library().kokoro_packer_close(handle, 1))
