"""How several workers on one journal share the work, and how soon one replaces another that was killed: on a real s2-lite.

python -m benchmarks.workers [--workers 1,2,4] [--casts 32] [--pace 8] [--kills 3] [--json FILE]

The engine hums at a fixed pace, so that the cores of this machine are not the limit; ideal is so many times the pace.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from benchmarks.s2_lite import S2Lite, binary
from benchmarks.shared_journal import SharedJournal, shared_journal
from wyoming_kokoro.core.lease import LEASE_SECONDS
from wyoming_kokoro.model.ids import PROGRESS_DONE, cast_stream
from wyoming_kokoro.model.records import Audio, Eos, Receipt, Start

_ORDINALS = ("first", "second", "third", "fourth")


def _text(number: int, sentences: int) -> str:
    """No sentence is said twice, or it would be copied."""
    ordinals = (_ORDINALS[index % 4] for index in range(sentences))
    return " ".join(f"Sentence {index} of text {number} is the {each} of its four." for index, each in enumerate(ordinals))


async def throughput(journal: SharedJournal, workers: int, casts: int, pace: float) -> tuple[float, list[int]]:
    """Seconds of sound per second of wall time, and how many casts each worker made."""
    await asyncio.gather(*(journal.worker(f"worker-{number}", pace=pace) for number in range(workers)))
    began = time.monotonic()
    await asyncio.gather(*(journal.ask(_text(number, 4)) for number in range(casts)))
    receipts = await journal.until(PROGRESS_DONE, Receipt, casts)
    seconds = time.monotonic() - began
    made = [sum(receipt.worker == name for receipt in receipts) for name in journal.workers]
    return sum(receipt.audio_ms for receipt in receipts) / 1000 / seconds, made


async def takeover(journal: SharedJournal, number: int) -> tuple[float, int]:
    """Seconds from the kill in mid-sentence to the next attempt, and sentences that were made twice."""
    cast_id = await journal.ask(_text(1000 + number, 8))
    holder = await journal.holder(cast_id, 1)
    await journal.until(cast_stream(cast_id), Audio, 2)
    killed_at = time.monotonic()
    await holder.kill()
    await journal.until(cast_stream(cast_id), Start, 2)
    seconds = time.monotonic() - killed_at
    (eos,) = await journal.until(cast_stream(cast_id), Eos, 1)
    records = await journal.log.read(cast_stream(cast_id), 0)
    return seconds, sum(isinstance(each.record, Audio) for each in records) - eos.count


async def measure(options: argparse.Namespace, lite: S2Lite, folder: Path) -> dict[str, list[dict[str, float | str]]]:
    figures: dict[str, list[dict[str, float | str]]] = {"throughput": [], "takeover": []}
    print(f"{'workers':>8}{'s/s':>9}{'of ideal':>10}   casts of each")
    for workers in options.workers:
        async with shared_journal(folder / f"{workers}", lite, f"throughput-{workers}") as journal:
            rate, made = await throughput(journal, workers, options.casts, options.pace)
        share = rate / (workers * options.pace)
        figures["throughput"].append({"workers": workers, "seconds_per_second": rate, "of_ideal": share})
        print(f"{workers:>8}{rate:>9.2f}{share:>9.0%}    {' '.join(map(str, made))}", flush=True)
    print(f"\n{'kill':>8}{'seconds':>9}{'twice':>10}   bar {LEASE_SECONDS + 2:g} s, none twice")
    async with shared_journal(folder / "takeover", lite, "takeover-basin") as journal:
        for number in range(options.kills):
            await asyncio.gather(*(journal.worker(f"{number}-{each}", pace=2.0) for each in "ab"))
            seconds, twice = await takeover(journal, number)
            figures["takeover"].append({"seconds": seconds, "twice": twice})
            print(f"{number + 1:>8}{seconds:>9.2f}{twice:>10}", flush=True)
            await asyncio.gather(*(worker.kill() for worker in journal.workers.values()))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=lambda text: [int(each) for each in text.split(",")], default=[1, 2, 4])
    parser.add_argument("--casts", type=int, default=32)
    parser.add_argument("--pace", type=float, default=8.0)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if binary() is None:
        parser.error("s2-lite is not built: scripts/s2-lite --build-only")
    with tempfile.TemporaryDirectory() as folder:
        lite = S2Lite(Path(folder) / "s2-lite")
        lite.start()
        try:
            figures = asyncio.run(measure(options, lite, Path(folder)))
        finally:
            lite.stop()
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
