"""What the writer does while nobody waits for it: sweep, copy the write-ahead log into the file, give room back."""

from __future__ import annotations

import logging
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.journal.sqlite.ledger import Ledger

_LOGGER = logging.getLogger(__name__)

_CHECKPOINT_BYTES = 4 * 1024 * 1024
_OVERDUE_BYTES = 32 * 1024 * 1024
_APPEND_BYTES = 8 * 1024
"""What an append costs in the write-ahead log beside its records, about."""
_SPARE_PAGES = 256
"""Free pages that stay in the file, to be used again."""
_VACUUM_PAGES = 256


class Chores:
    """Small steps, each a transaction of its own, in the writer's thread."""

    def __init__(self, ledger: Ledger) -> None:
        """Whatever an earlier run left is done first."""
        self._ledger = ledger
        self._connection = ledger.connection
        self._logged_bytes = 0
        self._may_sweep = True
        self._may_vacuum = True

    @property
    def is_overdue(self) -> bool:
        """Whether the write-ahead log grows too long to wait for a quiet moment."""
        return self._logged_bytes >= _OVERDUE_BYTES

    def note_written(self, appends: int, metered_bytes: int, *, trimmed: bool) -> None:
        """A transaction has ended."""
        self._logged_bytes += metered_bytes + appends * _APPEND_BYTES
        self._may_sweep = self._may_sweep or trimmed

    def step(self) -> bool:
        """Do one; False where there is nothing to do, or nothing can be done for now."""
        try:
            return self._sweep() or self._checkpoint() or self._vacuum()
        except sqlite3.Error as error:
            _LOGGER.warning("A chore of the journal failed and waits for the next write: %s", error)
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._logged_bytes, self._may_sweep, self._may_vacuum = 0, False, False
            return False

    def _sweep(self) -> bool:
        unswept = self._ledger.unswept() if self._may_sweep else None
        if unswept is None:
            self._may_vacuum = self._may_vacuum or self._may_sweep
            self._may_sweep = False
            return False
        self._connection.execute("BEGIN IMMEDIATE")
        self._ledger.sweep(unswept)
        self._connection.execute("COMMIT")
        return True

    def _checkpoint(self) -> bool:
        if self._logged_bytes < _CHECKPOINT_BYTES:
            return False
        self._logged_bytes = 0
        self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        return True

    def _vacuum(self) -> bool:
        if not self._may_vacuum:
            return False
        (free,) = self._connection.execute("PRAGMA freelist_count").fetchone()
        self._may_vacuum = free > _SPARE_PAGES
        if self._may_vacuum:
            pages = min(_VACUUM_PAGES, free - _SPARE_PAGES)
            self._connection.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
            self._logged_bytes += pages * 4096
        return self._may_vacuum
