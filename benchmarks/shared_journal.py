"""Real processes that share one s2-lite: a door that is busy with something of its own, and workers behind it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TypeVar

from benchmarks.json_over_http import ask
from benchmarks.s2_lite import S2Lite
from benchmarks.server import ServerProcess, WorkerProcess, running
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.s2 import Place, S2Log, open_s2
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.records import Record, Start

R = TypeVar("R", bound=Record)

_KEEPS_THE_DOOR_BUSY = "The engine of the door is slow, and this is long enough to keep it busy all the time."


class SharedJournal:
    """One basin, and who uses it."""

    def __init__(self, folder: Path, options: list[str], log: S2Log, door: ServerProcess) -> None:
        self.log = log
        self.workers: dict[str, WorkerProcess] = {}
        """By the name that they write."""
        self._folder = folder
        self._options = options
        self._door = door

    async def worker(self, place: str, *, pace: float) -> WorkerProcess:
        """One more worker, at work; its engine makes so many seconds of sound in a second."""
        folder = self._folder / place
        folder.mkdir(exist_ok=True)
        process = WorkerProcess(folder, "--tone-pace", str(pace), *self._options)
        await process.start()
        self.workers[(folder / "worker").read_text().strip()] = process
        return process

    async def ask(self, text: str) -> CastId:
        """Have the door accept a text; its workers make it."""
        status, accepted = await ask(self._door.http_port, "/api/casts", {"text": text})
        assert status == 201, accepted
        return CastId(accepted["id"])

    async def until(self, stream: str, kind: type[R], count: int) -> list[R]:
        """The records of that kind, once there are so many."""
        found: list[R] = []
        async with contextlib.aclosing(self.log.follow(stream, 0)) as records:
            async for sequenced in records:
                if isinstance(sequenced.record, kind):
                    found.append(sequenced.record)
                    if len(found) == count:
                        break
        return found

    async def holder(self, cast_id: CastId, attempt: int) -> WorkerProcess:
        """Whose that attempt is, once it is begun."""
        starts = await self.until(cast_stream(cast_id), Start, attempt)
        return self.workers[starts[-1].worker]


@contextlib.asynccontextmanager
async def shared_journal(folder: Path, lite: S2Lite, basin: str) -> AsyncIterator[SharedJournal]:
    """A basin of its own with its door; all processes are gone afterwards."""
    options = ["--journal", "s2", "--s2-endpoint", lite.endpoint, "--s2-basin", basin, "--engine", "tone"]
    (folder / "door").mkdir(parents=True)
    async with running(folder / "door", "--tone-pace", "0.01", "--api-token", "none", *options) as door:
        await door.logged("ready: ")
        log = await open_s2(Place(endpoint=lite.endpoint, basin=basin), SystemClock())
        journal = SharedJournal(folder, options, log, door)
        try:
            busy = await journal.ask(_KEEPS_THE_DOOR_BUSY)
            await journal.until(cast_stream(busy), Start, 1)
            yield journal
        finally:
            await asyncio.gather(*(worker.kill() for worker in journal.workers.values()))
            await log.close()
