"""What the torch engine does on a real CUDA device: run it on the machine in question, it needs nothing else.

python -m benchmarks.gpu [--rounds 9] [--json FILE]

It asserts what tests can only ask of a fake device (pinned copies, the same bytes twice, half precision within its bound, the
processor after the memory has run out), then measures: time and pace of four lengths in 32 and in 16 bit and on the processor,
the distance between the two precisions, the device's memory, and first audio from a cold process to a warm one. Exit status 1
where something does not hold, 2 where torch sees no device.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.bare_engine import first_piece_seconds
from benchmarks.networks import Feeds
from benchmarks.torch_engine import TEXTS, VOICE
from tests.fake_cuda import check_driver
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.half_precision import EQUAL_DECIBELS, distance_decibels
from wyoming_kokoro.engine.kokoro import Feed
from wyoming_kokoro.engine.kokoro_torch import TorchNetwork
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.speech_model import Stop
from wyoming_kokoro.engine.torch_device import TorchCuda, found_cuda
from wyoming_kokoro.engine.weights import fetch
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.settings import EngineSettings


@dataclass
class Report:
    """What was found."""

    device: str
    checks: dict[str, bool] = field(default_factory=dict)
    texts: dict[str, dict[str, float]] = field(default_factory=dict)
    memory_bytes: dict[str, int] = field(default_factory=dict)
    engine: dict[str, float] = field(default_factory=dict)

    def check(self, name: str, holds: bool) -> None:
        """Note and tell it."""
        self.checks[name] = holds
        print(f"{'ok' if holds else 'FAILED':<8}{name}", flush=True)


class Bench:
    """The same weights in 32 bit and in what the engine itself takes on the device, and on the processor."""

    def __init__(self, folder: ModelFolder) -> None:
        threads = allowed_cores()
        self.exact = TorchNetwork(folder, threads=threads, precision="f32")
        self.chosen = TorchNetwork(folder, threads=threads)
        self.processor = TorchNetwork(folder, threads=threads, find=lambda: None)

    @property
    def networks(self) -> dict[str, TorchNetwork]:
        """By the name of their column."""
        return {"f32": self.exact, "chosen": self.chosen, "cpu": self.processor}


def measure(bench: Bench, feed: Feed, rounds: int) -> dict[str, float]:
    """Median seconds of each in turn, its pace, and the distance between the precisions."""
    seconds: dict[str, list[float]] = {name: [] for name in bench.networks}
    sounds: dict[str, Any] = {}
    for number in range(rounds + 1):
        for name, network in bench.networks.items():
            begun = time.perf_counter()
            sounds[name], _ = network.run(feed, Stop())
            if number:
                seconds[name].append(time.perf_counter() - begun)
    sound_seconds = len(sounds["f32"]) / SPEECH.rate
    figures = {f"{name}_seconds": median(those) for name, those in seconds.items()}
    return figures | {
        "sound_seconds": sound_seconds,
        "pace": sound_seconds / figures["chosen_seconds"],
        "half_decibels": min(999.0, distance_decibels(sounds["f32"], sounds["chosen"])),
    }


def check_device(report: Report, bench: Bench, feed: Feed) -> None:
    """What must hold on a device as it holds on the fake one."""
    report.check("a driver keeps its promises", _holds(lambda: check_driver(TorchCuda())))
    first, second = (bench.chosen.run(feed, Stop())[0] for _ in range(2))
    report.check("the same sentence gives the same samples", np.array_equal(first, second))
    report.check("the model is on the device", bench.chosen.device == "cuda" and bench.exact.device == "cuda")
    exact, chosen, processor = (network.run(feed, Stop())[1] for network in bench.networks.values())
    report.check("both precisions give the same durations", np.array_equal(exact, chosen))
    report.check("the processor gives durations within a frame of them", float(np.abs(exact - processor).max()) <= 1)


def check_full_memory(report: Report, folder: ModelFolder, feed: Feed) -> None:
    """Take away the device's memory, and see that the sentence is spoken."""
    import torch

    network = TorchNetwork(folder, threads=allowed_cores(), precision="f32")
    torch.cuda.set_per_process_memory_fraction(1e-6)
    try:
        torch.cuda.empty_cache()
        samples, _ = network.run(feed, Stop())
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    report.check("without memory the processor speaks", network.device == "cpu" and bool(np.abs(samples).max() > 0.01))


def _holds(ask: Callable[[], None]) -> bool:
    try:
        ask()
    except AssertionError:
        return False
    return True


async def whole_engine(report: Report) -> None:
    """From a process that does not run yet to sound, as a server has it."""
    engine = build_engine(EngineSettings(engine="torch"), SystemClock())
    begun = time.perf_counter()
    try:
        await engine.start()
        report.engine["ready_seconds"] = time.perf_counter() - begun
        report.engine["first_audio_seconds"] = await first_piece_seconds(engine, TEXTS["clause"])
        report.engine["warm_first_audio_seconds"] = await first_piece_seconds(engine, TEXTS["clause"])
    finally:
        await engine.stop()


def run(rounds: int, place: Path | None) -> int:
    """Check, measure, print. Returns the exit status."""
    if found_cuda() is None:
        print("torch sees no CUDA device here")
        return 2
    import torch

    folder = fetch().folder
    feeds = Feeds(folder)
    report = Report(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    print(report.device, flush=True)
    bench = Bench(folder)
    report.memory_bytes["three_models"] = torch.cuda.memory_allocated()
    check_device(report, bench, feeds.feed(TEXTS["clause"], VOICE))
    print(f"\n{'':<10}{'32 bit':>10}{'chosen':>10}{'cpu':>10}{'pace':>9}{'distance':>10}")
    for name, text in TEXTS.items():
        figures = report.texts[name] = measure(bench, feeds.feed(text, VOICE), rounds)
        times = "".join(f"{1000 * figures[f'{each}_seconds']:>7.1f} ms" for each in bench.networks)
        print(f"{name:<10}{times}{figures['pace']:>8.1f}x{figures['half_decibels']:>7.0f} dB", flush=True)
    worst = min(figures["half_decibels"] for figures in report.texts.values())
    report.check(f"half precision stays below -{EQUAL_DECIBELS:.0f} dB", worst >= EQUAL_DECIBELS or not bench.chosen.is_half)
    report.memory_bytes["most"] = torch.cuda.max_memory_allocated()
    check_full_memory(report, folder, feeds.feed(TEXTS["clause"], VOICE))
    asyncio.run(whole_engine(report))
    for name, size in report.memory_bytes.items():
        print(f"{size / 1e6:>8.0f} MB of the device's memory: {name.replace('_', ' ')}")
    for name, seconds in report.engine.items():
        print(f"{seconds:>8.3f} s {name.removesuffix('_seconds').replace('_', ' ')}")
    if place is not None:
        place.write_text(json.dumps(asdict(report) | {"half": bench.chosen.is_half}, indent=2), encoding="utf-8")
    return 0 if all(report.checks.values()) else 1


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    sys.exit(run(arguments.rounds, arguments.json))


if __name__ == "__main__":
    main()
