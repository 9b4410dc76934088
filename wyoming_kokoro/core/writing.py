"""Appends one attempt's records to its cast: in order, fenced, one batch under way at a time.

The engine never waits for the disk: records that come while a batch is under way make up the next one. A lost reply is
resolved by trying again at the same place and reading back who is there.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    FencingTokenMismatchError,
    LogError,
    LogUnavailableError,
    SeqNumMismatchError,
)
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Audio, Record
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)

_BATCH_BYTES = 900_000
"""Bodies of one batch; S2 takes 1 MiB with everything."""

Landed = Callable[[Record, SeqNum], None]


class AttemptLostError(LogError):
    """Another attempt holds the cast now."""


class CastWriter:
    """The only writer of a cast while its token is in force."""

    def __init__(
        self, log: Log, clock: Clock, tasks: TaskSet, stream: str, *, token: str, tail: SeqNum, landed: Landed
    ) -> None:
        self._log = log
        self._clock = clock
        self._tasks = tasks
        self._stream = stream
        self._token = token
        self._next = tail
        self._landed = landed
        self._is_fenced = False
        self._units: deque[tuple[Record, ...]] = deque()
        self._changed = Signal()
        self._under_way: asyncio.Task[None] | None = None
        self.failure: LogError | None = None
        """Why nothing more of this attempt gets into the log."""

    @property
    def unwritten(self) -> int:
        """How many units wait or are under way."""
        return len(self._units)

    def put(self, *records: Record) -> None:
        """Have these written together, after all that was put before."""
        self._units.append(records)
        if self._under_way is None and self.failure is None:
            self._under_way = self._tasks.start(self._write(), name=f"writer[{self._stream}]")

    async def drained(self) -> None:
        """Return when all that was put is durable; raises what stopped it."""
        while self._units and self.failure is None:
            await self._changed.wait(self._changed.count)
        if self.failure is not None:
            raise self.failure

    async def _write(self) -> None:
        try:
            while self._units:
                count, records = self._batch()
                await self._append(records)
                for _ in range(count):
                    self._units.popleft()
                self._changed.notify()
        except LogError as error:
            self.failure = error
            _LOGGER.warning("%s: not written any further: %s", self._stream, error)
        finally:
            self._under_way = None
            self._changed.notify()

    def _batch(self) -> tuple[int, list[Record]]:
        """As many whole units as fit into one append."""
        records: list[Record] = []
        count = size_bytes = 0
        for unit in self._units:
            size_bytes += sum(_size(record) for record in unit)
            if records and size_bytes > _BATCH_BYTES:
                break
            records.extend(unit)
            count += 1
        return count, records

    async def _append(self, records: Sequence[Record]) -> None:
        backoff = Backoff(self._clock)
        while True:
            try:
                await self._log.append(
                    self._stream,
                    records,
                    match_seq_num=self._next,
                    fencing_token=self._token if self._is_fenced else None,
                )
                break
            except (SeqNumMismatchError, FencingTokenMismatchError) as error:
                if await self._stands(records):
                    break
                raise AttemptLostError(str(error)) from error
            except (AppendOutcomeUnknownError, LogUnavailableError):
                # At the same place it can't be written twice: either this try lands, or the one before it did.
                await backoff.wait()
        for offset, record in enumerate(records):
            self._landed(record, self._next + offset)
        self._next += len(records)
        self._is_fenced = True

    async def _stands(self, records: Sequence[Record]) -> bool:
        """Whether exactly these records are where they should be: an earlier try has landed."""
        backoff = Backoff(self._clock)
        while True:
            try:
                found = await self._log.read(self._stream, self._next, limit=len(records))
            except LogUnavailableError:
                await backoff.wait()
                continue
            return [sequenced.record for sequenced in found] == list(records)


def _size(record: Record) -> int:
    return len(record.body) + 4 * len(record.text) + 500 if isinstance(record, Audio) else 2000
