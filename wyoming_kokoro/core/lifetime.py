"""How long a process lives: until a signal, or until the first of its parts that can't go on."""

from __future__ import annotations

import asyncio
import signal
from typing import Any, TypeVar

T = TypeVar("T")


async def comes_first(work: asyncio.Future[T], stopped: asyncio.Future[None]) -> bool:
    """Whether it ends before the signal comes; where it does not, it is given up."""
    both: list[asyncio.Future[Any]] = [work, stopped]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        return True
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    return False


async def first_end(ends: set[asyncio.Future[None]], warming: asyncio.Task[None]) -> None:
    """Wait for the signal or the first failure, which is raised; that the engine is warm is no reason to stop."""
    while True:
        waited = ends | ({warming} if not warming.done() else set())
        done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        for future in done:
            future.result()
        if done & ends:
            return


def stopped_by_signal() -> asyncio.Future[None]:
    """Done at the first SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[None] = loop.create_future()

    def stop() -> None:
        if not stopped.done():
            stopped.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    return stopped
