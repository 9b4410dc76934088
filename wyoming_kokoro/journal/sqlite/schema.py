"""The file: its tables, its version, and how it is opened. Everything here blocks."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from wyoming_kokoro.journal.sqlite.failures import is_broken, is_full
from wyoming_kokoro.model.errors import JournalError, StorageFullError

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "journal.sqlite"
FORMAT_VERSION = 1

_BUSY_SECONDS = 5.0
_WAL_LIMIT_BYTES = 16 * 1024 * 1024

# A record's place is its stream's id and its seq_num in one number: a stream lies together, and a record is in one tree only.
_TABLES = (
    "CREATE TABLE format (version INTEGER NOT NULL)",
    """CREATE TABLE streams (
        id INTEGER PRIMARY KEY,
        name BLOB NOT NULL UNIQUE,
        tail INTEGER NOT NULL,
        first INTEGER NOT NULL,
        swept INTEGER NOT NULL,
        fencing_token BLOB NOT NULL,
        newest_ms INTEGER NOT NULL
    )""",
    "CREATE INDEX unswept ON streams (id) WHERE swept < first",
    """CREATE TABLE records (
        place INTEGER PRIMARY KEY,
        timestamp_ms INTEGER NOT NULL,
        headers BLOB NOT NULL,
        body BLOB NOT NULL
    )""",
)


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The one connection that writes; makes the file where there is none.

    `JournalError` where it is not ours, damaged, newer than this program, or where the disk can't hold it;
    `StorageFullError` where there is no room to open it.
    """
    try:
        connection = connect(path)
    except sqlite3.Error as error:
        raise JournalError(f"{path} can't be opened: {error}") from error
    try:
        _prepare(connection, path)
    except sqlite3.Error as error:
        connection.close()
        raise _opening_error(error, path) from error
    except JournalError:
        connection.close()
        raise
    return connection


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Another connection to the same file, which must exist; it can't write."""
    connection = connect(path)
    connection.execute("PRAGMA query_only = ON")
    return connection


def connect(path: Path, *, mode: str = "rwc") -> sqlite3.Connection:
    """A connection in autocommit mode: transactions begin and end where the code says so."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def format_version(connection: sqlite3.Connection) -> int | None:
    """The version of the file, None for one without tables; `sqlite3.Error` where the tables are not ours."""
    if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        return None
    row = connection.execute("SELECT max(version) FROM format").fetchone()
    return int(row[0] or 0)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    version = format_version(connection)
    if version is not None and version > FORMAT_VERSION:
        raise JournalError(
            f"{path} was made by a newer program (journal format {version}, this program knows {FORMAT_VERSION}):"
            " update the program, or use another data directory"
        )
    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only heard before the first table is there
    if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
        raise JournalError(f"{path} lies on a disk that can't keep a write-ahead log: use a local disk")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = FAST")
    connection.execute("PRAGMA wal_autocheckpoint = 0")  # a chore of the writer, so that no ack waits for it
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")
    if version is None:
        _create(connection)


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for statement in _TABLES:
        connection.execute(statement)
    connection.execute("INSERT INTO format (version) VALUES (?)", (FORMAT_VERSION,))
    connection.execute("COMMIT")


def _opening_error(error: sqlite3.Error, path: Path) -> JournalError | StorageFullError:
    if is_full(error):
        return StorageFullError(f"there is no room to open {path}")
    if is_broken(error) or "no such table" in str(error):
        return JournalError(f"{path} is damaged or no journal ({error}): restore it from a backup, or move it away")
    return JournalError(f"{path} can't be opened: {error}")
