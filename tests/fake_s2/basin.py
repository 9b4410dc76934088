"""What the fake keeps: the very streams of the journal in memory, so that S2's meaning is written once."""

from __future__ import annotations

import asyncio
import dataclasses
from itertools import accumulate

from s2_sdk._generated.s2.v1 import s2_pb2 as pb  # the messages as S2 defines them; the SDK exports none

from wyoming_kokoro.journal.batch import Batch
from wyoming_kokoro.journal.codec import Encoded, decode
from wyoming_kokoro.journal.memory import MemoryStorage, StoredStream
from wyoming_kokoro.model.errors import FencingTokenMismatchError, SeqNumMismatchError
from wyoming_kokoro.model.records import Unreadable

READ_BYTES = 1024 * 1024


class RefusalError(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, document: dict[str, object]) -> None:
        super().__init__(status, document)
        self.status = status
        self.document = document


def refusal(status: int, code: str) -> RefusalError:
    return RefusalError(status, {"code": code, "message": code.replace("_", " ")})


class Basin:
    """Streams by name."""

    def __init__(self, config: dict[str, object]) -> None:
        self.config = config
        self.stream_configs: dict[str, object] = {}
        self.trims_late = False
        """Trimmed records stay readable until `sweep`."""
        self._storage = MemoryStorage()
        self._due: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        return sorted(self._storage.streams, key=str.encode)

    def make(self, name: str, config: object) -> None:
        if name in self._storage.streams:
            raise refusal(409, "resource_already_exists")
        self._storage.streams[name] = StoredStream()
        self.stream_configs[name] = config

    def find(self, name: str) -> StoredStream:
        if name not in self._storage.streams:
            raise refusal(404, "stream_not_found")
        return self._storage.streams[name]

    def append(self, name: str, asked: pb.AppendInput, config: object) -> pb.AppendAck:
        if self.config.get("create_stream_on_append") and name not in self._storage.streams:
            self.make(name, config)
        stream = self.find(name)
        batch = _batch(asked)
        match = asked.match_seq_num if asked.HasField("match_seq_num") else None
        token = asked.fencing_token if asked.HasField("fencing_token") else None
        try:
            stream.state.judge(name, match, token)
        except SeqNumMismatchError as error:
            raise RefusalError(412, {"seq_num_mismatch": error.expected}) from error
        except FencingTokenMismatchError as error:
            raise RefusalError(412, {"fencing_token_mismatch": error.expected}) from error
        stamps = list(accumulate((record.timestamp for record in asked.records), max, initial=stream.state.newest_ms))[1:]
        ack = stream.write(dataclasses.replace(batch, trims=()) if self.trims_late else batch, stamps)
        if self.trims_late and batch.trims:
            reached = max(min(first, ack.start + place + 1) for place, first in batch.trims)
            self._due[name] = max(self._due.get(name, 0), reached)
        self._storage.bells.ring(name)
        end = pb.StreamPosition(seq_num=ack.tail, timestamp=stamps[-1])
        return pb.AppendAck(start=pb.StreamPosition(seq_num=ack.start, timestamp=stamps[-1]), end=end, tail=end)

    def sweep(self) -> None:
        """Let the trims that are due take effect."""
        for name, first in self._due.items():
            stream = self._storage.streams[name]
            for seq_num in range(stream.state.first, first):
                del stream.records[seq_num]
            stream.state = dataclasses.replace(stream.state, first=max(first, stream.state.first))
        self._due.clear()

    async def read(self, name: str, query: dict[str, str]) -> pb.ReadBatch:
        stream = self.find(name)
        start = int(query["seq_num"]) if "seq_num" in query else max(0, stream.state.tail - int(query["tail_offset"]))
        wait_seconds = int(query.get("wait", 0))
        if start > stream.state.tail or (start == stream.state.tail and not wait_seconds):
            raise RefusalError(416, {"tail": {"seq_num": stream.state.tail, "timestamp": stream.state.newest_ms}})
        if start == stream.state.tail:
            await self._wait(name, wait_seconds)
        return _read(stream, start, int(query.get("count", 1000)), int(query.get("bytes", READ_BYTES)))

    async def _wait(self, name: str, wait_seconds: int) -> None:
        bell = self._storage.bells.hang(name)
        try:
            async with asyncio.timeout(wait_seconds):
                await bell.wait()
        except TimeoutError:
            pass
        finally:
            self._storage.bells.take_down(name, bell)


def _batch(asked: pb.AppendInput) -> Batch:
    encoded = [Encoded([(header.name, header.value) for header in record.headers], record.body) for record in asked.records]
    records = [decode(each.headers, each.body) for each in encoded]
    if any(isinstance(record, Unreadable) and not each.headers[0][0] for record, each in zip(records, encoded, strict=True)):
        raise refusal(422, "invalid")
    batch = Batch.of(encoded, records)
    if batch.metered_bytes > READ_BYTES:
        raise refusal(422, "invalid")
    return batch


def _read(stream: StoredStream, start: int, count: int, size_bytes: int) -> pb.ReadBatch:
    found = pb.ReadBatch()
    for seq_num in range(max(start, stream.state.first), stream.state.tail):
        stored = stream.records[seq_num]
        size_bytes -= stored.encoded.metered_bytes
        if len(found.records) >= min(count, 1000) or size_bytes < 0:
            break
        headers = [pb.Header(name=name, value=value) for name, value in stored.encoded.headers]
        found.records.add(seq_num=seq_num, timestamp=stored.timestamp_ms, headers=headers, body=stored.encoded.body)
    return found
