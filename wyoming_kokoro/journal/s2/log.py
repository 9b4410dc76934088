"""The journal on an S2 server: s2-lite, or s2.dev."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.waiting import first_of
from wyoming_kokoro.journal.batch import check_address, pack
from wyoming_kokoro.journal.following import Bells
from wyoming_kokoro.journal.s2 import reading
from wyoming_kokoro.journal.s2.entry import Entry
from wyoming_kokoro.journal.s2.lane import Lane
from wyoming_kokoro.journal.s2.link import Link, prepare
from wyoming_kokoro.journal.s2.wire import incoming, outgoing
from wyoming_kokoro.journal.timestamps import Timestamps
from wyoming_kokoro.journal.under_way import UnderWay
from wyoming_kokoro.model.errors import LogUnavailableError, SeqNumMismatchError
from wyoming_kokoro.model.records import COMMANDS, Unreadable
from wyoming_kokoro.ports import Lost, Usage, Won

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Sequence

    import s2_sdk

    from wyoming_kokoro.journal.s2.place import Place
    from wyoming_kokoro.model.position import Ack, Cursor, SeqNum
    from wyoming_kokoro.model.records import Record, Sequenced
    from wyoming_kokoro.ports import Clock

T = TypeVar("T")

_FINISH_SECONDS = 3.0
"""So long may take what was begun before the journal is closed; a supervisor gives a service ten in all."""


class S2Log:
    """`ports.Log` on one basin, beside any number of others. Made by `open_s2`."""

    def __init__(self, link: Link, clock: Clock) -> None:
        """The link is the log's from now on."""
        self._link = link
        self._clock = clock
        self._timestamps = Timestamps(clock)
        writer = clock.entropy(6).hex()
        self._tags = (f"{writer}.{number}".encode() for number in itertools.count())
        self._lanes: dict[str, Lane] = {}
        self._bells = Bells()
        self._under_way = UnderWay()
        self._closing = asyncio.Event()

    @property
    def exclusive(self) -> bool:
        """Others may write to the same basin."""
        return False

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """See `ports.Log`. Also raises `JournalError` where S2 does not let us."""
        self._check_open()
        check_address(stream, fencing_token)
        batch = pack(records)
        stamps = [self._timestamps.next_ms(0)] * len(records)
        return await self._append(stream, outgoing(batch, next(self._tags), stamps), match_seq_num, fencing_token)

    async def restore(self, stream: str, records: Sequence[Sequenced]) -> None:
        """See `moving.Target`."""
        self._check_open()
        batch, stamps = pack([each.record for each in records]), [each.timestamp_ms for each in records]
        await self._append(stream, outgoing(batch, next(self._tags), stamps), records[0].seq_num, None)

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """See `ports.Log`."""
        try:
            return Won(await self.append(stream, records, match_seq_num=0))
        except SeqNumMismatchError:
            return Lost(await self._first_of_ours(stream))

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """See `ports.Log`. Returns after about 1 MiB."""
        self._check_open()
        page = await reading.page_from(self._link, stream, start, limit)
        return [incoming(record) for record in page.records]

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        self._check_open()
        if limit <= 0:
            return []
        if before is None:
            page = await reading.newest_page(self._link, stream, limit)
            end = page.records[0].seq_num + limit if page.records else 0
        else:
            end = min(before, await reading.tail_of(self._link, stream))
            page = await reading.page_from(self._link, stream, end - limit, limit)
        found = page.records
        while page.records and found[-1].seq_num + 1 < end:
            page = await reading.page_from(self._link, stream, found[-1].seq_num + 1, limit)
            found += page.records
        return [incoming(record) for record in reversed(found) if record.seq_num < end][:limit]

    async def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """See `ports.Log`; `LogUnavailableError` once the journal is closed."""
        bell, backoff = self._bells.hang(stream), Backoff(self._clock, first_seconds=0.05, most_seconds=1.0)
        try:
            while True:
                bell.clear()
                try:
                    page = await self._until_closed(reading.poll(self._link, stream, start))
                except LogUnavailableError:
                    await self._until_closed(self._link.reach.back())
                    continue
                for record in page.records:
                    if record.seq_num >= start:
                        start = record.seq_num + 1
                        yield incoming(record)
                if page.is_there:
                    backoff.reset()
                else:
                    await self._until_closed(first_of(bell.wait(), backoff.wait()))
        finally:
            self._bells.take_down(stream, bell)

    async def check_tail(self, stream: str) -> SeqNum:
        """See `ports.Log`."""
        self._check_open()
        return await reading.tail_of(self._link, stream)

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """See `ports.Log`."""
        self._check_open()
        return await reading.names(self._link, prefix, start_after, limit)

    async def usage(self) -> Usage:
        """Nothing: S2 does not tell how large a basin is, so nothing is removed for its size."""
        self._check_open()
        return Usage(0, 0)

    async def make_room(self) -> None:
        """See `ports.Log`: S2 keeps none, its disk is its own matter."""

    async def restore_room(self) -> bool:
        """See `ports.Log`: S2 keeps none, so there is always enough."""
        return True

    async def close(self) -> None:
        """See `ports.Log`. Followers meet a `LogUnavailableError`; what an S2 that hangs does not answer is given up."""
        self._closing.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                await self._under_way.ended()
        await asyncio.gather(*(lane.close() for lane in tuple(self._lanes.values())))
        await self._link.close()

    async def _append(
        self, stream: str, records: list[s2_sdk.Record], match_seq_num: SeqNum | None, fencing_token: str | None
    ) -> Ack:
        self._link.reach.check()
        with self._under_way:
            entry = Entry(records, match_seq_num, fencing_token)
            self._lane(stream).put(entry)
            ack = await entry.answer
        self._bells.ring(stream)
        return ack

    def _check_open(self) -> None:
        if self._closing.is_set():
            raise LogUnavailableError("the journal is closed")

    def _lane(self, stream: str) -> Lane:
        lane = self._lanes.get(stream)
        if lane is None:
            lane = self._lanes[stream] = Lane(self._link, stream, partial(self._lanes.pop, stream))
        return lane

    async def _first_of_ours(self, stream: str) -> Sequenced | None:
        start = 0
        while records := await self.read(stream, start, limit=16):
            for record in records:
                if not isinstance(record.record, (*COMMANDS, Unreadable)):
                    return record
            start = records[-1].seq_num + 1
        return None

    async def _until_closed(self, work: Coroutine[object, object, T]) -> T:
        """What it returns; a `LogUnavailableError` where the journal is closed meanwhile, which ends the work."""
        working = asyncio.ensure_future(work)
        try:
            await first_of(working, self._closing.wait())
            self._check_open()
            return working.result()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def open_s2(place: Place, clock: Clock, *, streams: Sequence[str] = (), waits: bool = False) -> S2Log:
    """Open the journal in a basin, making it and those streams where they are missing; what exists stays as it is.

    Raises `JournalError` where the place can't be or we may not use it, and `LogUnavailableError` where S2 does not answer,
    unless it `waits` until it does.
    """
    link = Link(place, clock)
    try:
        while not await _prepared(link, streams, waits=waits):
            await link.reach.back()
    except BaseException:
        await link.close()
        raise
    return S2Log(link, clock)


async def _prepared(link: Link, streams: Sequence[str], *, waits: bool) -> bool:
    try:
        await prepare(link, streams)
    except LogUnavailableError:
        if waits:
            return False
        raise
    return True
