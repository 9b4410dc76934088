"""All unsettled jobs, by cast. Pure: fed with the records of `jobs` and `progress/done`."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming_kokoro.core.watermark import WatermarkTracker
from wyoming_kokoro.model.cast import JobKind
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import Cancel, Job, Receipt, Sequenced


@dataclass(slots=True)
class WantedCast:
    """The unsettled jobs of one cast."""

    cast_id: CastId
    kind: JobKind
    recipe: Recipe
    jobs: dict[SeqNum, Job] = field(default_factory=dict)
    cancels: dict[SeqNum, Cancel] = field(default_factory=dict)

    @property
    def is_taken_back(self) -> bool:
        """Whether nobody wants it any more."""
        return len(self.cancelled()) == len(self.jobs)

    @property
    def seq_nums(self) -> tuple[SeqNum, ...]:
        """All records of `jobs` that a receipt of this cast has to name."""
        return tuple(sorted([*self.jobs, *self.cancels]))

    def cancelled(self) -> tuple[SeqNum, ...]:
        """The jobs that were taken back by a later record."""
        return tuple(
            job
            for job in self.jobs
            if any(job < seq_num and cancel.job in (None, job) for seq_num, cancel in self.cancels.items())
        )


@dataclass(slots=True)
class Backlog:
    """What still has to be done, and how far everything is done."""

    watermark: WatermarkTracker = field(default_factory=WatermarkTracker)
    jobs_tail: SeqNum = 0
    """Next record of `jobs` that was not taken in."""
    _casts: dict[CastId, WantedCast] = field(default_factory=dict)
    _cast_of: dict[SeqNum, CastId] = field(default_factory=dict)

    def __len__(self) -> int:
        """Number of unsettled jobs."""
        return len(self._cast_of)

    def get(self, cast_id: CastId) -> WantedCast | None:
        """The unsettled jobs of a cast, if any."""
        return self._casts.get(cast_id)

    def casts(self) -> list[WantedCast]:
        """All casts with unsettled jobs, oldest first."""
        return list(self._casts.values())

    def add_job(self, sequenced: Sequenced) -> WantedCast | None:
        """Take in the next record of `jobs`; returns the cast that it asks something of."""
        seq_num, record = sequenced.seq_num, sequenced.record
        self.jobs_tail = seq_num + 1
        if not isinstance(record, Job | Cancel):
            self.watermark.skip(seq_num)
            return None
        if self.watermark.is_settled(seq_num):
            return None
        wanted = self._casts.get(record.cast_id)
        if isinstance(record, Cancel):
            if wanted is None:
                # Nothing is left to cancel.
                self.watermark.skip(seq_num)
                return None
            wanted.cancels[seq_num] = record
        else:
            if wanted is None:
                wanted = self._casts[record.cast_id] = WantedCast(record.cast_id, record.kind, record.recipe)
            wanted.jobs[seq_num] = record
        self._cast_of[seq_num] = record.cast_id
        return wanted

    def add_receipt(self, sequenced: Sequenced) -> CastId | None:
        """Take in the next record of `progress/done`; returns the cast whose jobs it settles."""
        record = sequenced.record
        if not isinstance(record, Receipt):
            self.watermark.settle(sequenced.seq_num, ())
            return None
        self.watermark.settle(sequenced.seq_num, record.jobs)
        for job in record.jobs:
            self._forget(job)
        return record.cast_id

    def _forget(self, seq_num: SeqNum) -> None:
        cast_id = self._cast_of.pop(seq_num, None)
        wanted = None if cast_id is None else self._casts.get(cast_id)
        if wanted is None:
            return
        wanted.jobs.pop(seq_num, None)
        wanted.cancels.pop(seq_num, None)
        if not wanted.jobs:
            # Nothing is left to cancel, here as in a worker that meets the cancel only now.
            for cancel in wanted.cancels:
                self._cast_of.pop(cancel, None)
                self.watermark.skip(cancel)
            del self._casts[wanted.cast_id]
