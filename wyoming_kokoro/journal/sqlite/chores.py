"""What the writer does while nobody waits for it: sweep, copy the write-ahead log into the file, give room back."""

from __future__ import annotations

import logging
import sqlite3
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.journal.sqlite.ledger import Ledger

_LOGGER = logging.getLogger(__name__)

_CHECKPOINT_BYTES = 4 * 1024 * 1024
_OVERDUE_BYTES = 32 * 1024 * 1024
_APPEND_BYTES = 8 * 1024
"""What an append costs in the write-ahead log beside its records, about."""
_SPARE_PAGES = 256
"""Free pages that stay in the file, to be used again."""
_VACUUM_PAGES = 256
_PAGE_BYTES = 4096
_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 10.0


class _HeldUpError(Exception):
    """Somebody reads what has to be copied."""


class _Chore:
    """One kind of step; where it can't be done it is put off, each time for twice as long."""

    def __init__(self, do: Callable[[], bool], monotonic: Callable[[], float]) -> None:
        self.do = do
        self._monotonic = monotonic
        self._pause_seconds = 0.0
        self._until = 0.0

    @property
    def put_off_seconds(self) -> float | None:
        """How long it has to wait from now on; None where it is not put off."""
        return max(0.0, self._until - self._monotonic()) if self._pause_seconds else None

    def put_off(self, error: Exception) -> None:
        """It could not be done."""
        level = logging.DEBUG if self._pause_seconds or isinstance(error, _HeldUpError) else logging.WARNING
        self._pause_seconds = min(max(2 * self._pause_seconds, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
        self._until = self._monotonic() + self._pause_seconds
        _LOGGER.log(level, "A chore of the journal has to wait and is tried again: %s", error)

    def encourage(self) -> None:
        """Let it be tried now."""
        self._until = 0.0

    def clear(self) -> None:
        """It was done, or nothing is to be done."""
        self._pause_seconds = 0.0


class Chores:
    """Small steps, each a transaction of its own, in the writer's thread.

    What fails, mostly for lack of room, is tried again by and by; at once after a trim or `encourage`.
    """

    def __init__(self, ledger: Ledger, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Whatever an earlier run left is done first."""
        self._ledger = ledger
        self._connection = ledger.connection
        self._chores = tuple(_Chore(do, monotonic) for do in (self._sweep, self._checkpoint, self._vacuum))
        self._logged_bytes = 0
        self._may_sweep = True
        self._may_vacuum = True
        self._must_checkpoint = False
        self._vacuum_pages = _VACUUM_PAGES

    @property
    def is_overdue(self) -> bool:
        """Whether the write-ahead log grows too long to wait for a quiet moment."""
        return self._logged_bytes >= _OVERDUE_BYTES

    @property
    def put_off_seconds(self) -> float | None:
        """How long until something that could not be done may be tried again; None where there is nothing of the kind."""
        return min((seconds for chore in self._chores if (seconds := chore.put_off_seconds) is not None), default=None)

    def note_written(self, appends: int, metered_bytes: int, *, trimmed: bool) -> None:
        """A transaction has ended."""
        self._logged_bytes += metered_bytes + appends * _APPEND_BYTES
        if trimmed:
            self._may_sweep = True
            self.encourage()

    def encourage(self) -> None:
        """There may be room now."""
        for chore in self._chores:
            chore.encourage()

    def step(self) -> bool:
        """Do one; False where there is nothing to do, or nothing can be done for now: see `put_off_seconds`."""
        return any(self._has_done(chore) for chore in self._chores if not chore.put_off_seconds)

    def _has_done(self, chore: _Chore) -> bool:
        try:
            has_done = chore.do()
        except (sqlite3.Error, _HeldUpError) as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            self._must_checkpoint = True  # a write-ahead log that can begin anew needs no more room
            chore.put_off(error)
            return False
        chore.clear()
        return has_done

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
        if self._logged_bytes < _CHECKPOINT_BYTES and not self._must_checkpoint:
            return False
        ((_, logged, copied),) = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        if copied < logged:
            raise _HeldUpError(f"{logged - copied} pages of the write-ahead log are being read")
        self._logged_bytes, self._must_checkpoint = 0, False
        return True

    def _vacuum(self) -> bool:
        if not self._may_vacuum:
            return False
        (free,) = self._connection.execute("PRAGMA freelist_count").fetchone()
        surplus = free - _SPARE_PAGES
        self._may_vacuum = surplus > 0
        if self._may_vacuum:
            self._give_back(min(self._vacuum_pages, surplus))
            self._must_checkpoint = self._must_checkpoint or surplus <= self._vacuum_pages
        return self._may_vacuum

    def _give_back(self, pages: int) -> None:
        try:
            # `execute` would take the first step of it, which is one page, in a transaction of its own.
            self._connection.executescript(f"PRAGMA incremental_vacuum({pages})")
        except sqlite3.Error:
            self._vacuum_pages = max(1, self._vacuum_pages // 2)
            raise
        self._vacuum_pages = min(_VACUUM_PAGES, 2 * self._vacuum_pages)
        self._logged_bytes += pages * _PAGE_BYTES
