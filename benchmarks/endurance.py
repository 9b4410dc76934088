"""Memory over a thousand casts, and a doorbell on an engine that is slower than speech.

python -m benchmarks.endurance [--casts 1000] [--engine auto]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from benchmarks.client import speak
from benchmarks.figure import Figure, print_figures
from benchmarks.process import memory_mb
from benchmarks.server import running

SECTION = "endurance"
_SETTLING = 100
"""Caches fill up meanwhile."""


async def memory(casts: int, engine: str = "auto") -> list[Figure]:
    """Of the server with its engine."""
    seen: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), "--engine", engine) as server:
            await server.logged("ready")
            at_rest = memory_mb(server.pid)
            for number in range(casts + 1):
                await speak(server.port, f"Room {number}.")
                if number % _SETTLING == 0:
                    seen[number] = memory_mb(server.pid)
    settled = seen[min(_SETTLING, casts)]
    return [
        Figure.of(SECTION, "memory at rest, server and engine", [at_rest], "MB", "< 520"),
        Figure.of(SECTION, f"memory after {casts} casts", [seen[casts // _SETTLING * _SETTLING]], "MB"),
        Figure.of(SECTION, f"memory after {casts} casts / after {_SETTLING}", [max(seen.values()) / settled], "x", "<= 1.1"),
    ]


async def slow_engine() -> list[Figure]:
    """An engine at half the pace of speech, a cast of five minutes, and a doorbell behind it."""
    long = " ".join(f"Part {number} of the long report is still being read." for number in range(80))
    waits = []
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), "--engine", "tone", "--tone-pace", "0.5") as server:
            await server.logged("ready")
            sentence = await speak(server.port, "Part 1000 of the long report is still being read.")
            report = asyncio.create_task(speak(server.port, long))
            await server.logged("accepted: cast")
            for number in range(3):
                bell = await speak(server.port, f"Somebody is at door number {number}.")
                waits.append(bell.first_seconds / (max(bell.seconds, sentence.seconds) / 0.5))
            report.cancel()
            await asyncio.gather(report, return_exceptions=True)
    return [Figure.of(SECTION, "doorbell's first sound on a slow engine / one sentence", waits, "x", "<= 2")]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--casts", type=int, default=1000)
    parser.add_argument("--engine", default="auto")
    arguments = parser.parse_args()
    print_figures(asyncio.run(slow_engine()))
    print_figures(asyncio.run(memory(arguments.casts, arguments.engine)))


if __name__ == "__main__":
    main()
