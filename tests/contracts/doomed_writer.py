"""A process that writes batches of three until it is killed, and says what was acked: `batch start`, a line each."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.ports import Log

AT_ONCE = 8


async def write(log: Log, batch: int) -> None:
    ack = await log.append("s", [line(batch)] * 3)
    print(batch, ack.start, flush=True)


async def main(data_dir: Path, first_batch: int) -> None:
    log = await open_sqlite(data_dir, HandClock())
    batch, begun = first_batch, set[asyncio.Task[None]]()
    while True:
        begun.add(asyncio.ensure_future(write(log, batch)))
        batch += 1
        if len(begun) == AT_ONCE:
            _, begun = await asyncio.wait(begun, return_when=asyncio.FIRST_COMPLETED)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
