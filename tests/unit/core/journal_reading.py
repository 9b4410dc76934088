"""Looks into a journal for tests: what stands in it, and what rots."""

from __future__ import annotations

from typing import TypeVar

from wyoming_kokoro.journal.memory import MemoryStorage
from wyoming_kokoro.model.ids import JOBS_DEAD, PROGRESS_DONE, CastId, cast_stream
from wyoming_kokoro.model.records import Audio, DeadLetter, Receipt, Record, Start

R = TypeVar("R", bound=Record)


def records(storage: MemoryStorage, stream: str, kind: type[R]) -> list[R]:
    """The records of that kind in a stream, in order."""
    found = storage.stream(stream)
    stored = [found.record(seq_num).record for seq_num in sorted(found.records)]
    return [record for record in stored if isinstance(record, kind)]


def receipts(storage: MemoryStorage) -> list[Receipt]:
    """What became of all jobs."""
    return records(storage, PROGRESS_DONE, Receipt)


def dead_letters(storage: MemoryStorage) -> list[DeadLetter]:
    """What was given up."""
    return records(storage, JOBS_DEAD, DeadLetter)


def starts(storage: MemoryStorage, cast_id: CastId) -> list[Start]:
    """The attempts at a cast."""
    return records(storage, cast_stream(cast_id), Start)


def indexes(storage: MemoryStorage, cast_id: CastId) -> list[int]:
    """The sentences of a cast in the order of their records."""
    return [audio.index for audio in records(storage, cast_stream(cast_id), Audio)]


def rot(storage: MemoryStorage, cast_id: CastId, index: int) -> None:
    """Damage the newest record of that sentence."""
    stream = storage.streams[cast_stream(cast_id)]
    for seq_num in sorted(stream.records, reverse=True):
        record = stream.record(seq_num).record
        if isinstance(record, Audio) and record.index == index:
            stored = stream.records[seq_num]
            body = bytes([stored.encoded.body[0] ^ 1]) + stored.encoded.body[1:]
            stream.records[seq_num] = stored._replace(encoded=stored.encoded._replace(body=body))
            return
    raise AssertionError(f"cast {cast_id} has no sentence {index}")
