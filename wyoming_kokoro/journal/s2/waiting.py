"""Waiting for whichever comes first, and for what may not notice that it is cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")


async def first_of(*works: asyncio.Future[Any] | Coroutine[Any, Any, object]) -> None:
    """Return when one of them has ended, however; the coroutines among the others are cancelled, futures go on."""
    mine = [asyncio.ensure_future(work) for work in works if not isinstance(work, asyncio.Future)]
    others = [work for work in works if isinstance(work, asyncio.Future)]
    try:
        await asyncio.wait([*mine, *others], return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)


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
