"""Records as the SDK takes and gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import s2_sdk

from wyoming_kokoro.journal.codec import decode
from wyoming_kokoro.journal.codec.commands import is_command
from wyoming_kokoro.model.records import Sequenced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wyoming_kokoro.journal.batch import Batch

TAG = b"q"
"""Header that the first record of a batch carries beside its own: by it an append whose reply was lost is known again."""


def outgoing(batch: Batch, tag: bytes, stamps: Sequence[int]) -> list[s2_sdk.Record]:
    """The batch with its tag. One of commands alone has no room for it, and needs none: a command may be taken for its twin."""
    place = next((place for place, encoded in enumerate(batch.encoded) if not is_command(encoded.headers)), None)
    return [
        s2_sdk.Record(
            body=encoded.body,
            headers=[*encoded.headers, (TAG, tag)] if at == place else encoded.headers,
            timestamp=stamps[at],
        )
        for at, encoded in enumerate(batch.encoded)
    ]


def incoming(record: s2_sdk.SequencedRecord) -> Sequenced:
    """What stands there."""
    return Sequenced(record.seq_num, record.timestamp, decode(list(record.headers), record.body))


def is_same(written: s2_sdk.Record, found: s2_sdk.SequencedRecord) -> bool:
    """Whether the one that was written is the one that was found, byte for byte."""
    return list(written.headers) == list(found.headers) and written.body == found.body
