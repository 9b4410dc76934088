"""Writes what happens in a room, as its only writer: every event once, in order, durable before it counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    FencingTokenMismatchError,
    LogUnavailableError,
    SeqNumMismatchError,
    StorageFullError,
)
from wyoming_kokoro.model.ids import room_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Fence, Record, Sequenced, Trim
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)

_TRY_AGAIN = (AppendOutcomeUnknownError, LogUnavailableError, StorageFullError)


class RoomLostError(Exception):
    """Somebody else writes for this room now."""


class RoomLedger:
    """The fenced end of `rooms/<room>`. It waits for a journal that is away: a receipt that got lost would be missed."""

    def __init__(self, log: Log, clock: Clock, tasks: TaskSet, room: str) -> None:
        self._log = log
        self._clock = clock
        self._tasks = tasks
        self._room = room
        self._stream = room_stream(room)
        self._token = clock.entropy(8).hex()
        self._turn = asyncio.Lock()
        self.tail: Cursor = 0
        """Number that the next event will get."""

    async def open(self, start: Cursor) -> list[Sequenced]:
        """Keep everybody else from writing, then read what stands there from `start` on."""
        backoff = Backoff(self._clock)
        while True:
            try:
                tail = await self._log.check_tail(self._stream)
                self.tail = (await self._log.append(self._stream, [Fence(self._token)], match_seq_num=tail)).tail
                return [each async for each in read_through(self._log, self._stream, start if start <= tail else 0)]
            except SeqNumMismatchError:
                continue
            except _TRY_AGAIN:
                await backoff.wait()

    async def write(self, *events: Record) -> None:
        """Return once they are durable. Being cancelled meanwhile changes nothing: they are written all the same, and
        whatever is written later stands behind them. Raises `RoomLostError`."""
        if events:
            writing = self._tasks.start(self._write(events), name=f"room.write[{self._room}]")
            await asyncio.shield(writing)

    async def _write(self, events: Sequence[Record]) -> None:
        backoff = Backoff(self._clock)
        async with self._turn:
            while True:
                try:
                    if await self._try(events):
                        return
                except _TRY_AGAIN as error:
                    _LOGGER.debug("room %s: an event waits for the journal: %s", self._room, error)
                    await backoff.wait()

    async def _try(self, events: Sequence[Record]) -> bool:
        """Append them; False where something else stands at their place, which is no harm. Raises `RoomLostError`."""
        try:
            ack = await self._log.append(self._stream, events, match_seq_num=self.tail, fencing_token=self._token)
        except FencingTokenMismatchError as error:
            raise RoomLostError(str(error)) from error
        except SeqNumMismatchError:
            return await self._was_written(events)
        self.tail = ack.tail
        return True

    async def _was_written(self, events: Sequence[Record]) -> bool:
        """Look at what stands there instead: ours, whose ack got lost, or trims of the retention. Raises `RoomLostError`."""
        found = [each async for each in read_through(self._log, self._stream, self.tail)]
        others = [each.record for each in found if not isinstance(each.record, Trim)]
        if found:
            self.tail = found[-1].seq_num + 1
        if not others:
            return False
        if others == list(events):
            return True
        raise RoomLostError("somebody else writes there")
