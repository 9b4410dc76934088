"""How long a process lives: until a signal, or until the first of its parts that can't go on."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any, TypeVar

_LOGGER = logging.getLogger(__name__)

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


@contextlib.contextmanager
def ended_in_time(stopped: asyncio.Future[None], seconds: float) -> Iterator[None]:
    """End the process where it is still there so long after the signal, and say what it hung on: in here, or in threads later.

    The last resort: whatever swallows its cancellation would make a supervisor kill it, which says nothing. Nothing that was
    accepted is lost by that, as by any other death.
    """
    loop = asyncio.get_running_loop()
    deadline = threading.Timer(seconds, lambda: _end(loop, seconds))
    deadline.daemon = True
    stopped.add_done_callback(lambda _: deadline.start())
    try:
        yield
    finally:
        if not stopped.done():
            deadline.cancel()


def _end(loop: asyncio.AbstractEventLoop, seconds: float) -> None:
    hanging = ", ".join(sorted(repr(task.get_coro()) for task in asyncio.all_tasks(loop)))
    _LOGGER.error("not stopped after %.0f s, ended now; it hung in %s", seconds, hanging)
    os._exit(0)


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
