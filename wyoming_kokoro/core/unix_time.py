"""What day it is, for what depends on it: a clock that stands behind its own records is not believed."""

from __future__ import annotations

import asyncio

from wyoming_kokoro.model.ids import JOBS, PROGRESS_DONE
from wyoming_kokoro.ports import Clock, Log

HOUR_MS = 60 * 60 * 1000
DAY_MS = 24 * HOUR_MS


async def unix_now_ms(log: Log, clock: Clock) -> int:
    """The later of the clock and the newest record; a record more than a day ahead of the clock does not count."""
    clock_ms = clock.now_ms()
    newest = await asyncio.gather(*(log.read_back(stream, limit=1) for stream in (JOBS, PROGRESS_DONE)))
    stamps = [sequenced.timestamp_ms for records in newest for sequenced in records]
    return max([clock_ms, *(stamp for stamp in stamps if stamp - clock_ms <= DAY_MS)])
