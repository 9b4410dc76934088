"""What was begun for a client is finished, also when the client hangs up in the midst of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def sheltered(work: Coroutine[Any, Any, T]) -> T:
    """Await the work; being cancelled leaves it going, and then its failure is nobody's concern."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return await asyncio.shield(task)
