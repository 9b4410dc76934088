"""Waiting for whichever comes first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine


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
