"""Counts the writes that were begun, so that a journal can finish them before it closes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class UnderWay:
    """Enter it for every write."""

    def __init__(self) -> None:
        self._count = 0
        self._none_left = asyncio.Event()
        self._none_left.set()

    def __enter__(self) -> None:
        self._count += 1
        self._none_left.clear()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._count -= 1
        if self._count == 0:
            self._none_left.set()

    async def ended(self) -> None:
        """Return once all of them have left it."""
        await self._none_left.wait()
