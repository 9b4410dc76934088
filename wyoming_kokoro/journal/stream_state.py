"""What a stream knows of itself, and how an append changes it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import FencingTokenMismatchError, SeqNumMismatchError

if TYPE_CHECKING:
    from wyoming_kokoro.journal.batch import Batch
    from wyoming_kokoro.model.position import SeqNum


@dataclass(frozen=True, slots=True)
class StreamState:
    """Where a stream stands; as it begins, nothing was ever written."""

    tail: SeqNum = 0
    first: SeqNum = 0
    """Records below it are trimmed."""
    fencing_token: str = ""
    newest_ms: int = 0
    """Timestamp of the newest record."""

    def judge(self, stream: str, match_seq_num: SeqNum | None, fencing_token: str | None) -> None:
        """Raise the mismatch that an append under those conditions meets; the fence is checked first."""
        if fencing_token is not None and fencing_token != self.fencing_token:
            raise FencingTokenMismatchError(stream, self.fencing_token)
        if match_seq_num is not None and match_seq_num != self.tail:
            raise SeqNumMismatchError(stream, self.tail)

    def after(self, batch: Batch, timestamp_ms: int) -> StreamState:
        """Where the stream stands once the batch is in it; `timestamp_ms` is never below `newest_ms`.

        A trim reaches no further than its own record.
        """
        reached = (min(first, self.tail + place + 1) for place, first in batch.trims)
        return StreamState(
            tail=self.tail + len(batch.encoded),
            first=max(self.first, *reached, 0),
            fencing_token=self.fencing_token if batch.fence is None else batch.fence,
            newest_ms=timestamp_ms,
        )
