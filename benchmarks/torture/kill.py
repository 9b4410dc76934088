"""Kills at random moments while casts are made, and examines the journal at the end.

What dies is the server's whole process group; on S2 also the s2-lite, or both at once, or a worker beside the server.

python -m benchmarks.torture.kill --kills 50 --engine tone
python -m benchmarks.torture.kill --kills 10 --engine onnx
python -m benchmarks.torture.kill --kills 200 --journal s2 --workers 1 --results torture.json

With `--results` the kills are done in portions, each on a fresh journal, and what is done already is not done again.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.client import speak
from benchmarks.server import ServerProcess, WorkerProcess
from benchmarks.torture.journals import KINDS, Journal
from benchmarks.torture.orders import Orders
from benchmarks.torture.remains import Remains, examine
from benchmarks.torture.table import Row, print_table, read_rows, write_rows

_THINGS = ("door", "window", "washing machine", "oven", "garage", "heating", "mailbox", "garden gate", "dryer", "lamp")
_PORTION = 20
_STUCK_SECONDS = 120.0
"""What is not settled so long after the last kill is stuck."""


@dataclass(slots=True)
class Torture:
    """One run."""

    engine: str
    kills: int
    seed: int
    journal: str = "sqlite"
    workers: int = 0
    """Beside the server; only on a journal that they share."""
    random: random.Random = field(init=False)
    first_seconds: list[float] = field(default_factory=list)
    """From the start after a kill to the first audio of a waiting doorbell."""
    ready_seconds: list[float] = field(default_factory=list)
    """From the start after a kill until the engine has spoken: the cold start."""
    asked: int = 0
    killed: dict[str, int] = field(default_factory=lambda: {"server": 0, "s2-lite": 0, "both": 0, "worker": 0})
    orders: Orders = field(default_factory=Orders)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    async def run(self, folder: Path) -> Remains:
        """Kill, restart, finish, examine."""
        journal: Journal = KINDS[self.journal](folder)
        data_dir = folder / "data"
        data_dir.mkdir(exist_ok=True)
        server = ServerProcess(data_dir, "--engine", self.engine, "--api-token", "none", *journal.options)
        workers = [
            WorkerProcess(folder / f"worker-{each}", "--engine", self.engine, *journal.options) for each in range(self.workers)
        ]
        await journal.start()
        try:
            for process in (server, *workers):
                await process.start()
            for _ in range(self.kills):
                await self._round(server, journal, workers)
            await self._finish(server)
            await asyncio.gather(*(worker.terminate() for worker in workers))
            return await self._examine(journal)
        finally:
            await asyncio.gather(*(process.kill() for process in (server, *workers)))
            await journal.stop()

    async def _round(self, server: ServerProcess, journal: Journal, workers: Sequence[WorkerProcess]) -> None:
        asking = [asyncio.create_task(self._ask(server)) for _ in range(self.random.randint(1, 3))]
        await asyncio.sleep(self._life_seconds())
        shared = ("s2-lite", "both") if journal.options else ()
        victim = self.random.choice(("server", *shared, *(("worker",) if workers else ())))
        self.killed[victim] += 1
        if victim == "worker":
            worker = self.random.choice(workers)
            await worker.kill()
            await asyncio.gather(worker.start(), *asking)
            return
        if victim != "server":
            await journal.kill()
            await asyncio.sleep(self.random.uniform(0.0, 4.0))  # longer than what the server bears without a word, or not
        if victim != "s2-lite":
            await server.kill()
            await asyncio.gather(*asking)
        started = time.monotonic()
        if victim == "both":
            await asyncio.gather(journal.start(), server.start())
        elif victim == "s2-lite":
            await journal.start()
            await asyncio.gather(*asking)
        else:
            await server.start()
        if victim == "server":
            await asyncio.gather(self._ring(server.port, started), self._warm(server, started))

    def _life_seconds(self) -> float:
        most = 15.0 if self.engine != "tone" else 0.25 if self.journal == "sqlite" else 0.6
        return self.random.uniform(0.0, most)

    async def _ask(self, server: ServerProcess) -> None:
        """A client that may be cut off at any moment; every third leaves an order and goes."""
        self.asked += 1
        sentences = self.random.randint(3, 25 if self.engine == "tone" else 4)
        text = " ".join(f"Number {self.asked}: the {self.random.choice(_THINGS)} is open." for _ in range(sentences))
        if self.random.random() < 1 / 3:
            await self.orders.leave(server.http_port, text)
            return
        streaming = self.random.random() < 0.5
        with contextlib.suppress(OSError, RuntimeError, asyncio.IncompleteReadError):
            await speak(server.port, text, streaming=streaming)

    async def _ring(self, port: int, started: float) -> None:
        self.asked += 1
        heard = await speak(port, f"Ding dong {self.asked}.")
        self.first_seconds.append(time.monotonic() - started - heard.total_seconds + heard.first_seconds)

    async def _warm(self, server: ServerProcess, started: float) -> None:
        await server.logged("ready")
        self.ready_seconds.append(time.monotonic() - started)

    async def _finish(self, server: ServerProcess) -> None:
        """Let it work off what is left."""
        with contextlib.suppress(TimeoutError):  # what is stuck then, the examination finds
            async with asyncio.timeout(_STUCK_SECONDS):
                while await self.orders.waiting(server.http_port):
                    await server.more()
        await server.terminate()

    async def _examine(self, journal: Journal) -> Remains:
        log = await journal.open()
        try:
            remains = await examine(log)
            remains.faults += await self.orders.missing(log)
            return remains
        finally:
            await log.close()

    def row(self, remains: Remains) -> Row:
        """What it came to."""
        return Row(
            journal=self.journal,
            engine=self.engine,
            kills=self.kills,
            killed=self.killed,
            requests=self.asked,
            orders=len(self.orders.accepted),
            jobs=remains.jobs,
            casts=remains.casts,
            sentences=remains.sentences,
            attempts=remains.attempts,
            resumed=remains.resumed,
            first_seconds=self.first_seconds,
            ready_seconds=self.ready_seconds,
            faults=remains.faults,
        )


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--engine", default="tone")
    parser.add_argument("--journal", choices=sorted(KINDS), default="sqlite")
    parser.add_argument("--workers", type=int, default=0, help="beside the server, with --journal s2")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, metavar="FILE", help="where portions are kept; what it holds is not done again")
    arguments = parser.parse_args()
    rows = read_rows(arguments.results)
    mine = [row for row in rows if (row.journal, row.engine) == (arguments.journal, arguments.engine)]
    portion = _PORTION if arguments.results else arguments.kills
    while (done := sum(row.kills for row in mine)) < arguments.kills:
        torture = Torture(
            arguments.engine,
            min(portion, arguments.kills - done),
            arguments.seed + len(mine),
            arguments.journal,
            arguments.workers,
        )
        with tempfile.TemporaryDirectory() as folder:
            row = torture.row(asyncio.run(torture.run(Path(folder))))
        for each in (rows, mine):
            each.append(row)
        write_rows(arguments.results, rows)
        print(json.dumps({"kills": done + row.kills, "faults": len(row.faults)}), flush=True)
    print_table(mine)
    raise SystemExit(any(row.faults for row in mine))


if __name__ == "__main__":
    main()
