"""Memory that the C library keeps for later, given back to the machine."""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Give back what is free; nothing happens where the C library is not glibc. Milliseconds; lets other threads run."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
