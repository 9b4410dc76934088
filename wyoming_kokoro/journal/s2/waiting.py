"""Waiting for what may not notice that it is cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


async def apart(work: Coroutine[Any, Any, T]) -> T:
    """What it returns, from a task of its own: before Python 3.12 `wait_for`, which the SDK uses, may take a cancellation that
    comes with the result for none. Whoever waits here is cancelled all the same."""
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait([working])
    finally:
        if not working.done():
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
    return working.result()
