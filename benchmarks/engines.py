"""How fast each way to compute the model is beside the model as it is shipped: all of them in turn, round after round.

python -m benchmarks.engines [--rounds 7] [--threads 0] [--texts word clause medium long] [--ways NAME ...]

A ratio is the median over the rounds of (time of the shipped one / time of this one) within one round, so that whatever else
the machine does meets both. In brackets: the smallest and the largest. `cpu` is the same of processor time.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.networks import SHIPPED, Feeds, ways
from wyoming_kokoro.engine.kokoro import Feed, Network
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.audio import SPEECH

_TEXTS = {
    "word": "Done.",
    "clause": "Good morning everyone,",
    "medium": "The front door was left open and the living room is now two degrees colder.",
    "long": (
        "Good morning. Today will be mostly cloudy with a high of fourteen degrees, and there is a small chance of rain in the "
        "afternoon, so you may want to take an umbrella when you leave for work at eight thirty this morning."
    ),
}


@dataclass(frozen=True, slots=True)
class Run:
    """One sentence by one network."""

    wall_seconds: float
    cpu_seconds: float
    sound_seconds: float


def measured(network: Network, feed: Feed) -> Run:
    """Speak it once."""
    cpu, wall = time.process_time(), time.perf_counter()
    samples, _ = network.run(feed, Stop())
    return Run(time.perf_counter() - wall, time.process_time() - cpu, len(samples) / SPEECH.rate)


def compare(networks: dict[str, Network], feed: Feed, rounds: int) -> dict[str, list[Run]]:
    """All networks in turn, round after round, after one that does not count."""
    runs: dict[str, list[Run]] = defaultdict(list)
    for number in range(rounds + 1):
        for name, network in networks.items():
            run = measured(network, feed)
            if number:
                runs[name].append(run)
    return runs


def row(name: str, runs: list[Run], shipped: list[Run]) -> str:
    """One line of the table."""
    walls = [run.wall_seconds for run in runs]
    ratios = [base.wall_seconds / run.wall_seconds for base, run in zip(shipped, runs, strict=True)]
    cpu = median(base.cpu_seconds / run.cpu_seconds for base, run in zip(shipped, runs, strict=True))
    pace = runs[0].sound_seconds / median(walls)
    spread = f"({min(ratios):.1f}..{max(ratios):.1f})"
    return f"{name:<18}{1000 * median(walls):>8.0f} ms{pace:>7.1f} x{median(ratios):>8.2f} {spread:<13}{cpu:>6.2f}"


def run(texts: Sequence[str], rounds: int, threads: int, wanted: Sequence[str] | None) -> None:
    """Measure and print."""
    folder = fetch().folder
    feeds = Feeds(folder)
    chosen = [way for way in ways(folder, threads) if not wanted or way.name in {SHIPPED, *wanted}]
    networks = {way.name: way.load() for way in chosen}
    for text in texts:
        runs = compare(networks, feeds.feed(_TEXTS[text], "af_heart"), rounds)
        load = os.getloadavg()[0]
        sound = runs[SHIPPED][0].sound_seconds
        print(f"\n{text}, {sound:.2f} s of sound, {rounds} rounds, load {load:.1f}")
        print(f"{'':<18}{'median':>11}{'pace':>9}{'ratio':>8} {'':<13}{'cpu':>6}")
        for name, those in runs.items():
            print(row(name, those, runs[SHIPPED]), flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--texts", nargs="*", choices=_TEXTS, default=list(_TEXTS))
    parser.add_argument("--ways", nargs="*")
    arguments = parser.parse_args()
    run(arguments.texts, arguments.rounds, arguments.threads, arguments.ways)


if __name__ == "__main__":
    main()
