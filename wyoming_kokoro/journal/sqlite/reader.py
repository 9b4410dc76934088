"""The one thread that reads: never the loop's, never the writer's."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from wyoming_kokoro.journal.sqlite.failures import translate
from wyoming_kokoro.model.errors import LogUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class Reader:
    """Runs queries, one after another."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """The connection is the reader's from now on."""
        self._connection = connection
        self._thread = ThreadPoolExecutor(1, "journal-reader")
        self._is_closed = False

    async def ask(self, query: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the query says; `LogUnavailableError`, or `JournalError` where the file is damaged."""
        if self._is_closed:
            raise LogUnavailableError("the journal is closed")
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, lambda: query(self._connection, *args, **kwargs))
        except sqlite3.Error as error:
            raise translate(error) from error

    async def close(self) -> None:
        """Finish what was asked, then let go of the connection. Idempotent."""
        if not self._is_closed:
            self._is_closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._connection.close)
            self._thread.shutdown()
