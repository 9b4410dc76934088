"""What can be written into the file, within a transaction that somebody else begins and ends. Everything here blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.journal.sqlite import queries
from wyoming_kokoro.journal.sqlite.headers import pack_headers
from wyoming_kokoro.journal.stream_state import StreamState
from wyoming_kokoro.journal.timestamps import DAY_MS, Timestamps
from wyoming_kokoro.model.errors import StorageFullError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.ports import Lost, Won

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from wyoming_kokoro.journal.batch import Batch
    from wyoming_kokoro.model.position import SeqNum
    from wyoming_kokoro.ports import Clock

SWEPT_AT_ONCE = 256
"""How many trimmed records one transaction deletes at most; the rest is a chore."""


class _Row(NamedTuple):
    stream_id: int
    swept: SeqNum
    state: StreamState


class Unswept(NamedTuple):
    """Records from `swept` up to `first` are trimmed and still there."""

    stream_id: int
    swept: SeqNum
    first: SeqNum


class Ledger:
    """Appends and claims on a connection."""

    def __init__(self, connection: sqlite3.Connection, clock: Clock) -> None:
        """The clock's `now_ms` is called in the writer's thread."""
        self.connection = connection
        query = "SELECT coalesce(max(newest_ms), 0) FROM streams WHERE newest_ms <= ?"
        (newest_ms,) = connection.execute(query, (clock.now_ms() + DAY_MS,)).fetchone()
        self._timestamps = Timestamps(clock, newest_ms)

    def append(self, stream: str, batch: Batch, match_seq_num: SeqNum | None, fencing_token: str | None) -> Ack:
        """Write the batch, or raise the mismatch."""
        row = self._find(stream)
        state = StreamState() if row is None else row.state
        state.judge(stream, match_seq_num, fencing_token)
        return self._write(stream, row, batch)

    def restore(self, stream: str, batch: Batch, start: SeqNum, stamps: Sequence[int]) -> Ack:
        """Write the batch with the timestamps that it had, one each, or raise the mismatch."""
        row = self._find(stream)
        state = StreamState() if row is None else row.state
        state.judge(stream, start, None)
        return self._write(stream, row, batch, stamps)

    def claim(self, stream: str, batch: Batch) -> Won | Lost:
        """Write the batch where nothing ever was, or tell who was first."""
        row = self._find(stream)
        if row is None or row.state.tail == 0:
            return Won(self._write(stream, row, batch))
        return Lost(queries.first_of_ours(self.connection, stream))

    def unswept(self) -> Unswept | None:
        """A stream in which a trim has left records behind."""
        query = "SELECT id, swept, first FROM streams WHERE swept < first LIMIT 1"
        found = self.connection.execute(query).fetchone()
        return None if found is None else Unswept(*found)

    def sweep(self, unswept: Unswept) -> None:
        """Delete some of them."""
        end = min(unswept.first, unswept.swept + SWEPT_AT_ONCE)
        base = unswept.stream_id << queries.SEQ_NUM_BITS
        self.connection.execute("DELETE FROM records WHERE place >= ? AND place < ?", (base + unswept.swept, base + end))
        self.connection.execute("UPDATE streams SET swept = ? WHERE id = ?", (end, unswept.stream_id))

    def _find(self, stream: str) -> _Row | None:
        query = "SELECT id, swept, tail, first, fencing_token, newest_ms FROM streams WHERE name = ?"
        found = self.connection.execute(query, (stream.encode(),)).fetchone()
        if found is None:
            return None
        stream_id, swept, tail, first, token, newest_ms = found
        return _Row(stream_id, swept, StreamState(tail, first, token.decode(), newest_ms))

    def _write(self, stream: str, row: _Row | None, batch: Batch, stamps: Sequence[int] | None = None) -> Ack:
        row = self._create(stream) if row is None else row
        stamps = stamps or [self._timestamps.next_ms(row.state.newest_ms)] * len(batch.encoded)
        state = row.state.after(batch, stamps[-1])
        if state.tail > queries.MAX_SEQ_NUM:
            raise StorageFullError(f"{stream} has no numbers left")
        base = row.stream_id << queries.SEQ_NUM_BITS
        self.connection.executemany(
            "INSERT INTO records (place, timestamp_ms, headers, body) VALUES (?, ?, ?, ?)",
            (
                (base + seq_num, timestamp_ms, pack_headers(encoded.headers), encoded.body)
                for seq_num, (encoded, timestamp_ms) in enumerate(zip(batch.encoded, stamps, strict=True), row.state.tail)
            ),
        )
        self.connection.execute(
            "UPDATE streams SET tail = ?, first = ?, fencing_token = ?, newest_ms = ? WHERE id = ?",
            (state.tail, state.first, state.fencing_token.encode(), state.newest_ms, row.stream_id),
        )
        if row.swept < state.first:
            self.sweep(Unswept(row.stream_id, row.swept, state.first))
        return Ack(row.state.tail, state.tail)

    def _create(self, stream: str) -> _Row:
        statement = "INSERT INTO streams (name, tail, first, swept, fencing_token, newest_ms) VALUES (?, 0, 0, 0, x'', 0)"
        stream_id = self.connection.execute(statement, (stream.encode(),)).lastrowid
        if stream_id is None:
            raise StorageFullError(f"no row for {stream}")
        return _Row(stream_id, 0, StreamState())
