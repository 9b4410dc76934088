"""Background tasks that nobody awaits: each has a name, each is watched, all are stopped together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine

_LOGGER = logging.getLogger(__name__)


class TaskSet:
    """Tasks of one owner. A lasting one that ends is the end of the owner: `failed` carries why."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def start(self, work: Coroutine[object, object, None], *, name: str, lasting: bool = False) -> asyncio.Task[None]:
        """Run it until it ends or the set is stopped; once it is stopped, not at all."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended_lasting if lasting else self._ended)
        if self._is_stopped:
            task.cancel()
        return task

    async def stop(self) -> None:
        """Cancel what is running, and wait for it."""
        self._is_stopped = True
        while tasks := list(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # Where all had ended already, nothing was waited for, and they are still to be discarded.
            await asyncio.sleep(0)
        if not self.failed.done():
            self.failed.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _LOGGER.error("%s failed unexpectedly", task.get_name(), exc_info=error)

    def _ended_lasting(self, task: asyncio.Task[None]) -> None:
        self._ended(task)
        if task.cancelled() or self.failed.done():
            return
        self.failed.set_exception(task.exception() or RuntimeError(f"{task.get_name()} ended unexpectedly"))
        self.failed.exception()  # whoever owns the set may look later: it is not "never retrieved"
