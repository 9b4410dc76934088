"""The contiguous run of settled jobs. Pure. Jobs end out of order; the watermark moves only over a run without a gap."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Watermark


@dataclass(slots=True)
class WatermarkTracker:
    """Follows `progress/done` and says how far everything is settled; it never goes back."""

    jobs: SeqNum = 0
    """Every job below it is settled."""
    done_tail: SeqNum = 0
    """Next record of `progress/done` that it has not seen."""
    _settled_by: dict[SeqNum, SeqNum | None] = field(default_factory=dict)
    """Job at or above the watermark -> the receipt that settled it; None where it needs none."""

    @classmethod
    def resume(cls, committed: Watermark | None, *, jobs_tail: SeqNum, done_tail: SeqNum) -> WatermarkTracker:
        """Begin at a committed place; one that lies above its stream's tail counts as 0."""
        if committed is None or committed.jobs > jobs_tail or committed.done > done_tail:
            return cls()
        return cls(jobs=committed.jobs, done_tail=committed.done)

    def settle(self, receipt: SeqNum, jobs: Iterable[SeqNum]) -> None:
        """The receipt at that place settles these jobs."""
        for job in jobs:
            if job >= self.jobs and self._settled_by.get(job) is None:
                self._settled_by[job] = receipt
        self.done_tail = max(self.done_tail, receipt + 1)
        self._advance()

    def skip(self, job: SeqNum) -> None:
        """The record at that place of `jobs` asks for nothing (a command, or one that can't be read)."""
        if job >= self.jobs:
            self._settled_by.setdefault(job, None)
            self._advance()

    def is_settled(self, job: SeqNum) -> bool:
        """Whether a receipt names that job."""
        return job < self.jobs or job in self._settled_by

    @property
    def committable(self) -> Watermark:
        """The place to commit: reading on from it finds every unsettled job, and every receipt of the others."""
        receipts = (receipt for receipt in self._settled_by.values() if receipt is not None)
        return Watermark(jobs=self.jobs, done=min(receipts, default=self.done_tail))

    def _advance(self) -> None:
        while self.jobs in self._settled_by:
            del self._settled_by[self.jobs]
            self.jobs += 1
