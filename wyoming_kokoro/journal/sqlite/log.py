"""The journal in one file."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

from wyoming_kokoro.journal.batch import check_address, pack
from wyoming_kokoro.journal.directory_lock import DirectoryLock
from wyoming_kokoro.journal.following import Bells, follow
from wyoming_kokoro.journal.reserve import Reserve
from wyoming_kokoro.journal.sqlite import examination, queries
from wyoming_kokoro.journal.sqlite.failures import translate
from wyoming_kokoro.journal.sqlite.ledger import Ledger
from wyoming_kokoro.journal.sqlite.reader import Reader
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME, open_for_reading, open_for_writing
from wyoming_kokoro.journal.sqlite.writer import Writer
from wyoming_kokoro.model.errors import JournalError, LogUnavailableError, StorageFullError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from wyoming_kokoro.model.position import Ack, Cursor, SeqNum
    from wyoming_kokoro.model.records import Record, Sequenced
    from wyoming_kokoro.ports import Clock, Lost, Usage, Won

_FOLLOW_RECORDS = 64


class _Files:
    """What is open while the journal is: lock, reserve and both connections. Making it blocks."""

    def __init__(self, data_dir: Path, clock: Clock) -> None:
        self.path = data_dir / FILE_NAME
        self.lock = DirectoryLock(data_dir)
        self.reserve = Reserve(data_dir)
        try:
            self.ledger, self.reading = self._open(clock)
        except JournalError:
            self.lock.release()
            raise
        self.reserve.restore()

    def _open(self, clock: Clock) -> tuple[Ledger, sqlite3.Connection]:
        writing = self._open_for_writing()
        try:
            return Ledger(writing, clock), open_for_reading(self.path)
        except sqlite3.Error as error:
            writing.close()
            raise JournalError(str(translate(error))) from error

    def _open_for_writing(self) -> sqlite3.Connection:
        try:
            return open_for_writing(self.path)
        except StorageFullError:
            self.reserve.release()
        try:
            return open_for_writing(self.path)
        except StorageFullError as error:
            raise JournalError(str(error)) from error


class SqliteLog:
    """`ports.Log` on the data directory of one process. Made by `open_sqlite`."""

    def __init__(self, files: _Files, clock: Clock) -> None:
        """Must be made in the running loop."""
        self._files = files
        self._clock = clock
        self._bells = Bells()
        self._reader = Reader(files.reading)
        self._writer = Writer(files.ledger, self._bells.ring)
        self._is_closed = False

    @property
    def exclusive(self) -> bool:
        """The data directory is locked."""
        return True

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """See `ports.Log`. Also raises `JournalError` where the file is found damaged."""
        self._check_open()
        check_address(stream, fencing_token)
        batch = pack(records)
        return await self._writer.submit(
            stream, batch, lambda ledger: ledger.append(stream, batch, match_seq_num, fencing_token)
        )

    async def restore(self, stream: str, records: Sequence[Sequenced]) -> None:
        """See `moving.Target`."""
        self._check_open()
        batch, start = pack([each.record for each in records]), records[0].seq_num
        stamps = [each.timestamp_ms for each in records]
        await self._writer.submit(stream, batch, lambda ledger: ledger.restore(stream, batch, start, stamps))

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """See `ports.Log`."""
        self._check_open()
        check_address(stream, None)
        batch = pack(records)
        return await self._writer.submit(stream, batch, lambda ledger: ledger.claim(stream, batch))

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """See `ports.Log`. Returns after about 1 MiB."""
        return await self._reader.ask(queries.read, stream, start, limit)

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        return await self._reader.ask(queries.read_back, stream, before, limit)

    def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """See `ports.Log`."""

        async def read(name: str, cursor: Cursor) -> Sequence[Sequenced]:
            return await self.read(name, cursor, limit=_FOLLOW_RECORDS)

        return follow(read, self._bells, self._clock, lambda: self._is_closed, stream, start)

    async def check_tail(self, stream: str) -> SeqNum:
        """See `ports.Log`."""
        return await self._reader.ask(queries.tail, stream)

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """See `ports.Log`."""
        return await self._reader.ask(queries.names, prefix, start_after, limit)

    async def usage(self) -> Usage:
        """See `ports.Log`."""
        return await self._reader.ask(examination.usage, self._files.path)

    async def make_room(self) -> None:
        """See `ports.Log`."""
        await asyncio.to_thread(self._files.reserve.release)
        await self._writer.tidy(encouraged=True)

    async def restore_room(self) -> bool:
        """See `ports.Log`."""
        reserve = self._files.reserve
        if not reserve.is_whole:
            # What was trimmed leaves the file first: that takes room before it gives any.
            await self._writer.tidy(encouraged=False)
        return await asyncio.to_thread(lambda: reserve.restore() and reserve.has_room_beside)

    async def close(self) -> None:
        """See `ports.Log`. Followers meet a `LogUnavailableError`."""
        self._is_closed = True
        self._bells.ring_all()
        await self._reader.close()
        await self._writer.close()
        self._files.lock.release()

    def _check_open(self) -> None:
        if self._is_closed:
            raise LogUnavailableError("the journal is closed")


async def open_sqlite(data_dir: Path, clock: Clock) -> SqliteLog:
    """Open the journal of a data directory, making both where they are missing.

    Raises `JournalError`: another server has it, a newer program made it, it is damaged, or the disk can't hold it.
    """
    files = await asyncio.to_thread(_Files, data_dir, clock)
    return SqliteLog(files, clock)
