"""The first figures, as ratios from one run: the real server beside the bare engine, in turn, on the same texts.

python -m benchmarks.first_figures [--engine auto] [--rounds 7]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import quantiles

from benchmarks.bare_engine import first_piece_seconds
from benchmarks.client import describe, speak
from benchmarks.figure import Figure, print_figures
from benchmarks.server import ServerProcess, running
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.ports import Engine
from wyoming_kokoro.settings import EngineSettings

_TEXTS: dict[str, Callable[[int], str]] = {
    "three words": lambda number: f"Door {number} open.",
    "one sentence": lambda number: f"The washing machine in room {number} has finished its cycle.",
    "a paragraph": lambda number: (
        f"Good morning, number {number}. Today will be mostly cloudy with a high of fourteen degrees. "
        "There is a small chance of rain in the afternoon, so take an umbrella with you."
    ),
}
_REST = "And the garden gate was left open once more."


SECTION = "the path"


class Bench:
    """One server and one bare engine."""

    def __init__(self, server: ServerProcess, engine: Engine, rounds: int) -> None:
        self._server = server
        self._engine = engine
        self._rounds = rounds
        self._number = 100
        self.figures: list[Figure] = []

    def _add(self, name: str, measured: Sequence[float], unit: str, bar: str = "") -> None:
        self.figures.append(Figure.of(SECTION, name, measured, unit, bar))

    def fresh(self) -> int:
        """A number that no text of this run has had."""
        self._number += 1
        return self._number

    async def first_audio(self) -> None:
        """Over Wyoming against the bare engine, both dialects."""
        for name, make in _TEXTS.items():
            for streaming in (False, True):
                ratios, overheads = [], []
                for _ in range(self._rounds):
                    text = make(self.fresh())
                    bare = await first_piece_seconds(self._engine, text)
                    heard = await speak(self._server.port, text, streaming=streaming)
                    await self._quiet()
                    ratios.append(heard.first_seconds / bare)
                    overheads.append(1000 * (heard.first_seconds - bare))
                dialect = "streaming" if streaming else "plain"
                self._add(f"first audio / bare engine, {name}, {dialect}", ratios, "x", "<= 1.3")
                self._add(f"first audio - bare engine, {name}, {dialect}", overheads, "ms", "<= 40")

    async def lengths(self) -> None:
        """First audio of a hundred sentences against that of one with the same beginning."""
        ratios: dict[int, list[float]] = {10: [], 100: []}
        for _ in range(self._rounds):
            one = await speak(self._server.port, _TEXTS["one sentence"](self.fresh()))
            for count, found in ratios.items():
                text = " ".join([_TEXTS["one sentence"](self.fresh()), *[_REST] * (count - 1)])
                found.append((await speak(self._server.port, text)).first_seconds / one.first_seconds)
                await self._quiet()
        for count, found in ratios.items():
            self._add(f"first audio, {count} sentences / one sentence", found, "x", "<= 1.2")

    async def hits(self) -> None:
        """A text that was spoken before, in both dialects."""
        text = _TEXTS["a paragraph"](self.fresh())
        await speak(self._server.port, text)
        for streaming in (False, True):
            firsts = [1000 * (await speak(self._server.port, text, streaming=streaming)).first_seconds for _ in range(20)]
            self._add(f"first audio of a hit, {'streaming' if streaming else 'plain'}", firsts, "ms", "< 30")

    async def under_load(self) -> None:
        """Four long casts, a describe every now and then, and one short text that comes late."""
        texts = [" ".join(f"Report {self.fresh()}: the heating is on." for _ in range(15)) for _ in range(4)]
        bare = await first_piece_seconds(self._engine, texts[0])
        long = [asyncio.create_task(speak(self._server.port, text, streaming=True)) for text in texts]
        late, waits = [], []
        for index in range(200):
            waits.append((await describe(self._server.port))[1])
            await asyncio.sleep(0.02)
            if index % 50 == 25:
                late.append((await speak(self._server.port, f"Bell {self.fresh()}.")).first_seconds / bare)
        for task in long:
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        self._add("describe under four casts, p99", [1000 * quantiles(waits, n=100)[98]], "ms", "< 50")
        self._add("short text's first audio / a sentence of the long ones", late, "x", "<= 3")

    async def _quiet(self) -> None:
        """Let the server end what nobody listens to any more, so that the next measurement finds it idle."""
        while True:
            before = self._server.log.count("is done")
            started = time.monotonic()
            while time.monotonic() - started < 0.3:
                await self._server.more()
            if self._server.log.count("is done") == before:
                return


async def measure(engine_name: str, rounds: int) -> list[Figure]:
    """Everything once."""
    engine = build_engine(EngineSettings(engine=engine_name), SystemClock())
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), "--engine", engine_name) as server:
            await asyncio.gather(server.logged("ready"), engine.start())
            bench = Bench(server, engine, rounds)
            try:
                await bench.first_audio()
                await bench.lengths()
                await bench.hits()
                await bench.under_load()
            finally:
                await engine.stop()
    return bench.figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    print_figures(asyncio.run(measure(arguments.engine, arguments.rounds)))


if __name__ == "__main__":
    main()
