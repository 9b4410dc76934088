"""What can be asked of the file. Each is one statement, so it sees one state; everything here blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.journal.codec import decode
from wyoming_kokoro.journal.sqlite.headers import unpack_headers
from wyoming_kokoro.model.records import COMMANDS, Sequenced, Unreadable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from wyoming_kokoro.model.position import Cursor, SeqNum

SEQ_NUM_BITS = 36
MAX_SEQ_NUM = (1 << SEQ_NUM_BITS) - 1

_READ_BYTES = 1024 * 1024

_FORWARDS = f"""
    SELECT records.place, records.timestamp_ms, records.headers, records.body
    FROM streams CROSS JOIN records
      ON records.place >= (streams.id << {SEQ_NUM_BITS}) + max(streams.first, ?)
     AND records.place < (streams.id << {SEQ_NUM_BITS}) + streams.tail
    WHERE streams.name = ? ORDER BY records.place LIMIT ?"""  # noqa: S608  (only our own constant is put in)
_BACKWARDS = f"""
    SELECT records.place, records.timestamp_ms, records.headers, records.body
    FROM streams CROSS JOIN records
      ON records.place >= (streams.id << {SEQ_NUM_BITS}) + streams.first
     AND records.place < (streams.id << {SEQ_NUM_BITS}) + min(streams.tail, ?)
    WHERE streams.name = ? ORDER BY records.place DESC LIMIT ?"""  # noqa: S608  (only our own constant is put in)
_NAMES = "SELECT name FROM streams WHERE name >= ? AND name > ? AND (? OR name < ?) ORDER BY name LIMIT ?"


def read(connection: sqlite3.Connection, stream: str, start: Cursor, limit: int) -> list[Sequenced]:
    """Records from `start` on, at most `limit`, and no more than follow the first about 1 MiB of bodies."""
    found: list[Sequenced] = []
    size_bytes = 0
    rows = connection.execute(_FORWARDS, (_within(start), stream.encode(), max(0, limit)))
    try:
        for row in rows:
            found.append(_record(row))
            size_bytes += len(row[3])
            if size_bytes >= _READ_BYTES:
                break
    finally:
        rows.close()  # an open statement would hold its snapshot
    return found


def read_back(connection: sqlite3.Connection, stream: str, before: Cursor | None, limit: int) -> list[Sequenced]:
    """The newest records below `before`, newest first."""
    top = MAX_SEQ_NUM if before is None else _within(before)
    rows = connection.execute(_BACKWARDS, (top, stream.encode(), max(0, limit))).fetchall()
    return [_record(row) for row in rows]


def first_of_ours(connection: sqlite3.Connection, stream: str) -> Sequenced | None:
    """The first record that can be read and is not a command."""
    for row in _all_rows(connection, stream):
        record = _record(row)
        if not isinstance(record.record, (*COMMANDS, Unreadable)):
            return record
    return None


def tail(connection: sqlite3.Connection, stream: str) -> SeqNum:
    """Number that the next record will get."""
    row = connection.execute("SELECT tail FROM streams WHERE name = ?", (stream.encode(),)).fetchone()
    return int(row[0]) if row else 0


def names(connection: sqlite3.Connection, prefix: str, start_after: str, limit: int) -> list[str]:
    """Names of streams, in byte order."""
    low = prefix.encode()
    above = low[:-1] + bytes([low[-1] + 1]) if low else b""  # the last byte of UTF-8 is never 0xFF
    parameters = (low, start_after.encode(), not low, above, max(0, limit))
    return [bytes(row[0]).decode() for row in connection.execute(_NAMES, parameters).fetchall()]


def _all_rows(connection: sqlite3.Connection, stream: str) -> Iterator[tuple[int, int, bytes, bytes]]:
    rows = connection.execute(_FORWARDS, (0, stream.encode(), -1))
    try:
        yield from rows
    finally:
        rows.close()


def _within(cursor: Cursor) -> int:
    return min(max(0, cursor), MAX_SEQ_NUM)


def _record(row: tuple[int, int, bytes, bytes]) -> Sequenced:
    place, timestamp_ms, packed, body = row
    try:
        record = decode(unpack_headers(packed), body)
    except ValueError as error:
        record = Unreadable(str(error))
    return Sequenced(place & MAX_SEQ_NUM, timestamp_ms, record)
