"""What tells two copies of a stream apart."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.journal.codec import encode
from wyoming_kokoro.model.errors import FencingTokenMismatchError
from wyoming_kokoro.model.records import Trim, Unreadable

if TYPE_CHECKING:
    from wyoming_kokoro.model.position import Cursor, SeqNum
    from wyoming_kokoro.model.records import Record
    from wyoming_kokoro.ports import Log

_NOBODYS_TOKEN = "nobody's, to be told whose it is"  # noqa: S105 - no secret: it is meant to be refused


class Fingerprint(NamedTuple):
    """Of a part of a stream: numbers, timestamps and bytes."""

    records: int
    checksum: str

    @classmethod
    async def of(cls, log: Log, stream: str, start: Cursor, end: SeqNum) -> Fingerprint:
        """Read that part. What can't be read counts as the pad that may stand in its place."""
        sha256, records = hashlib.sha256(), 0
        while page := await log.read(stream, start):
            for sequenced in page:
                if sequenced.seq_num >= end:
                    return cls(records, sha256.hexdigest())
                headers, body = encode(_written(sequenced.record))
                sha256.update(repr((sequenced.seq_num, sequenced.timestamp_ms, headers)).encode())
                sha256.update(hashlib.sha256(body).digest())
                records += 1
            start = page[-1].seq_num + 1
        return cls(records, sha256.hexdigest())


async def fenced_by(log: Log, stream: str) -> str:
    """The fencing token that holds in a stream; the log tells it to whoever comes with a wrong one."""
    try:
        await log.append(stream, [Trim(0)], match_seq_num=0, fencing_token=_NOBODYS_TOKEN)
    except FencingTokenMismatchError as error:
        return error.expected
    raise AssertionError("nobody's token was somebody's")


def _written(record: Record) -> Record:
    return Trim(0) if isinstance(record, Unreadable) else record
