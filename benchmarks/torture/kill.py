"""Kills the server's whole process group at random moments while casts are made, and examines the journal at the end.

python -m benchmarks.torture.kill --kills 50 --engine tone
python -m benchmarks.torture.kill --kills 10 --engine onnx
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.client import speak
from benchmarks.server import ServerProcess
from benchmarks.torture.remains import Remains, examine

_THINGS = ("door", "window", "washing machine", "oven", "garage", "heating", "mailbox", "garden gate", "dryer", "lamp")


@dataclass(slots=True)
class Torture:
    """One run."""

    engine: str
    kills: int
    seed: int
    random: random.Random = field(init=False)
    first_seconds: list[float] = field(default_factory=list)
    """From the start after a kill to the first audio of a waiting doorbell."""
    ready_seconds: list[float] = field(default_factory=list)
    """From the start after a kill until the engine has spoken: the cold start."""
    asked: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    async def run(self, data_dir: Path) -> Remains:
        """Kill, restart, finish, examine."""
        server = ServerProcess(data_dir, "--engine", self.engine)
        await server.start()
        for _ in range(self.kills):
            asking = [asyncio.create_task(self._ask(server.port)) for _ in range(self.random.randint(1, 3))]
            await asyncio.sleep(self._life_seconds())
            await server.kill()
            await asyncio.gather(*asking)
            started = time.monotonic()
            await server.start()
            await asyncio.gather(self._ring(server.port, started), self._warm(server, started))
        await self._finish(server)
        return await examine(data_dir)

    def _life_seconds(self) -> float:
        return self.random.uniform(0.0, 0.25 if self.engine == "tone" else 15.0)

    async def _ask(self, port: int) -> None:
        """A client that may be cut off at any moment."""
        self.asked += 1
        sentences = self.random.randint(3, 25 if self.engine == "tone" else 4)
        text = " ".join(f"Number {self.asked}: the {self.random.choice(_THINGS)} is open." for _ in range(sentences))
        with contextlib.suppress(ConnectionError, RuntimeError, asyncio.IncompleteReadError):
            await speak(port, text, streaming=self.random.random() < 0.5)

    async def _ring(self, port: int, started: float) -> None:
        self.asked += 1
        heard = await speak(port, f"Ding dong {self.asked}.")
        self.first_seconds.append(time.monotonic() - started - heard.total_seconds + heard.first_seconds)

    async def _warm(self, server: ServerProcess, started: float) -> None:
        await server.logged("ready")
        self.ready_seconds.append(time.monotonic() - started)

    async def _finish(self, server: ServerProcess) -> None:
        """Let it work off what is left, until it has nothing more to say."""
        silence_seconds = 2.0 if self.engine == "tone" else 20.0
        said = ""
        while said != server.log:
            said = server.log
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(silence_seconds):
                    while said == server.log:
                        await server.more()
        await server.terminate()


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--engine", default="tone")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torture = Torture(arguments.engine, arguments.kills, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        remains = asyncio.run(torture.run(Path(folder)))
    print(f"kills                      {torture.kills}")
    print(f"requests                   {torture.asked}")
    print(f"jobs accepted              {remains.jobs}")
    print(f"casts                      {remains.casts}")
    print(f"sentences                  {remains.sentences}")
    print(f"attempts, resumed          {remains.attempts}, {remains.resumed}")
    firsts = torture.first_seconds
    later = [first - ready for first, ready in zip(firsts, torture.ready_seconds, strict=True)]
    print(f"cold start                 median {median(torture.ready_seconds):.2f} s, most {max(torture.ready_seconds):.2f} s")
    print(f"doorbell after a restart   median {median(firsts):.2f} s, most {max(firsts):.2f} s")
    print(f"  after the cold start     median {median(later):.2f} s, most {max(later):.2f} s")
    print(f"faults                     {len(remains.faults)}")
    for fault in remains.faults:
        print(f"  {fault}")
    raise SystemExit(bool(remains.faults))


if __name__ == "__main__":
    main()
