"""Eight rooms that ask for long texts at the same moment, and one listener who does not read.

python -m benchmarks.fairness [--engine auto]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from wyoming.audio import AudioChunk, AudioStop
from wyoming.client import AsyncTcpClient
from wyoming.tts import Synthesize

from benchmarks.client import speak
from benchmarks.figure import Figure, print_figures
from benchmarks.process import memory_mb
from benchmarks.server import ServerProcess, running
from wyoming_kokoro.model.audio import SPEECH

SECTION = "many at once"
ROOMS = 8
_SUBJECTS = ("kitchen", "garage", "garden", "cellar", "attic", "hall", "study", "porch")
_VERBS = ("was opened", "was closed", "is warm", "is dark", "was cleaned", "is quiet", "needs light", "looks fine", "is locked")


@dataclass(slots=True)
class Room:
    """What one room heard, and when."""

    arrivals: list[tuple[float, float]] = field(default_factory=list)
    """Moment, and seconds of sound that came with it."""
    due: float = 0.0
    worst_lead_seconds: float = 0.0
    """Sound that was there, less what should have been heard by then; a listener who ran dry waits, then goes on."""

    def hear(self, seconds: float) -> None:
        """That much more has come."""
        now = time.monotonic()
        if not self.arrivals:
            self.due = now
        self.worst_lead_seconds = min(self.worst_lead_seconds, self.due - now)
        self.due = max(self.due, now) + seconds
        self.arrivals.append((now, seconds))

    def heard_by(self, moment: float) -> float:
        """Seconds of sound until then."""
        return sum(seconds for at, seconds in self.arrivals if at <= moment)


async def measure(engine: str = "auto") -> list[Figure]:
    """One server, both things."""
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), "--engine", engine) as server:
            await server.logged("ready")
            return [*await _rooms(server), *await _stalled(server)]


async def _rooms(server: ServerProcess) -> list[Figure]:
    rooms = [Room() for _ in range(ROOMS)]
    await asyncio.gather(*(_listen(server.port, number, room) for number, room in enumerate(rooms)))
    first_end = min(room.arrivals[-1][0] for room in rooms)
    longest = max(seconds for room in rooms for _, seconds in _sentences(room))
    losses = [-room.worst_lead_seconds / longest for room in rooms]
    shares = jain([room.heard_by(first_end) for room in rooms])
    return [
        Figure.of(SECTION, "Jain index of eight rooms' sound when the first ends", [shares], "", ">= 0.95"),
        Figure.of(SECTION, "worst lead loss of eight rooms / longest sentence", [max(losses)], "x", "<= 1"),
    ]


def _sentences(room: Room) -> list[tuple[float, float]]:
    """Sound that came within 20 ms belongs together: a sentence comes in many small chunks."""
    gathered: list[tuple[float, float]] = []
    for at, seconds in room.arrivals:
        if gathered and at - gathered[-1][0] < 0.02:
            gathered[-1] = (at, gathered[-1][1] + seconds)
        else:
            gathered.append((at, seconds))
    return gathered


async def _listen(port: int, number: int, room: Room) -> None:
    text = " ".join(f"The {_SUBJECTS[number]} {verb}, as camera {number}{index} says." for index, verb in enumerate(_VERBS))
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Synthesize(text=text, context={"room": _SUBJECTS[number]}).event())
        while (event := await client.read_event()) is not None and not AudioStop.is_type(event.type):
            if AudioChunk.is_type(event.type):
                room.hear(len(event.payload or b"") / 2 / SPEECH.rate)


async def _stalled(server: ServerProcess) -> list[Figure]:
    """A text of minutes that is asked for and never read, and what a doorbell notices of it."""
    alone = [(await speak(server.port, f"Bell {number} rings.")).first_seconds for number in range(5)]
    text = " ".join(f"Line {number} of the report is read to nobody at all." for number in range(60))
    async with AsyncTcpClient("127.0.0.1", server.port) as client:
        await client.write_event(Synthesize(text=text).event())
        while (event := await client.read_event()) is not None and not AudioChunk.is_type(event.type):
            pass
        await _settled(server)
        before = memory_mb(server.pid)
        beside = [(await speak(server.port, f"Bell {number} rings again.")).first_seconds for number in range(5)]
        after = memory_mb(server.pid)
    ratio = median(beside) / median(alone)
    return [
        Figure.of(SECTION, "doorbell's first sound beside a listener who does not read / alone", [ratio], "x"),
        Figure.of(SECTION, "memory beside him: afterwards / before", [after / before], "x", "<= 1.05"),
    ]


async def _settled(server: ServerProcess) -> None:
    """Until his cast is done, or two minutes are over: it is made all the same."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(120):
            done = server.log.count("is done")
            while server.log.count("is done") == done:
                await server.more()


def jain(shares: Sequence[float]) -> float:
    """1.0 where all have the same, 1/n where one has everything."""
    return sum(shares) ** 2 / (len(shares) * sum(share * share for share in shares))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="auto")
    print_figures(asyncio.run(measure(parser.parse_args().engine)))


if __name__ == "__main__":
    main()
