"""What an append is, and what every backend refuses before it touches its storage. The limits are S2's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro.journal.codec import Encoded, encode
from wyoming_kokoro.journal.codec.commands import token_bytes
from wyoming_kokoro.model.errors import UnfitRecordsError
from wyoming_kokoro.model.records import Fence, Trim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wyoming_kokoro.model.records import Record

MAX_RECORDS = 1000
MAX_METERED_BYTES = 1024 * 1024 - 64
"""S2's, less what a backend may add to know its own records again."""
MAX_NAME_BYTES = 512


@dataclass(frozen=True, slots=True)
class Batch:
    """Records that are written all or none, as bytes, and what the commands among them mean."""

    encoded: tuple[Encoded, ...]
    fence: str | None
    """Fencing token that holds after the batch; None where it says nothing of it."""
    trims: tuple[tuple[int, int], ...]
    """Per trim: its place in the batch, and the first seq_num that is still needed."""

    @classmethod
    def of(cls, encoded: Sequence[Encoded], records: Sequence[Record]) -> Batch:
        """The batch of those bytes, which mean those records."""
        fences = [record.token for record in records if isinstance(record, Fence)]
        return cls(
            encoded=tuple(encoded),
            fence=fences[-1] if fences else None,
            trims=tuple((place, record.first) for place, record in enumerate(records) if isinstance(record, Trim)),
        )

    @property
    def metered_bytes(self) -> int:
        """Its size as S2 counts it."""
        return sum(record.metered_bytes for record in self.encoded)


def pack(records: Sequence[Record]) -> Batch:
    """The batch of those records; `UnfitRecordsError` where no journal could take it."""
    if not 1 <= len(records) <= MAX_RECORDS:
        raise UnfitRecordsError(f"an append has 1 to {MAX_RECORDS} records, this one {len(records)}")
    batch = Batch.of([encode(record) for record in records], records)
    if batch.metered_bytes > MAX_METERED_BYTES:
        raise UnfitRecordsError(f"an append has at most {MAX_METERED_BYTES} bytes, this one {batch.metered_bytes}")
    return batch


def check_address(stream: str, fencing_token: str | None) -> None:
    """Refuse names and tokens that no journal could know: `UnfitRecordsError`."""
    try:
        size = len(stream.encode())
    except UnicodeEncodeError as error:
        raise UnfitRecordsError(f"{stream!a} is no stream's name: it is not UTF-8") from error
    if not 1 <= size <= MAX_NAME_BYTES or stream in {".", ".."} or "\0" in stream:
        raise UnfitRecordsError(f"{stream[:40]!r} is no stream's name: 1 to {MAX_NAME_BYTES} bytes, not '.' or '..', no NUL")
    if fencing_token is not None:
        token_bytes(fencing_token)
