"""What the parts of one worker share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from wyoming_kokoro.core.backlog import Backlog
from wyoming_kokoro.core.feeds import Feeds
from wyoming_kokoro.core.guarded_log import GuardedLog
from wyoming_kokoro.core.library import Library
from wyoming_kokoro.core.metrics import Metrics
from wyoming_kokoro.core.reuse import SpokenSentences
from wyoming_kokoro.core.scheduler import Scheduler
from wyoming_kokoro.core.settling import Settling
from wyoming_kokoro.core.shelf import Shelf
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.core.voicing import Voicing
from wyoming_kokoro.model.cast import Outcome
from wyoming_kokoro.model.ids import JOBS, CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Receipt, Sequenced
from wyoming_kokoro.ports import Bodies, Clock, Engine


def _no_gain(_voice: str) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """One of each, made at start."""

    name: str
    """Of the worker: kept in the data directory, the same after a restart."""
    log: GuardedLog
    clock: Clock
    engine: Engine
    bodies: Bodies
    voicing: Voicing
    spoken: SpokenSentences
    library: Library
    feeds: Feeds
    backlog: Backlog
    settling: Settling
    scheduler: Scheduler
    shelf: Shelf
    changed: Signal = field(default_factory=Signal)
    """Notified when there may be something to do: a job, a listener, a text, an end."""
    tasks: TaskSet = field(default_factory=TaskSet)
    metrics: Metrics = field(default_factory=Metrics)
    gain_db: Callable[[str], float] = _no_gain
    """What brings a voice to the loudness of all others, where it is heard; by its canonical name."""

    def forget_expired(self, sequenced: Sequenced) -> None:
        """A record of `progress/done`: a cast that has expired, here or elsewhere, is no hit any more."""
        receipt = sequenced.record
        if isinstance(receipt, Receipt) and receipt.outcome is Outcome.EXPIRED:
            self.library.forget(receipt.cast_id)

    async def took_in_jobs(self, jobs_tail: SeqNum) -> None:
        """Return when every job below that place was taken in."""
        while self.backlog.jobs_tail < jobs_tail:
            await self.changed.wait(self.changed.count)

    async def caught_up_with_jobs(self) -> None:
        """Return when every job that is in the log by now was taken in."""
        await self.took_in_jobs(await self.log.check_tail(JOBS))

    def is_wanted(self, cast_id: CastId) -> bool:
        """Whether a job, or an attempt in this process, will add to the cast."""
        feed = self.feeds.get(cast_id)
        return self.backlog.get(cast_id) is not None or (feed is not None and feed.is_making)
