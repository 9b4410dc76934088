"""Where the tortured server keeps its journal: how that is started, killed and read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from benchmarks.s2_lite import S2Lite
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.s2 import Place, open_s2
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.ports import Log

_BASIN = "torture-basin"


class Journal(Protocol):
    """One kind."""

    options: tuple[str, ...]
    """What the server is told."""

    async def start(self) -> None:
        """Have it there."""
        ...

    async def kill(self) -> bool:
        """-9 to what keeps it; False where that is the server itself."""
        ...

    async def stop(self) -> None:
        """Let it go."""
        ...

    async def open(self) -> Log:
        """Read it, when the server is gone."""
        ...


class Sqlite:
    """In the data directory of the server."""

    options: tuple[str, ...] = ()

    def __init__(self, folder: Path) -> None:
        self._data_dir = folder / "data"

    async def start(self) -> None:
        """Nothing is needed."""

    async def kill(self) -> bool:
        """It dies with its server."""
        return False

    async def stop(self) -> None:
        """Nothing is needed."""

    async def open(self) -> Log:
        """See `Journal`."""
        return await open_sqlite(self._data_dir, SystemClock())


class OnS2Lite:
    """On an s2-lite of its own."""

    def __init__(self, folder: Path) -> None:
        self._server = S2Lite(folder / "s2-lite")
        self.options: tuple[str, ...] = ("--journal", "s2", "--s2-endpoint", self._server.endpoint, "--s2-basin", _BASIN)

    async def start(self) -> None:
        """See `Journal`."""
        await asyncio.to_thread(self._server.start)

    async def kill(self) -> bool:
        """See `Journal`."""
        await asyncio.to_thread(self._server.kill)
        return True

    async def stop(self) -> None:
        """See `Journal`."""
        await asyncio.to_thread(self._server.stop)

    async def open(self) -> Log:
        """See `Journal`."""
        return await open_s2(Place(endpoint=self._server.endpoint, basin=_BASIN), SystemClock())


KINDS: dict[str, type[Sqlite | OnS2Lite]] = {"sqlite": Sqlite, "s2": OnS2Lite}
