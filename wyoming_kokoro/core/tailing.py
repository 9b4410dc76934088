"""A place at the end of a stream: waits for the next record, and may stop waiting without losing any."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Sequenced
from wyoming_kokoro.ports import Log


class Tailing:
    """Every durable record of a stream from `start` on, in order. Close it."""

    def __init__(self, log: Log, stream: str, start: Cursor) -> None:
        self._records = log.follow(stream, start)
        self._arriving: asyncio.Task[Sequenced] | None = None

    async def next_record(
        self, *, within_seconds: float | None, unless: Coroutine[object, object, None] | None = None
    ) -> Sequenced | None:
        """The next record, or None when that time is over or `unless` has ended. Raises what following the stream raises."""
        if self._arriving is None:
            self._arriving = asyncio.ensure_future(anext(self._records))
        awaited: list[asyncio.Task[Sequenced] | asyncio.Task[None]] = [self._arriving]
        if unless is not None:
            awaited.append(asyncio.ensure_future(unless))
        try:
            await asyncio.wait(awaited, timeout=within_seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for other in awaited[1:]:
                other.cancel()
        if not self._arriving.done():
            return None
        arrived, self._arriving = self._arriving, None
        return arrived.result()

    async def close(self) -> None:
        """Let go of the log. Idempotent."""
        if self._arriving is not None:
            self._arriving.cancel()
            await asyncio.gather(self._arriving, return_exceptions=True)
            self._arriving = None
        await self._records.aclose()
