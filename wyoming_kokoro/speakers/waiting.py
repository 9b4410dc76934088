"""Waiting for whichever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock


async def within(clock: Clock, seconds: float, work: Coroutine[object, object, object]) -> bool:
    """Whether the work ended within that time; where not, it is cancelled. What it raises is raised here."""
    task = asyncio.ensure_future(work)
    nap = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, nap}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            await task
            return True
        return False
    finally:
        for each in (task, nap):
            each.cancel()
        await asyncio.gather(task, nap, return_exceptions=True)
