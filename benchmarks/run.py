"""Everything that is measured, in one run, as one table and as JSON.

    python -m benchmarks.run [--json FILE] [--rounds 9] [--casts 1000] [--only SECTION ...] [--list]

Ratios are medians over rounds in which both sides were measured one right after the other; in brackets the smallest and the
largest. The peers are set up in environments of their own the first time (several GB, for torch). Half an hour in all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from benchmarks import cold_start, durable_append, endurance, fairness, first_figures, hand_over, side_by_side, slots
from benchmarks.figure import Figure, print_figures
from wyoming_kokoro import __version__
from wyoming_kokoro.engine.cores import allowed_cores

Section = Callable[[argparse.Namespace], Awaitable[list[Figure]]]


async def _slots(options: argparse.Namespace) -> list[Figure]:
    return await asyncio.to_thread(slots.measure, options.rounds)


async def _endurance(options: argparse.Namespace) -> list[Figure]:
    return [*await endurance.slow_engine(), *await endurance.memory(options.casts)]


_SECTIONS: dict[str, Section] = {
    side_by_side.SECTION: lambda options: side_by_side.measure(options.rounds),
    first_figures.SECTION: lambda options: first_figures.measure("auto", options.rounds),
    cold_start.SECTION: lambda options: cold_start.measure(options.rounds),
    fairness.SECTION: lambda _: fairness.measure(),
    slots.SECTION: _slots,
    hand_over.SECTION: lambda _: hand_over.measure(),
    durable_append.SECTION: lambda _: durable_append.measure(),
    endurance.SECTION: _endurance,
}


async def _run(options: argparse.Namespace) -> dict[str, object]:
    figures: list[Figure] = []
    loads: dict[str, float] = {}
    for name, measure in _SECTIONS.items():
        if options.only and name not in options.only:
            continue
        print(f"\n== {name}", flush=True)
        found = await measure(options)
        loads[name] = round(os.getloadavg()[0], 1)
        print_figures(found)
        figures.extend(found)
    missed = [figure.name for figure in figures if figure.is_met is False]
    print("\nall bars are met" if not missed else "\nmissed: " + "; ".join(missed))
    return {"machine": {**machine(), "load_after": loads}, "figures": [figure.to_json() for figure in figures]}


def machine() -> dict[str, object]:
    """What it ran on."""
    processor = next(
        (line.split(":")[1].strip() for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name")),
        platform.machine(),
    )
    return {
        "version": __version__,
        "day": time.strftime("%Y-%m-%d"),
        "processor": processor,
        "cores": allowed_cores(),
        "python": platform.python_version(),
    }


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--casts", type=int, default=1000)
    parser.add_argument("--only", nargs="*", choices=_SECTIONS)
    parser.add_argument("--list", action="store_true", help="name the sections")
    options = parser.parse_args()
    if options.list:
        print("\n".join(_SECTIONS))
        return
    # Told to stop, it ends what it has started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    found = asyncio.run(_run(options))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
