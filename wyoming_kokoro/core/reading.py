"""Whole streams and last words, read through ports.Log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Record, Sequenced
from wyoming_kokoro.ports import Log

R = TypeVar("R", bound=Record)


async def read_through(log: Log, stream: str, start: Cursor = 0) -> AsyncIterator[Sequenced]:
    """Every record from `start` to the tail, then the end."""
    while records := await log.read(stream, start):
        for sequenced in records:
            yield sequenced
        start = records[-1].seq_num + 1


async def read_newest(log: Log, stream: str, *, limit: int = 100) -> tuple[Sequence[Sequenced], Cursor]:
    """The newest records, newest first, and the tail of the stream when there were no newer ones."""
    records, tail = await log.read_back(stream, limit=limit), 0
    if not records:
        # In this order: what is written between the two looks lies above that tail.
        tail = await log.check_tail(stream)
        records = await log.read_back(stream, limit=limit) if tail else records
    return records, (records[0].seq_num + 1 if records else tail)


async def read_last(log: Log, stream: str, kind: type[R]) -> tuple[R | None, Cursor]:
    """The newest record of that kind, and the tail of the stream when it was read."""
    records, tail = await read_newest(log, stream)
    while records:
        for sequenced in records:
            if isinstance(sequenced.record, kind):
                return sequenced.record, tail
        records = await log.read_back(stream, before=records[-1].seq_num)
    return None, tail


async def scan_cast(log: Log, cast_id: CastId) -> Playback:
    """What a cast's stream amounts to now."""
    playback = Playback()
    async for sequenced in read_through(log, cast_stream(cast_id)):
        playback.add(sequenced)
    return playback
