"""Receipts and the committed watermark: says what became of each job, exactly once."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Sequence

from wyoming_kokoro.core.backlog import Backlog
from wyoming_kokoro.core.feeds import Feeds
from wyoming_kokoro.core.reading import read_last, read_through
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.watermark import WatermarkTracker
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    LogError,
    LogUnavailableError,
    SeqNumMismatchError,
    StorageFullError,
)
from wyoming_kokoro.model.ids import JOBS, JOBS_CURSOR, PROGRESS_DONE
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Receipt, Record, Sequenced, Trim, Watermark
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)

_COMMIT_SECONDS = 1.0
"""The watermark only saves reading after a restart, so it is not committed more often than this."""


async def recover(log: Log) -> Backlog:
    """Read `jobs` and `progress/done` from the committed watermark to their tails: that is all that recovery is."""
    committed, _ = await read_last(log, JOBS_CURSOR, Watermark)
    jobs_tail, done_tail = await asyncio.gather(log.check_tail(JOBS), log.check_tail(PROGRESS_DONE))
    tracker = WatermarkTracker.resume(committed, jobs_tail=jobs_tail, done_tail=done_tail)
    if committed is not None and tracker.jobs != committed.jobs:
        _LOGGER.warning("the committed watermark %s lies above the log; reading it from its beginning", committed)
    backlog = Backlog(watermark=tracker, jobs_tail=tracker.jobs)
    async for sequenced in read_through(log, PROGRESS_DONE, tracker.done_tail):
        backlog.add_receipt(sequenced)
    async for sequenced in read_through(log, JOBS, backlog.jobs_tail):
        backlog.add_job(sequenced)
    return backlog


class Settling:
    """Writes receipts and the watermark; several workers may share the streams."""

    def __init__(self, log: Log, clock: Clock, backlog: Backlog, feeds: Feeds) -> None:
        self._log = log
        self._clock = clock
        self._backlog = backlog
        self._feeds = feeds
        self._turn = asyncio.Lock()
        self._committing = asyncio.Lock()
        self._committed = Watermark(0, 0)
        """What is known to be committed; the first look at the log says more."""
        self._cursor_tail: Cursor | None = None
        self.settled = Signal()
        """Notified after every receipt that was taken in."""
        self._observers: list[Callable[[Sequenced], None]] = []

    def watch(self, observer: Callable[[Sequenced], None]) -> None:
        """Be told of every record of `progress/done` that is taken in from now on, in order."""
        self._observers.append(observer)

    def take_in(self, sequenced: Sequenced) -> None:
        """A record of `progress/done`, ours or another worker's."""
        if sequenced.seq_num < self._backlog.watermark.done_tail:
            return
        cast_id = self._backlog.add_receipt(sequenced)
        for observer in self._observers:
            observer(sequenced)
        self.settled.notify()
        if cast_id is not None:
            self._feeds.notify(cast_id)

    async def settle(self, receipt: Receipt) -> bool:
        """Append the receipt for those of its jobs that are not settled yet; returns whether any was left.

        Tries until it is written: a receipt that gets lost would have the cast made again after the next start.
        """
        backoff = Backoff(self._clock)
        while True:
            try:
                async with self._turn:
                    return await self._settle(receipt)
            except (AppendOutcomeUnknownError, LogUnavailableError, StorageFullError):
                # Others have their turn meanwhile: what they want may be just what gets through.
                await backoff.wait()

    async def _settle(self, receipt: Receipt) -> bool:
        while True:
            jobs = tuple(job for job in receipt.jobs if not self._backlog.watermark.is_settled(job))
            if not jobs:
                return False
            left = dataclasses.replace(receipt, jobs=jobs)
            try:
                ack = await self._log.append(PROGRESS_DONE, [left], match_seq_num=self._backlog.watermark.done_tail)
            except SeqNumMismatchError:
                await self._catch_up()
            else:
                self.take_in(Sequenced(ack.start, self._clock.now_ms(), left))
                return True

    async def append(self, records: Sequence[Record], *, unless: Callable[[], bool] = lambda: False) -> None:
        """Append what settles no job: that casts have expired, or older receipts again with the trim of their first place.

        Nothing is appended where `unless` says so, with every receipt before the place in question taken in.
        Raises `LogError`; then it may have been written all the same, which does no harm.
        """
        async with self._turn:
            while not unless():
                try:
                    ack = await self._log.append(PROGRESS_DONE, records, match_seq_num=self._backlog.watermark.done_tail)
                except SeqNumMismatchError:
                    await self._catch_up()
                    continue
                for seq_num, record in enumerate(records, ack.start):
                    self.take_in(Sequenced(seq_num, self._clock.now_ms(), record))
                return

    async def _catch_up(self) -> None:
        async for sequenced in read_through(self._log, PROGRESS_DONE, self._backlog.watermark.done_tail):
            self.take_in(sequenced)

    async def follow(self) -> None:
        """Take in the receipts of other workers; never returns."""
        async for sequenced in self._log.follow(PROGRESS_DONE, self._backlog.watermark.done_tail):
            self.take_in(sequenced)

    async def commit_forever(self) -> None:
        """Commit the watermark whenever it has moved; never returns."""
        while True:
            seen = self.settled.count
            if await self.commit():
                await self.settled.wait(seen)
            await self._clock.sleep(_COMMIT_SECONDS)

    async def commit(self) -> bool:
        """Commit the watermark if it has moved; returns False where the log does not let it now.

        Whoever is first wins, and it only moves forward.
        """
        try:
            async with self._committing:
                await self._commit()
        except LogError as error:
            _LOGGER.debug("the watermark is not committed yet: %s", error)
            self._cursor_tail = None
            return False
        return True

    async def _commit(self) -> None:
        mark = self._backlog.watermark.committable
        while mark.jobs > self._committed.jobs:
            if self._cursor_tail is None:
                found, self._cursor_tail = await read_last(self._log, JOBS_CURSOR, Watermark)
                if found is not None and await self._is_ahead(found, mark):
                    self._committed = found
                    return
            tail = self._cursor_tail
            try:
                ack = await self._log.append(JOBS_CURSOR, [mark, Trim(tail)], match_seq_num=tail)
            except SeqNumMismatchError:
                self._cursor_tail = None
            else:
                self._cursor_tail = ack.tail
                self._committed = mark

    async def _is_ahead(self, found: Watermark, mark: Watermark) -> bool:
        """Whether somebody committed as much; a place above the log itself was not committed for this log.

        The log is asked: a worker that was away knows less of it than those who went on.
        """
        return mark.jobs <= found.jobs <= await self._log.check_tail(JOBS)
