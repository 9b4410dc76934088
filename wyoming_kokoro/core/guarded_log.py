"""The journal as the core uses it: refusals are counted, and while there is no room only what frees some gets through."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence

from wyoming_kokoro.core.metrics import Counter, Metrics
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogUnavailableError, StorageFullError
from wyoming_kokoro.model.ids import JOBS_CURSOR, PROGRESS_DONE, ROOM_RECEIPTS
from wyoming_kokoro.model.position import Ack, Cursor, SeqNum
from wyoming_kokoro.model.records import Cancel, Record, Sequenced, Trim
from wyoming_kokoro.ports import Log, Lost, Usage, Won


class GuardedLog:
    """`ports.Log` round another one.

    The first append that meets a full journal closes it for whatever asks for room: what the reserve gives up belongs to
    retention. Every later append tries first whether the reserve can be made again; when it can, all is as before.
    """

    def __init__(self, log: Log, metrics: Metrics) -> None:
        self._log = log
        self._metrics = metrics
        self._turn = asyncio.Lock()
        self._is_short = False
        self._is_relieving = False
        self.shortage = Signal()
        """Notified when the journal has met its end."""

    @property
    def is_short(self) -> bool:
        """Whether there is no room, as far as is known."""
        return self._is_short

    @contextlib.asynccontextmanager
    async def relief(self) -> AsyncIterator[None]:
        """Within it the reserve is given up, for what frees room; afterwards it is made again if that can be."""
        async with self._turn:
            self._is_relieving = self._is_short = True
            try:
                await self._log.make_room()
                yield
            finally:
                self._is_relieving = False
                self._is_short = not await self._log.restore_room()

    @contextlib.asynccontextmanager
    async def removing(self) -> AsyncIterator[None]:
        """Round what removes something by command: with `relief` where there is no room."""
        if not self._is_short:
            yield
            return
        async with self.relief():
            yield

    async def try_again(self) -> bool:
        """Whether there is room again; the reserve is made where it lacks."""
        async with self._turn:
            if self._is_short:
                self._is_short = not await self._log.restore_room()
            return not self._is_short

    @property
    def exclusive(self) -> bool:
        """As the journal inside."""
        return self._log.exclusive

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """See `ports.Log`."""
        if self._is_short and not _frees_room(stream, records):
            await self._insist()
        with self._counted():
            return await self._log.append(stream, records, match_seq_num=match_seq_num, fencing_token=fencing_token)

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """See `ports.Log`."""
        if self._is_short:
            await self._insist()
        with self._counted():
            return await self._log.claim(stream, records)

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        return await self._log.read(stream, start, limit=limit)

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        return await self._log.read_back(stream, before=before, limit=limit)

    def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """See `ports.Log`."""
        return self._log.follow(stream, start)

    async def check_tail(self, stream: str) -> SeqNum:
        """See `ports.Log`."""
        return await self._log.check_tail(stream)

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """See `ports.Log`."""
        return await self._log.list_streams(prefix, start_after=start_after, limit=limit)

    async def usage(self) -> Usage:
        """See `ports.Log`."""
        return await self._log.usage()

    async def make_room(self) -> None:
        """See `ports.Log`; `relief` is what keeps it for those who need it."""
        await self._log.make_room()

    async def restore_room(self) -> bool:
        """See `ports.Log`."""
        return await self._log.restore_room()

    async def close(self) -> None:
        """See `ports.Log`."""
        await self._log.close()

    async def _insist(self) -> None:
        """Return when there is room again; refuse otherwise, and at once while retention is at it."""
        if self._is_relieving or not await self.try_again():
            self._metrics.count(Counter.log_refusals_total, "full")
            raise StorageFullError("there is no room left for the journal")

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        try:
            yield
        except StorageFullError:
            self._metrics.count(Counter.log_refusals_total, "full")
            self._is_short = True
            self.shortage.notify()
            raise
        except LogUnavailableError:
            self._metrics.count(Counter.log_refusals_total, "away")
            raise
        except AppendOutcomeUnknownError:
            self._metrics.count(Counter.log_refusals_total, "unknown")
            raise


def _frees_room(stream: str, records: Sequence[Record]) -> bool:
    """Whether it leads to less being stored, or says that something has ended."""
    is_receipt = stream in (PROGRESS_DONE, JOBS_CURSOR) or ROOM_RECEIPTS.fullmatch(stream) is not None
    return is_receipt or any(isinstance(record, Trim | Cancel) for record in records)
