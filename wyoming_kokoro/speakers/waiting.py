"""Waiting for something, but not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING

from wyoming_kokoro.core.waiting import first_of

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock


async def within(clock: Clock, seconds: float, work: Coroutine[object, object, object]) -> bool:
    """Whether the work ended within that time; where not, it is cancelled. What it raises is raised here."""
    task = asyncio.ensure_future(work)
    try:
        await first_of(task, clock.sleep(seconds))
        if task.done():
            await task
            return True
        return False
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
