"""Real processes beside each other on a real s2-lite: one is killed, one is stopped, and nobody hears of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from benchmarks.s2_lite import S2Lite
from benchmarks.server import ServerProcess, WorkerProcess, running
from tests.contracts.log_backends import NEEDS_S2_LITE
from tests.json_over_http import ask
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.s2 import Place, S2Log, open_s2
from wyoming_kokoro.model.ids import PROGRESS_DONE, CastId, cast_stream
from wyoming_kokoro.model.records import Alive, Audio, Eos, Receipt, Record, Start

pytestmark = [pytest.mark.s2, NEEDS_S2_LITE]

BASIN = "shared-basin"
KEEPS_THE_DOOR_BUSY = "The engine of the door is slow, and this is long enough to keep it busy for the whole test."
TEXT = " ".join(f"The mark number {'abcdefgh'[number]} is near the old garden." for number in range(8))


@pytest.fixture
def options(tmp_path: Path) -> Iterator[list[str]]:
    """Of every process on the shared journal."""
    lite = S2Lite(tmp_path / "s2-lite")
    lite.start()
    yield ["--journal", "s2", "--s2-endpoint", lite.endpoint, "--s2-basin", BASIN, "--engine", "tone"]
    lite.stop()


class Site:
    """A door that is busy, and workers behind it."""

    def __init__(self, folder: Path, options: list[str], log: S2Log) -> None:
        self.log = log
        self.workers: dict[str, WorkerProcess] = {}
        """By the name that they write."""
        self._folder = folder
        self._options = options

    async def worker(self, place: str) -> WorkerProcess:
        """One more worker, at work."""
        folder = self._folder / place
        folder.mkdir(exist_ok=True)
        process = WorkerProcess(folder, "--tone-pace", "2", *self._options)
        await process.start()
        self.workers[(folder / "worker").read_text().strip()] = process
        return process

    async def until(self, stream: str, kind: type[Record], count: int) -> list[Record]:
        """The records of that kind, once there are so many."""
        found: list[Record] = []
        async with contextlib.aclosing(self.log.follow(stream, 0)) as records:
            async for sequenced in records:
                if isinstance(sequenced.record, kind):
                    found.append(sequenced.record)
                    if len(found) == count:
                        break
        return found

    async def holder(self, cast_id: CastId, attempt: int) -> WorkerProcess:
        """Whose that attempt is."""
        starts = await self.until(cast_stream(cast_id), Start, attempt)
        assert isinstance(starts[-1], Start)
        return self.workers[starts[-1].worker]


@pytest.fixture
async def site(tmp_path: Path, options: list[str]) -> AsyncIterator[tuple[Site, ServerProcess]]:
    (tmp_path / "door").mkdir()
    async with running(tmp_path / "door", "--tone-pace", "0.01", "--api-token", "none", *options) as door:
        await door.logged("ready: ")
        await ask(door.http_port, "/api/casts", {"text": KEEPS_THE_DOOR_BUSY})
        log = await open_s2(Place(endpoint=options[3], basin=BASIN), SystemClock())
        made = Site(tmp_path, options, log)
        try:
            yield made, door
        finally:
            for worker in made.workers.values():
                await worker.kill()
            await log.close()


async def test_a_killed_worker_is_replaced_at_its_sentence_and_a_stopped_one_hands_over(
    site: tuple[Site, ServerProcess],
) -> None:
    made, door = site
    await asyncio.gather(*map(made.worker, ("one", "two", "three")))
    _, accepted = await ask(door.http_port, "/api/casts", {"text": TEXT})
    cast_id = CastId(accepted["id"])
    async with asyncio.timeout(120):
        killed = await made.holder(cast_id, 1)
        await made.until(cast_stream(cast_id), Audio, 2)
        await killed.kill()
        stopped = await made.holder(cast_id, 2)
        assert stopped is not killed
        assert await stopped.terminate() == 0
        assert await made.holder(cast_id, 3) not in (killed, stopped)
        await made.until(cast_stream(cast_id), Eos, 1)
        await made.until(PROGRESS_DONE, Receipt, 1)
    records = [sequenced.record for sequenced in await made.log.read(cast_stream(cast_id), 0)]
    assert [record.index for record in records if isinstance(record, Audio)] == list(range(8))
    assert [record.released for record in records if isinstance(record, Alive) and record.released] == [True]
    assert len([record for record in records if isinstance(record, Eos)]) == 1
