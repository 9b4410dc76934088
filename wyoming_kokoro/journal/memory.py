"""A journal in memory: for tests and simulations, and for a server that may forget."""

from __future__ import annotations

import asyncio
import weakref
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from wyoming_kokoro.journal.batch import check_address, pack
from wyoming_kokoro.journal.codec import decode
from wyoming_kokoro.journal.following import Bells, follow
from wyoming_kokoro.journal.stream_state import StreamState
from wyoming_kokoro.journal.timestamps import Timestamps
from wyoming_kokoro.journal.under_way import UnderWay
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import COMMANDS, Sequenced, Unreadable
from wyoming_kokoro.ports import Lost, Usage, Won

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from wyoming_kokoro.journal.batch import Batch
    from wyoming_kokoro.journal.codec import Encoded
    from wyoming_kokoro.model.position import Cursor, SeqNum
    from wyoming_kokoro.model.records import Record
    from wyoming_kokoro.ports import Clock

T = TypeVar("T")

_FOLLOW_RECORDS = 64


class _Stored(NamedTuple):
    timestamp_ms: int
    encoded: Encoded


class StoredStream:
    """The bytes of one stream; those of trimmed records are dropped."""

    def __init__(self) -> None:
        self.state = StreamState()
        self.records: dict[SeqNum, _Stored] = {}
        self.size_bytes = 0

    def write(self, batch: Batch, stamps: Sequence[int]) -> Ack:
        """Put the batch at the tail, each record with its timestamp."""
        before, self.state = self.state, self.state.after(batch, stamps[-1])
        for seq_num, (encoded, timestamp_ms) in enumerate(zip(batch.encoded, stamps, strict=True), before.tail):
            self.records[seq_num] = _Stored(timestamp_ms, encoded)
            self.size_bytes += encoded.metered_bytes
        for seq_num in range(before.first, self.state.first):
            self.size_bytes -= self.records.pop(seq_num).encoded.metered_bytes
        return Ack(before.tail, self.state.tail)

    def record(self, seq_num: SeqNum) -> Sequenced:
        """A record that is not trimmed, decoded afresh."""
        timestamp_ms, encoded = self.records[seq_num]
        return Sequenced(seq_num, timestamp_ms, decode(list(encoded.headers), encoded.body))


_EMPTY = StoredStream()


class MemoryStorage:
    """What outlives the logs opened on it, as a disk or a server would. Several logs may be open on it at once."""

    def __init__(self) -> None:
        self.streams: dict[str, StoredStream] = {}
        self.bells = Bells()

    def stream(self, name: str) -> StoredStream:
        """The stream of that name, or an empty one that must not be written to."""
        return self.streams.get(name, _EMPTY)


class MemoryLog:
    """`ports.Log` in memory; what it stores are bytes."""

    def __init__(
        self,
        clock: Clock,
        *,
        storage: MemoryStorage | None = None,
        exclusive: bool = True,
        delay: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        """`delay` is awaited with the stream's name before an append takes effect, one after another within a stream."""
        self._clock = clock
        self._storage = MemoryStorage() if storage is None else storage
        self._exclusive = exclusive
        self._delay = delay
        self._timestamps = Timestamps(clock)
        self._turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._under_way = UnderWay()
        self._closed = False

    @property
    def exclusive(self) -> bool:
        """As it was told."""
        return self._exclusive

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """See `ports.Log`. The event loop runs before it takes effect, and again before it returns."""
        self._check_open()
        check_address(stream, fencing_token)
        batch = pack(records)

        def write() -> Ack:
            self._storage.stream(stream).state.judge(stream, match_seq_num, fencing_token)
            return self._write(stream, batch)

        return await self._in_turn(stream, write)

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """See `ports.Log`."""
        self._check_open()
        check_address(stream, None)
        batch = pack(records)

        def write() -> Won | Lost:
            if self._storage.stream(stream).state.tail == 0:
                return Won(self._write(stream, batch))
            return Lost(self._first_of_ours(stream))

        return await self._in_turn(stream, write)

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        self._check_open()
        await asyncio.sleep(0)
        return self._read(stream, start, limit)

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """See `ports.Log`."""
        self._check_open()
        await asyncio.sleep(0)
        found = self._storage.stream(stream)
        top = found.state.tail if before is None else min(before, found.state.tail)
        bottom = max(found.state.first, top - limit)
        return [found.record(seq_num) for seq_num in range(top - 1, bottom - 1, -1)]

    def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """See `ports.Log`."""

        async def read(name: str, cursor: Cursor) -> Sequence[Sequenced]:
            return await self.read(name, cursor, limit=_FOLLOW_RECORDS)

        return follow(read, self._storage.bells, self._clock, lambda: self._closed, stream, start)

    async def check_tail(self, stream: str) -> SeqNum:
        """See `ports.Log`."""
        self._check_open()
        await asyncio.sleep(0)
        return self._storage.stream(stream).state.tail

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """See `ports.Log`."""
        self._check_open()
        await asyncio.sleep(0)
        floor = start_after.encode()
        names = (name for name in self._storage.streams if name.startswith(prefix) and name.encode() > floor)
        return sorted(names, key=str.encode)[: max(0, limit)]

    async def usage(self) -> Usage:
        """See `ports.Log`."""
        self._check_open()
        size_bytes = sum(stream.size_bytes for stream in self._storage.streams.values())
        return Usage(size_bytes, size_bytes)

    async def make_room(self) -> None:
        """See `ports.Log`: none is kept."""

    async def restore_room(self) -> bool:
        """See `ports.Log`: none is kept, so there is always enough."""
        return True

    async def close(self) -> None:
        """See `ports.Log`; the storage stays as it is."""
        self._closed = True
        await self._under_way.ended()
        self._storage.bells.ring_all()

    def _check_open(self) -> None:
        if self._closed:
            raise LogUnavailableError("the journal is closed")

    async def _in_turn(self, stream: str, write: Callable[[], T]) -> T:
        """Writers of one stream wait in line, so that they take effect in the order of their coming."""
        with self._under_way:
            async with self._turns.setdefault(stream, asyncio.Lock()):
                await asyncio.sleep(0)
                if self._delay is not None:
                    await self._delay(stream)
                result = write()
        await asyncio.sleep(0)
        return result

    def _write(self, stream: str, batch: Batch) -> Ack:
        target = self._storage.streams.setdefault(stream, StoredStream())
        ack = target.write(batch, [self._timestamps.next_ms(target.state.newest_ms)] * len(batch.encoded))
        self._storage.bells.ring(stream)
        return ack

    def _read(self, stream: str, start: Cursor, limit: int) -> list[Sequenced]:
        found = self._storage.stream(stream)
        first = max(start, found.state.first)
        return [found.record(seq_num) for seq_num in range(first, min(found.state.tail, first + limit))]

    def _first_of_ours(self, stream: str) -> Sequenced | None:
        found = self._storage.stream(stream)
        records = (found.record(seq_num) for seq_num in range(found.state.first, found.state.tail))
        return next((record for record in records if not isinstance(record.record, (*COMMANDS, Unreadable))), None)
