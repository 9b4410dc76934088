"""First sound and pace of this server beside its peers: the same texts in the same rounds, one after the other.

Servers are asked over Wyoming as Home Assistant asks them, each time on a new connection; what has no server is told the text
by a pipe. A text is new in every round, so that nobody has it ready.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.client import speak
from benchmarks.contenders import ours
from benchmarks.figure import Figure, percentile
from benchmarks.peers.bare import Bare, bare_kokoro, bare_kokoro_onnx
from benchmarks.peers.servers import wyoming_kokoro_torch, wyoming_piper
from benchmarks.process import Served, memory_mb

SECTION = "beside the peers"
TEXTS: dict[str, Callable[[int], str]] = {
    "three words": lambda number: f"Door {number} open.",
    "one sentence": lambda number: f"The washing machine in room {number} has finished its cycle, and the dryer is free.",
    "a paragraph": lambda number: (
        f"Good morning, number {number}. Today will be mostly cloudy with a high of fourteen degrees. There is a small chance "
        "of rain in the afternoon, so take an umbrella with you. The bins are collected tomorrow, and the cat has been fed."
    ),
}
_PIPER, _TORCH = "wyoming-piper", "wyoming-kokoro-torch"
_EVERY = 3
"""What loads its model for every request is asked in every third round only."""


@dataclass(slots=True)
class Answers:
    """Of one contender to one text, in order of the rounds."""

    first_seconds: dict[int, float] = field(default_factory=dict)
    paces: list[float] = field(default_factory=list)
    """Seconds of sound in a second."""


Contender = Served | Bare


class SideBySide:
    """All of them, up and warm."""

    def __init__(self, contenders: Sequence[Contender], rounds: int) -> None:
        self._contenders = contenders
        self._rounds = rounds
        self.answers: dict[tuple[str, str], Answers] = defaultdict(Answers)
        self.memory_mb: dict[str, tuple[float, float]] = {}

    async def run(self) -> None:
        """Ask everybody everything."""
        at_rest = {each.name: memory_mb(each.pid) for each in self._contenders}
        number = 100
        for name, make in TEXTS.items():
            for turn in range(self._rounds):
                number += 1
                for each in self._in_turn(turn):
                    await self._ask(each, name, make(number), turn)
        self.memory_mb = {each.name: (at_rest[each.name], memory_mb(each.pid)) for each in self._contenders}

    def _in_turn(self, turn: int) -> list[Contender]:
        """Another one begins each time."""
        first = turn % len(self._contenders)
        order = [*self._contenders[first:], *self._contenders[:first]]
        return [each for each in order if each.name != _TORCH or turn % _EVERY == 0]

    async def _ask(self, contender: Contender, name: str, text: str, turn: int) -> None:
        first, total, sound = await asked(contender, text)
        answers = self.answers[contender.name, name]
        answers.first_seconds[turn] = first
        answers.paces.append(sound / total)


async def asked(contender: Contender, text: str) -> tuple[float, float, float]:
    """Seconds to the first sound, seconds in all, seconds of sound."""
    if isinstance(contender, Bare):
        spent, sound = await contender.compute(text)
        return spent, spent, sound
    heard = await speak(contender.port, text, streaming=True)
    return heard.first_seconds, heard.total_seconds, heard.seconds


async def measure(rounds: int) -> list[Figure]:
    """Set up what is missing, start everybody, ask, and end them."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        contenders: list[Contender] = [
            *ours(folder),
            wyoming_piper(),
            wyoming_kokoro_torch(),
            bare_kokoro_onnx(),
            bare_kokoro(),
        ]
        for each in contenders:
            stack.push_async_callback(each.stop)
            await each.start()
            await asked(each, "Good evening, everybody.")
        bench = SideBySide(contenders, rounds)
        await bench.run()
    return list(_figures(bench, contenders[0].name))


def _figures(bench: SideBySide, best: str) -> Iterator[Figure]:
    for (name, text), answers in bench.answers.items():
        firsts = [1000 * seconds for seconds in answers.first_seconds.values()]
        yield Figure.of(SECTION, f"first sound, {text}: {name}", firsts, "ms")
        yield Figure.of(SECTION, f"first sound, {text}, p95: {name}", [percentile(firsts, 0.95)], "ms")
        yield Figure.of(SECTION, f"sound in a second, {text}: {name}", answers.paces, "s")
    for name, (at_rest, after) in bench.memory_mb.items():
        yield Figure.of(SECTION, f"memory at rest: {name}", [at_rest], "MB")
        yield Figure.of(SECTION, f"memory after all texts: {name}", [after], "MB")
    yield Figure.of(SECTION, f"first sound, three words: {best} / {_PIPER}", _ratios(bench, best, _PIPER), "x", "< 1")
    yield Figure.of(SECTION, f"first sound, three words: {_TORCH} / {best}", _ratios(bench, _TORCH, best), "x", ">= 15")


def _ratios(bench: SideBySide, one: str, other: str) -> list[float]:
    """Of the same rounds."""
    these, those = (bench.answers[name, "three words"].first_seconds for name in (one, other))
    return [these[turn] / those[turn] for turn in these if turn in those]


def main() -> None:
    """For a look at this part alone."""
    from benchmarks.figure import print_figures

    print_figures(asyncio.run(measure(rounds=6)))


if __name__ == "__main__":
    main()
