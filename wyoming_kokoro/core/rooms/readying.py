"""The casts that one room waits for: each is watched from the moment it is queued, so that nobody is asked for it late."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection

from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.readiness import Ready
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.model.position import SeqNum


class Readying:
    """Of one room."""

    def __init__(self, stage: Stage, changed: Callable[[], None]) -> None:
        self._stage = stage
        self._changed = changed
        self._tasks: dict[SeqNum, asyncio.Task[Ready]] = {}

    def begin(self, entry: Entry, accepted_ms: int) -> None:
        """Wait for its cast, all of it or its next sentence, as the room's speakers need."""
        announcement, room = entry.announcement, self._stage.room
        if self._stage.preferences.options.progressive:
            waiting = self._stage.readiness.begun(announcement, accepted_ms, room, entry.first_index)
        else:
            waiting = self._stage.readiness.whole(announcement, accepted_ms, room)
        task = asyncio.get_running_loop().create_task(waiting, name=f"ready[{room}]")
        task.add_done_callback(self._done)
        self._tasks[entry.order] = task

    def is_done(self, order: SeqNum) -> bool:
        """Whether it can be played, or never will be."""
        return self._tasks[order].done()

    async def ready(self, order: SeqNum) -> Ready:
        """What there is of it, once it can be played. Raises what keeps it from that."""
        return await asyncio.shield(self._tasks[order])

    def keep(self, orders: Collection[SeqNum]) -> None:
        """Let go of all others."""
        for order in self._tasks.keys() - set(orders):
            self._tasks.pop(order).cancel()

    async def close(self) -> None:
        """Wait for nothing any more."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _done(self, task: asyncio.Task[Ready]) -> None:
        if not task.cancelled():
            task.exception()  # whoever plays it asks later, or never
        self._changed()
