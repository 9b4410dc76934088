"""Arrays of the shape that C expects, as pointers."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def floats(values: NDArray[np.generic], shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Those values in a row; a ValueError where they have another shape."""
    array = np.ascontiguousarray(values, np.float32)
    if array.shape != shape:
        raise ValueError(f"an array of shape {array.shape} instead of {shape}")
    return array


def pointer(array: NDArray[np.generic] | None) -> ctypes.c_void_p:
    """Where they lie; null for None. The caller keeps the array."""
    return ctypes.c_void_p(None) if array is None else array.ctypes.data_as(ctypes.c_void_p)
