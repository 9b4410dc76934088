"""The one thread that writes: it takes what waits, ends one transaction for all of it, then answers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from wyoming_kokoro.journal.sqlite.chores import Chores
from wyoming_kokoro.journal.sqlite.failures import translate
from wyoming_kokoro.model.errors import AppendRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.journal.batch import Batch
    from wyoming_kokoro.journal.sqlite.ledger import Ledger

_LOGGER = logging.getLogger(__name__)

MAX_OPERATIONS = 256
"""How many operations share one transaction at most."""

T = TypeVar("T")


@dataclass(slots=True)
class _Operation:
    stream: str
    batch: Batch
    work: Callable[[Ledger], object]
    answer: asyncio.Future[Any]
    result: object = None
    error: Exception | None = None

    def settle(self) -> None:
        """Answer, in the loop's thread; nobody may be waiting any more."""
        if self.answer.done():
            return
        if self.error is None:
            self.answer.set_result(self.result)
        else:
            self.answer.set_exception(self.error)


@dataclass(slots=True)
class _Tidying:
    encouraged: bool
    answer: asyncio.Future[None]

    def settle(self) -> None:
        """Answer, in the loop's thread; nobody may be waiting any more."""
        if not self.answer.done():
            self.answer.set_result(None)


class Writer:
    """Group commit. What waits while the disk works is written by the next transaction; no timer plays a part."""

    def __init__(self, ledger: Ledger, ring: Callable[[str], None]) -> None:
        """Must be made in the running loop; `ring` is called in it for every stream that may have grown."""
        self._ledger = ledger
        self._connection = ledger.connection
        self._ring = ring
        self._chores = Chores(ledger)
        self._loop = asyncio.get_running_loop()
        self._waiting: SimpleQueue[_Operation | _Tidying | None] = SimpleQueue()
        self._ended = asyncio.Event()
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="journal-writer", daemon=True)
        self._thread.start()

    def submit(self, stream: str, batch: Batch, work: Callable[[Ledger], T]) -> asyncio.Future[T]:
        """Put it in line; the future answers once it is durable, or refused for what is durable."""
        answer: asyncio.Future[T] = self._loop.create_future()
        self._waiting.put(_Operation(stream, batch, work, answer))
        return answer

    async def tidy(self, *, encouraged: bool) -> None:
        """Wait until of all chores nothing is left that could be done now; `encouraged` by room that was made."""
        if not self._is_closing:
            answer: asyncio.Future[None] = self._loop.create_future()
            self._waiting.put(_Tidying(encouraged, answer))
            await answer

    async def close(self) -> None:
        """Write what waits, then end the thread and the connection. Idempotent."""
        if not self._is_closing:
            self._is_closing = True
            self._waiting.put(None)
        await self._ended.wait()
        self._thread.join()

    def _run(self) -> None:
        is_open = True
        while is_open:
            taken = self._take()
            is_open = taken[-1] is not None
            self._write([item for item in taken if isinstance(item, _Operation)])
            for item in taken:
                if isinstance(item, _Tidying):
                    self._tidy(item)
        self._connection.close()
        self._call_loop(self._ended.set)

    def _take(self) -> list[_Operation | _Tidying | None]:
        """Wait for at least one thing to do; None is the end and stands last."""
        taken = [self._next()]
        while taken[-1] is not None and len(taken) < MAX_OPERATIONS:
            try:
                taken.append(self._waiting.get_nowait())
            except Empty:
                break
        return taken

    def _next(self) -> _Operation | _Tidying | None:
        """Wait for it, doing chores meanwhile; those that can't be done now are tried again in their time."""
        while True:
            while self._chores.is_overdue or self._waiting.empty():
                if not self._chores.step():
                    break
            with contextlib.suppress(Empty):
                return self._waiting.get(timeout=self._chores.put_off_seconds)

    def _tidy(self, tidying: _Tidying) -> None:
        if tidying.encouraged:
            self._chores.encourage()
        while not self._is_closing and self._chores.step():
            pass
        self._call_loop(tidying.settle)

    def _write(self, operations: list[_Operation]) -> None:
        if not operations:
            return
        committing = False
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for operation in operations:
                self._attempt(operation)
            committing = True
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            for operation in operations:
                operation.error = translate(error, committing=committing)
        self._call_loop(lambda: self._answer(operations))
        self._note_written(operations)

    def _attempt(self, operation: _Operation) -> None:
        """Do one within the transaction; whatever it raises is its own, unless it took the whole transaction with it."""
        self._connection.execute("SAVEPOINT operation")
        try:
            operation.result = operation.work(self._ledger)
        except AppendRefusedError as error:
            operation.error = error
        except sqlite3.Error as error:
            if not self._connection.in_transaction:
                raise
            operation.error = translate(error)
        except Exception as error:  # noqa: BLE001  (a fault of ours is for the caller to see; the thread serves others too)
            operation.error = error
        if operation.error is not None:
            self._connection.execute("ROLLBACK TO operation")
        self._connection.execute("RELEASE operation")

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            try:
                self._connection.execute("ROLLBACK")
            except sqlite3.Error:
                _LOGGER.exception("The journal could not roll back")

    def _note_written(self, operations: list[_Operation]) -> None:
        written = [operation.batch for operation in operations if operation.error is None]
        metered_bytes = sum(batch.metered_bytes for batch in written)
        self._chores.note_written(len(written), metered_bytes, trimmed=any(batch.trims for batch in written))

    def _answer(self, operations: list[_Operation]) -> None:
        for operation in operations:
            operation.settle()
        for stream in {operation.stream for operation in operations if operation.error is None}:
            self._ring(stream)

    def _call_loop(self, callback: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:
            _LOGGER.debug("The loop ended before the journal")
