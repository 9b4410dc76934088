"""Memory that the C library keeps for later, given back to the machine."""

from __future__ import annotations

import ctypes

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
_NEVER = 2**31 - 1
_LARGEST = (1 << 30, 1 << 25)
"""Bytes; older C libraries take the second at most."""


def give_back() -> None:
    """Give back what is free; nothing happens where the C library is not glibc. Milliseconds; lets other threads run."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def hoard() -> bool:
    """Keep all that is freed until `give_back`, large blocks, too; False where the C library is not glibc.

    For a library that takes and frees the same megabytes for every layer: fetching each page anew costs it a tenth of its time.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is None:
        return False
    is_set = any(set_option(_M_MMAP_THRESHOLD, size) for size in _LARGEST)
    return bool(is_set and set_option(_M_TRIM_THRESHOLD, _NEVER))
