"""Our torch engine beside the official pipeline as it is shipped: the same texts, weights and threads, in turn, many rounds.

python -m benchmarks.torch_engine [--rounds 9] [--threads 0] [--json FILE]

Each lives in a process of its own, as a server has it, and goes from text to samples on the processor; only one of them works
at a time. A ratio is the median over the rounds of (time of the official one / time of ours) within one round, so that
whatever else the machine does meets both; in brackets the quarter points of it. `cpu` is the same of processor time. Memory
is what the process had after loading, and the most that it had.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple, Self

from benchmarks.official import official_pipeline
from wyoming_kokoro.engine.child_config import ChildConfig, open_model
from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.recipe import Boundary, Utterance

VOICE = "af_heart"
TEXTS = {
    "word": "Done.",
    "clause": "Good morning everyone,",
    "sentence": "The front door was left open and the living room is now two degrees colder.",
    "long": (
        "Today will be mostly cloudy with a high of fourteen degrees, and there is a small chance of rain in the afternoon, so "
        "you may want to take an umbrella when you leave for work at eight thirty this morning."
    ),
}

Speak = Callable[[str], object]


class Took(NamedTuple):
    """Of one text, once."""

    wall_seconds: float
    cpu_seconds: float
    most_bytes: int
    """Of the process, until then."""


def ours(kind: str, threads: int) -> Speak:
    """An engine of ours as its own process has it."""
    engine = open_model(ChildConfig(model=kind, threads=threads, voice=VOICE), lambda step: None)
    engine.warm_up()

    def speak(text: str) -> object:
        utterance = Utterance(
            spoken=text,
            voice=VOICE,
            speed=1.0,
            language="en-US",
            opens=Boundary.SENTENCE,
            closes=Boundary.SENTENCE,
            model="any",
        )
        return engine.speak(utterance, Stop())

    return speak


def opened(kind: str, threads: int) -> Speak:
    """`official`, or an engine of ours by its name."""
    if kind == "official":
        with tempfile.TemporaryDirectory() as scratch:
            speak = official_pipeline(fetch().folder, VOICE, Path(scratch), threads=threads)
            speak("Ready.")
        return speak
    return ours(kind, threads)


class Speaking:
    """One of them in its process."""

    def __init__(self, kind: str, threads: int) -> None:
        command = [sys.executable, "-m", "benchmarks.torch_engine", "--be", kind, "--threads", str(threads)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.loaded_bytes = int(self._ask(""))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def took(self, text: str) -> Took:
        """Speak it once."""
        return Took(*json.loads(self._ask(text)))

    def _ask(self, text: str) -> str:
        assert self._process.stdin is not None and self._process.stdout is not None
        if text:
            print(text, file=self._process.stdin, flush=True)
        return self._process.stdout.readline()


def be(kind: str, threads: int) -> None:
    """The other end: tell the memory once loaded, then speak line by line."""
    speak = opened(kind, threads)
    print(_status("VmRSS"), flush=True)
    for line in sys.stdin:
        cpu, wall = time.process_time(), time.perf_counter()
        speak(line.rstrip("\n"))
        took = Took(time.perf_counter() - wall, time.process_time() - cpu, _status("VmHWM"))
        print(json.dumps(took), flush=True)


def compared(text: str, official: Speaking, own: Speaking, rounds: int) -> dict[str, float]:
    """Each first in every other round, after one round that does not count."""
    pairs: list[tuple[Took, Took]] = []
    for number in range(rounds + 1):
        first, second = (official, own) if number % 2 else (own, official)
        results = {id(each): each.took(text) for each in (first, second)}
        if number:
            pairs.append((results[id(official)], results[id(own)]))
    walls = [base.wall_seconds / mine.wall_seconds for base, mine in pairs]
    quarters = quantiles(walls, n=4)
    return {
        "official_seconds": median(base.wall_seconds for base, _ in pairs),
        "torch_seconds": median(mine.wall_seconds for _, mine in pairs),
        "ratio": median(walls),
        "ratio_low": quarters[0],
        "ratio_high": quarters[2],
        "cpu_ratio": median(base.cpu_seconds / mine.cpu_seconds for base, mine in pairs),
        "official_most_bytes": pairs[-1][0].most_bytes,
        "torch_most_bytes": pairs[-1][1].most_bytes,
    }


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def run(rounds: int, threads: int, place: Path | None) -> None:
    """Measure and print."""
    results: dict[str, Any] = {"threads": threads, "rounds": rounds, "load": os.getloadavg()[0], "texts": {}, "memory": {}}
    print(f"{rounds} rounds, {threads} threads, load {results['load']:.1f}")
    print(f"{'':<10}{'official':>10}{'torch':>10}{'ratio':>8}{'':<15}{'cpu':>6}", flush=True)
    with Speaking("official", threads) as official, Speaking("torch", threads) as own:
        for name, text in TEXTS.items():
            figures = results["texts"][name] = compared(text, official, own, rounds)
            spread = f" ({figures['ratio_low']:.2f}..{figures['ratio_high']:.2f})"
            times = "".join(f"{1000 * figures[f'{each}_seconds']:>7.0f} ms" for each in ("official", "torch"))
            print(f"{name:<10}{times}{figures['ratio']:>8.2f}{spread:<15}{figures['cpu_ratio']:>6.2f}", flush=True)
        for kind, speaking in (("official", official), ("torch", own)):
            most = int(figures[f"{kind}_most_bytes"])
            results["memory"][kind] = {"loaded_bytes": speaking.loaded_bytes, "most_bytes": most}
            print(f"{kind:<10}{speaking.loaded_bytes / 1e6:>7.0f} MB loaded, {most / 1e6:.0f} MB at most", flush=True)
    if place is not None:
        place.write_text(json.dumps(results, indent=2), encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--be", choices=("official", "torch"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    threads = arguments.threads or allowed_cores()
    if arguments.be:
        be(arguments.be, threads)
    else:
        run(arguments.rounds, threads, arguments.json)


if __name__ == "__main__":
    main()
