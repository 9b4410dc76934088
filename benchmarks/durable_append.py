"""What an acknowledged append to the journal costs beside the disk's own fsync.

python -m benchmarks.durable_append
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

from benchmarks.figure import Figure, print_figures
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.model.ids import cast_stream
from wyoming_kokoro.model.records import Audio, checksum

SECTION = "journal"
_BODY = os.urandom(60_000)
"""A sentence of a few seconds in FLAC."""
_ROUNDS = 100


async def measure() -> list[Figure]:
    """In turn, on the same disk; `TMPDIR` says which."""
    ratios, spent = [], []
    with tempfile.TemporaryDirectory() as folder:
        log = await open_sqlite(Path(folder), SystemClock())
        try:
            with (Path(folder) / "plain").open("wb", buffering=0) as plain:
                for index in range(_ROUNDS):
                    record = _sentence(index)
                    began = time.perf_counter()
                    await log.append(cast_stream("benchmark"), [record])
                    appended = time.perf_counter() - began
                    ratios.append(appended / _fsync_seconds(plain.fileno()))
                    spent.append(1000 * appended)
        finally:
            await log.close()
    return [
        Figure.of(SECTION, "a durable append of 60 kB", spent, "ms"),
        Figure.of(SECTION, "the same / writing and fsync", ratios, "x", "<= 2"),
    ]


def _sentence(index: int) -> Audio:
    return Audio(
        index=index, duration_ms=2500, text="The lamp is on.", body=_BODY, body_format="flac", rate=24000, attempt=1,
        worker="benchmark", key="benchmark", checksum=checksum(_BODY),
    )  # fmt: skip


def _fsync_seconds(descriptor: int) -> float:
    began = time.perf_counter()
    os.write(descriptor, _BODY)
    os.fsync(descriptor)
    return time.perf_counter() - began


if __name__ == "__main__":
    print_figures(asyncio.run(measure()))
