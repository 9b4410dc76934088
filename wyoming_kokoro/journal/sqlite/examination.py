"""What a look at the file says, whether a server has it open or not. It blocks, and reads the whole file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.journal.sqlite.failures import translate
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME, connect, format_version
from wyoming_kokoro.model.errors import JournalError
from wyoming_kokoro.ports import Usage

if TYPE_CHECKING:
    from pathlib import Path


class Examination(NamedTuple):
    """What was found."""

    format_version: int
    usage: Usage
    complaints: tuple[str, ...]
    """What SQLite finds wrong; empty for a sound file."""


def examine(data_dir: Path) -> Examination:
    """Look at the journal of a data directory; `JournalError` where there is none or it can't be read at all."""
    path = data_dir / FILE_NAME
    if not path.exists():
        raise JournalError(f"there is no journal in {data_dir}")
    try:
        with closing(connect(path, mode="ro")) as connection:
            lines = [str(row[0]) for row in connection.execute("PRAGMA quick_check(10)")]
            return Examination(
                format_version(connection) or 0, usage(connection, path), tuple(lines) if lines != ["ok"] else ()
            )
    except sqlite3.Error as error:
        raise translate(error) from error


def usage(connection: sqlite3.Connection, path: Path) -> Usage:
    """The size of the file that the connection is on, its write-ahead log included."""
    pages, free, page_bytes = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    files = (path, path.with_name(f"{path.name}-wal"))
    return Usage(sum(file.stat().st_size for file in files if file.exists()), (pages - free) * page_bytes)
