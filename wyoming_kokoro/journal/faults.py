"""A journal with faults on purpose: for simulations, and to try out by hand what an outage does."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from wyoming_kokoro.journal.under_way import UnderWay
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogError, LogUnavailableError, StorageFullError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from random import Random

    from wyoming_kokoro.model.position import Ack, Cursor, SeqNum
    from wyoming_kokoro.model.records import Record, Sequenced
    from wyoming_kokoro.ports import Clock, Log, Lost, Usage, Won

T = TypeVar("T")

_LATE_SECONDS = 3.0
"""So long a write may be under way whose caller has given up waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """How often what goes wrong, each from 0.0 to 1.0 and drawn for every call anew."""

    refuse: float = 0.0
    """An append, a claim or a read can't reach the journal."""
    lose_request: float = 0.0
    """Outcome unknown, and not written."""
    lose_reply: float = 0.0
    """Outcome unknown, though written."""
    late: float = 0.0
    """Outcome unknown, and written only afterwards: the caller may have tried again meanwhile."""
    max_delay_seconds: float = 0.0
    """A write waits up to that long before it takes effect, and its reply as long again."""


class FaultyLog:
    """`ports.Log` round another one. Equal seeds and equal calls in virtual time give equal faults."""

    def __init__(self, log: Log, random: Random, clock: Clock, faults: Faults | None = None) -> None:
        """`faults` may be replaced at any time."""
        self.faults = Faults() if faults is None else faults
        self.full = False
        """Every append and claim meets a `StorageFullError`."""
        self._log = log
        self._random = random
        self._clock = clock
        self._there = asyncio.Event()
        self._there.set()
        self._turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._under_way = UnderWay()
        self._late: set[asyncio.Task[None]] = set()

    @property
    def away(self) -> bool:
        """Nothing can be reached: calls raise `LogUnavailableError`, followers wait."""
        return not self._there.is_set()

    @away.setter
    def away(self, away: bool) -> None:
        if away:
            self._there.clear()
        else:
            self._there.set()

    @property
    def late_count(self) -> int:
        """Writes under way that nobody waits for any more."""
        return len(self._late)

    @property
    def exclusive(self) -> bool:
        """As the journal inside."""
        return self._log.exclusive

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """See `ports.Log`."""

        async def write() -> Ack:
            return await self._log.append(stream, records, match_seq_num=match_seq_num, fencing_token=fencing_token)

        return await self._write(stream, write)

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """See `ports.Log`. A lost reply here is one that reading back could not resolve either."""
        return await self._write(stream, lambda: self._log.claim(stream, records))

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        self._reach()
        return await self._log.read(stream, start, limit=limit)

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        self._reach()
        return await self._log.read_back(stream, before=before, limit=limit)

    async def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """See `ports.Log`; held up while the journal is away."""
        inside = self._log.follow(stream, start)
        try:
            async for record in inside:
                await self._there.wait()
                yield record
        finally:
            if isinstance(inside, AsyncGenerator):
                await inside.aclose()

    async def check_tail(self, stream: str) -> SeqNum:
        """See `ports.Log`."""
        self._reach()
        return await self._log.check_tail(stream)

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """See `ports.Log`."""
        self._reach()
        return await self._log.list_streams(prefix, start_after=start_after, limit=limit)

    async def usage(self) -> Usage:
        """See `ports.Log`."""
        self._reach()
        return await self._log.usage()

    async def make_room(self) -> None:
        """See `ports.Log`."""
        await self._log.make_room()

    async def restore_room(self) -> bool:
        """See `ports.Log`."""
        return not self.full and await self._log.restore_room()

    async def close(self) -> None:
        """Finish what was begun, then close the journal inside."""
        await self._under_way.ended()
        await self._log.close()

    async def _write(self, stream: str, write: Callable[[], Awaitable[T]]) -> T:
        faults = self.faults
        loses_request, loses_reply = self._falls(faults.lose_request), self._falls(faults.lose_reply)
        there_seconds, back_seconds = (self._random.uniform(0, faults.max_delay_seconds) for _ in range(2))
        is_late = faults.late > 0 and self._falls(faults.late)
        self._reach()
        if is_late:
            self._land_later(write)
            raise AppendOutcomeUnknownError(f"{stream}: no answer")
        with self._under_way:
            async with self._turns.setdefault(stream, asyncio.Lock()):
                await self._clock.sleep(there_seconds)
            self._refuse_if_down()
            if loses_request:
                raise AppendOutcomeUnknownError(f"{stream}: no answer")
            result = await write()
            await self._clock.sleep(back_seconds)
        if loses_reply or self.away:
            raise AppendOutcomeUnknownError(f"{stream}: no answer")
        return result

    def _land_later(self, write: Callable[[], Awaitable[T]]) -> None:
        seconds = self._random.uniform(0, _LATE_SECONDS)

        async def land() -> None:
            with self._under_way:
                await self._clock.sleep(seconds)
                with contextlib.suppress(LogError):
                    await write()

        landing = asyncio.get_running_loop().create_task(land(), name="late")
        self._late.add(landing)
        landing.add_done_callback(self._late.discard)

    def _reach(self) -> None:
        if self.away or self._falls(self.faults.refuse):
            raise LogUnavailableError("the journal is away")

    def _refuse_if_down(self) -> None:
        if self.away:
            raise LogUnavailableError("the journal is away")
        if self.full:
            raise StorageFullError("the journal is full")

    def _falls(self, probability: float) -> bool:
        return self._random.random() < probability
