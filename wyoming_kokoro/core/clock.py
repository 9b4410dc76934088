"""Real time."""

from __future__ import annotations

import asyncio
import os
import time


class SystemClock:
    """ports.Clock on the machine's clocks; its monotonic time is the event loop's, so virtual time works too."""

    def now_ms(self) -> int:
        """Unix time in milliseconds."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)

    def entropy(self, size: int) -> bytes:
        """That many bytes from the system's generator."""
        return os.urandom(size)
