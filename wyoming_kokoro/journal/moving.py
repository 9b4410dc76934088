"""Moves a journal from one log to another, record by record, each to the number that it had, so that cursors stay valid.

It may be broken off at any moment and begun again: what is there already is compared, and the rest is copied. Where the source
has trimmed a stream's head, the target gets pad records in its place, and trims them.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from wyoming_kokoro.journal.batch import MAX_METERED_BYTES, MAX_RECORDS
from wyoming_kokoro.journal.codec import encode
from wyoming_kokoro.journal.fingerprint import Fingerprint, fenced_by
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, JournalError
from wyoming_kokoro.model.records import COMMANDS, Fence, Sequenced, Trim, Unreadable
from wyoming_kokoro.ports import Log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from wyoming_kokoro.model.position import SeqNum

_AT_ONCE = 8
"""Streams that are copied side by side: an append costs a round trip and a disk's flush."""
_PAGE = 1000


class Target(Log, Protocol):
    """A log that a journal can be moved to."""

    async def restore(self, stream: str, records: Sequence[Sequenced]) -> None:
        """Append those records, the next ones of the stream, with the timestamps that they had. Raises as `append` does."""
        ...


@dataclass(slots=True)
class Moved:
    """What was done so far."""

    streams: int = 0
    of_streams: int = 0
    records: int = 0
    """Copied by this run."""
    pads: int = 0
    unreadable: int = 0
    """Records that no program of this version can read; pads stand in their places."""


class Mover:
    """One move. Nobody may write to either side meanwhile."""

    def __init__(self, source: Log, target: Target, told: Callable[[Moved], None]) -> None:
        """`told` is called after every stream."""
        self._source = source
        self._target = target
        self._told = told
        self.moved = Moved()

    async def move(self) -> Moved:
        """Copy what is missing, and compare all. Raises `LogError`: `JournalError` where the target holds anything else."""
        names = [name async for name in _names(self._source)]
        if not names:
            raise JournalError("there is nothing to copy: the source is empty")
        self.moved.of_streams = len(names)
        await self._refuse_strangers(set(names))
        waiting = asyncio.Semaphore(_AT_ONCE)

        async def one(name: str) -> None:
            async with waiting:
                await self._move_stream(name)
                self.moved.streams += 1
                self._told(self.moved)

        try:
            async with asyncio.TaskGroup() as group:
                for name in names:
                    group.create_task(one(name))
        except* Exception as errors:
            raise errors.exceptions[0] from errors
        return self.moved

    async def _refuse_strangers(self, names: set[str]) -> None:
        async for name in _names(self._target):
            if name not in names and await self._target.check_tail(name):
                raise JournalError(f"the target has a stream {name!r} that the source has not: choose an empty one")

    async def _move_stream(self, name: str) -> None:
        tail = await self._source.check_tail(name)
        there = await self._target.check_tail(name)
        first = await self._first(name, tail)
        if there > tail or not await self._is_equal(name, first, there):
            raise JournalError(f"the target's stream {name!r} holds something else: choose an empty one")
        if there < first.seq_num:
            there = await self._pad(name, there, first)
        await self._copy(name, there)
        if await self._target.check_tail(name) != await self._source.check_tail(name):
            raise JournalError(f"stream {name!r} is still being written to: stop every server, then go on")
        if not await self._is_equal(name, first, tail):
            raise JournalError(f"stream {name!r} did not arrive as it was: begin again with an empty target")

    async def _first(self, name: str, tail: SeqNum) -> Sequenced:
        """The first record that is left, or what may stand in its place at the tail."""
        found = await self._source.read(name, 0, limit=1)
        return found[0] if found else Sequenced(tail, 0, Trim(0))

    async def _pad(self, name: str, start: SeqNum, first: Sequenced) -> SeqNum:
        """Fill the target up to the first record that is left; the last pad takes all of them away."""
        token = await fenced_by(self._source, name) if start < first.seq_num else ""
        for begin in range(start, first.seq_num, MAX_RECORDS):
            end = min(begin + MAX_RECORDS, first.seq_num)
            records = [Sequenced(number, first.timestamp_ms, Trim(0)) for number in range(begin, end)]
            if end == first.seq_num:
                _close(records, token)
            await self._restore(name, records)
            self.moved.pads += len(records)
        return first.seq_num

    async def _copy(self, name: str, start: SeqNum) -> None:
        while page := await self._source.read(name, start, limit=_PAGE):
            for batch in _batches(self._readable(page)):
                await self._restore(name, batch)
                self.moved.records += len(batch)
            start = page[-1].seq_num + 1

    async def _restore(self, name: str, records: Sequence[Sequenced]) -> None:
        """Append them; nobody else writes there, so the tail tells what a lost reply did not."""
        try:
            await self._target.restore(name, records)
        except AppendOutcomeUnknownError:
            if await self._target.check_tail(name) != records[-1].seq_num + 1:
                raise

    def _readable(self, page: Sequence[Sequenced]) -> Iterator[Sequenced]:
        for sequenced in page:
            if isinstance(sequenced.record, Unreadable):
                self.moved.unreadable += 1
                yield replace(sequenced, record=Trim(0))
            else:
                yield sequenced

    async def _is_equal(self, name: str, first: Sequenced, end: SeqNum) -> bool:
        """Whether both hold the same below `end`; before the first record of the source that is left, only pads may stand."""
        if end <= first.seq_num:
            head = await self._target.read(name, 0)
            return all(isinstance(sequenced.record, COMMANDS) for sequenced in head)
        ours, theirs = [await Fingerprint.of(log, name, first.seq_num, end) for log in (self._source, self._target)]
        return ours == theirs


def _close(pads: list[Sequenced], token: str) -> None:
    """Make the last of them trim all of them, and keep the fence that holds, whose record is trimmed."""
    last = pads[-1]
    pads[-1] = replace(last, record=Trim(last.seq_num + 1))
    if token:
        place = max(0, len(pads) - 2)  # a single pad can't do both; the fence matters, and every reader passes over it
        pads[place] = replace(pads[place], record=Fence(token))


def _batches(records: Iterator[Sequenced]) -> Iterator[list[Sequenced]]:
    """As many as fit into one append each."""
    batch: list[Sequenced] = []
    size_bytes = 0
    for sequenced in records:
        metered_bytes = encode(sequenced.record).metered_bytes
        if batch and (len(batch) == MAX_RECORDS or size_bytes + metered_bytes > MAX_METERED_BYTES):
            yield batch
            batch, size_bytes = [], 0
        batch.append(sequenced)
        size_bytes += metered_bytes
    if batch:
        yield batch


async def _names(log: Log) -> AsyncIterator[str]:
    start_after = ""
    while page := await log.list_streams("", start_after=start_after):
        for name in page:
            yield name
        start_after = page[-1]
