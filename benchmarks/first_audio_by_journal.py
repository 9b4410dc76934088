"""Time to first audio over Wyoming, on SQLite and on s2-lite, one request on each in turn.

python -m benchmarks.first_audio_by_journal --rounds 40
python -m benchmarks.first_audio_by_journal --rounds 10 --engine onnx
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections import defaultdict
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median, quantiles

from benchmarks.client import speak
from benchmarks.server import ServerProcess, running
from benchmarks.torture.journals import KINDS

_BAR_SECONDS = 0.06
_KINDS_OF_REQUEST = ("new, plain", "new, streaming", "hit")


class Figures:
    """Seconds to first audio, by journal and kind of request."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], list[float]] = defaultdict(list)

    async def take(self, servers: dict[str, ServerProcess], number: int) -> None:
        """One request of each kind on each server."""
        text = f"Number {number}: the washing machine is done. It is raining, so please bring the laundry in."
        for journal, server in servers.items():
            for kind in _KINDS_OF_REQUEST:
                asked = f"Streaming. {text}" if kind == "new, streaming" else text
                heard = await speak(server.port, asked, streaming=kind == "new, streaming")
                self._seconds[journal, kind].append(heard.first_seconds)

    def print(self) -> bool:
        """The table; whether s2-lite is within the bar."""
        print("| first audio, ms | sqlite p50 | sqlite p95 | s2-lite p50 | s2-lite p95 | difference of the medians |")
        print("|---|---|---|---|---|---|")
        is_well = True
        for kind in _KINDS_OF_REQUEST:
            sqlite, s2 = self._seconds["sqlite", kind], self._seconds["s2", kind]
            cells = [1000 * each for values in (sqlite, s2) for each in (median(values), quantiles(values, n=20)[-1])]
            difference = median(s2) - median(sqlite)
            is_well = is_well and difference <= _BAR_SECONDS
            print(f"| {kind} | {' | '.join(f'{cell:.1f}' for cell in cells)} | {1000 * difference:+.1f} |")
        return is_well


async def run(engine: str, rounds: int) -> bool:
    """Both servers side by side."""
    figures = Figures()
    async with AsyncExitStack() as stack:
        servers = {}
        for name, kind in KINDS.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            journal = kind(folder)
            await journal.start()
            stack.push_async_callback(journal.stop)
            (folder / "data").mkdir()
            servers[name] = await stack.enter_async_context(running(folder / "data", "--engine", engine, *journal.options))
            await servers[name].logged("ready")
        await Figures().take(servers, 0)  # warm
        for number in range(1, rounds + 1):
            await figures.take(servers, number)
    return figures.print()


def main() -> None:
    """Run; exit status 1 where s2-lite is not within the bar."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--engine", default="tone")
    arguments = parser.parse_args()
    raise SystemExit(not asyncio.run(run(arguments.engine, arguments.rounds)))


if __name__ == "__main__":
    main()
