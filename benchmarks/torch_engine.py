"""Our torch engine beside the official pipeline as it is shipped: the same texts, weights and threads, in turn, many rounds.

python -m benchmarks.torch_engine [--rounds 9] [--threads 0] [--json FILE]

Both go from text to samples on the processor. A ratio is the median over the rounds of (time of the official one / time of
ours) within one round, so that whatever else the machine does meets both; in brackets the quarter points of it. `cpu` is the
same of processor time. What each needs of memory is measured in a process of its own: after loading, and at most while it
speaks the long text.
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
from typing import Any, NamedTuple

from benchmarks.official import official_pipeline
from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.kokoro import Kokoro
from wyoming_kokoro.engine.kokoro_onnx import OnnxNetwork
from wyoming_kokoro.engine.kokoro_torch import TorchNetwork
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


def ours(kind: str, threads: int) -> Speak:
    """An engine of ours, in this process."""
    folder = fetch().folder
    network = TorchNetwork if kind == "torch" else OnnxNetwork
    engine = Kokoro(folder, lambda: network(folder, threads=threads), voice=VOICE, language="en-US")
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


def took(speak: Speak, text: str) -> Took:
    """Speak it once."""
    cpu, wall = time.process_time(), time.perf_counter()
    speak(text)
    return Took(time.perf_counter() - wall, time.process_time() - cpu)


def compared(text: str, official: Speak, own: Speak, rounds: int) -> dict[str, float]:
    """Each first in every other round, after one round that does not count."""
    pairs: list[tuple[Took, Took]] = []
    for number in range(rounds + 1):
        order = (official, own) if number % 2 else (own, official)
        results = [took(speak, text) for speak in order]
        if number:
            pairs.append((results[0], results[1]) if number % 2 else (results[1], results[0]))
    walls = [base.wall_seconds / mine.wall_seconds for base, mine in pairs]
    quarters = quantiles(walls, n=4)
    return {
        "official_seconds": median(base.wall_seconds for base, _ in pairs),
        "torch_seconds": median(mine.wall_seconds for _, mine in pairs),
        "ratio": median(walls),
        "ratio_low": quarters[0],
        "ratio_high": quarters[2],
        "cpu_ratio": median(base.cpu_seconds / mine.cpu_seconds for base, mine in pairs),
    }


def memory_bytes(kind: str, threads: int) -> tuple[int, int]:
    """Resident after loading, and at most, of a process that loads it and speaks the long text three times."""
    command = [sys.executable, "-m", "benchmarks.torch_engine", "--memory-of", kind, "--threads", str(threads)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, most = json.loads(result.stdout.splitlines()[-1])
    return loaded, most


def _tell_memory(kind: str, threads: int) -> None:
    speak = opened(kind, threads)
    loaded = _status("VmRSS")
    for _ in range(3):
        speak(TEXTS["long"])
    print(json.dumps([loaded, _status("VmHWM")]))


def _status(field: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def run(rounds: int, threads: int, place: Path | None) -> None:
    """Measure and print."""
    official, own = (opened(kind, threads) for kind in ("official", "torch"))
    results: dict[str, Any] = {"threads": threads, "rounds": rounds, "load": os.getloadavg()[0], "texts": {}, "memory": {}}
    print(f"{rounds} rounds, {threads} threads, load {results['load']:.1f}")
    print(f"{'':<10}{'official':>10}{'torch':>10}{'ratio':>8}{'':<15}{'cpu':>6}")
    for name, text in TEXTS.items():
        figures = results["texts"][name] = compared(text, official, own, rounds)
        spread = f" ({figures['ratio_low']:.2f}..{figures['ratio_high']:.2f})"
        times = "".join(f"{1000 * figures[f'{each}_seconds']:>7.0f} ms" for each in ("official", "torch"))
        print(f"{name:<10}{times}{figures['ratio']:>8.2f}{spread:<15}{figures['cpu_ratio']:>6.2f}", flush=True)
    for kind in ("official", "torch", "onnx"):
        loaded, most = memory_bytes(kind, threads)
        results["memory"][kind] = {"loaded_bytes": loaded, "most_bytes": most}
        print(f"{kind:<10}{loaded / 1e6:>7.0f} MB loaded, {most / 1e6:.0f} MB at most", flush=True)
    if place is not None:
        place.write_text(json.dumps(results, indent=2), encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory-of", choices=("official", "torch", "onnx"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    threads = arguments.threads or allowed_cores()
    if arguments.memory_of:
        _tell_memory(arguments.memory_of, threads)
    else:
        run(arguments.rounds, threads, arguments.json)


if __name__ == "__main__":
    main()
