"""Wakes those who wait for a change."""

from __future__ import annotations

import asyncio


class Signal:
    """Counts changes, so that none is missed between looking and waiting."""

    def __init__(self) -> None:
        self._count = 0
        self._event = asyncio.Event()

    @property
    def count(self) -> int:
        """How many changes there were."""
        return self._count

    def notify(self) -> None:
        """Something changed."""
        self._count += 1
        self._event.set()
        self._event = asyncio.Event()

    async def wait(self, seen: int) -> None:
        """Return once there were more than `seen` changes."""
        while self._count <= seen:
            await self._event.wait()
