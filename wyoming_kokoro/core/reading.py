"""Whole streams and last words, read through ports.Log."""

from __future__ import annotations

from collections.abc import AsyncIterator
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


async def read_last(log: Log, stream: str, kind: type[R]) -> tuple[R | None, Cursor]:
    """The newest record of that kind, and the tail of the stream when it was read."""
    before: Cursor | None = None
    tail = 0
    while records := await log.read_back(stream, before=before):
        tail = tail or records[0].seq_num + 1
        for sequenced in records:
            if isinstance(sequenced.record, kind):
                return sequenced.record, tail
        before = records[-1].seq_num
    return None, tail or await log.check_tail(stream)


async def scan_cast(log: Log, cast_id: CastId) -> Playback:
    """What a cast's stream amounts to now."""
    playback = Playback()
    async for sequenced in read_through(log, cast_stream(cast_id)):
        playback.add(sequenced)
    return playback
