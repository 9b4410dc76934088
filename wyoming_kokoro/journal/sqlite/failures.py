"""SQLite's errors in our words."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, JournalError, LogUnavailableError, StorageFullError

if TYPE_CHECKING:
    from wyoming_kokoro.model.errors import LogError

_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY = 0xFF


def code_of(error: sqlite3.Error) -> int:
    """SQLite's extended result code; 0 where the error is not SQLite's own."""
    return int(getattr(error, "sqlite_errorcode", 0))


def is_full(error: sqlite3.Error) -> bool:
    """Whether there is no room left."""
    code = code_of(error)
    return code & _PRIMARY == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file is not, or no longer, a sound database."""
    return code_of(error) & _PRIMARY in _BROKEN


def translate(error: sqlite3.Error, *, committing: bool = False) -> LogError:
    """What became of the call that met the error; raise it `from` that.

    `committing`: the transaction was about to end, so that a failing disk leaves it open whether it did.
    """
    if is_broken(error):
        return JournalError(
            f"the journal is damaged ({error}): stop the server and restore journal.sqlite from a backup,"
            " or move it away to begin anew; `wyoming-kokoro doctor` says more"
        )
    if is_full(error):
        return StorageFullError("there is no room left for the journal")
    if committing:
        return AppendOutcomeUnknownError(f"the journal did not say whether it was written: {error}")
    return LogUnavailableError(f"the journal can't be used now: {error}")
