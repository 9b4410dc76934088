"""How casts end: last records, dead letters and receipts, in this order, in the background.

While a cast is ending no new attempt at it is opened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.opening import Answered
from wyoming_kokoro.core.reading import read_newest
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import JobKind, Outcome
from wyoming_kokoro.model.errors import CastCutError, LogError
from wyoming_kokoro.model.ids import JOBS, JOBS_DEAD, CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import DeadLetter, Eos, EosReason, Fail, Receipt

_LOGGER = logging.getLogger(__name__)

_Work = Callable[[], Coroutine[object, object, bool]]
"""Writes the last records; returns whether all of them could be written."""


class Ender:
    """Ends casts for one worker."""

    def __init__(self, shop: Workshop, ended: Callable[[CastId, bool], None]) -> None:
        """`ended` is told which cast has ended, and whether all of it could be written."""
        self._shop = shop
        self._ended = ended
        self._ending: set[CastId] = set()
        self._changed = Signal()

    def is_ending(self, cast_id: CastId) -> bool:
        """Whether its last records are being written."""
        return cast_id in self._ending

    async def idle(self) -> None:
        """Return when no cast is ending."""
        while self._ending:
            await self._changed.wait(self._changed.count)

    def complete(self, attempt: Attempt) -> None:
        """Everything was said."""
        eos = attempt.eos(EosReason.COMPLETE)
        self._begin(attempt.cast_id, lambda: self._close(attempt, eos, Outcome.DONE), end=eos)

    def cut(self, attempt: Attempt) -> None:
        """Nobody wants the rest."""
        eos = attempt.eos(EosReason.CUT)
        self._begin(attempt.cast_id, lambda: self._close(attempt, eos, Outcome.CANCELLED), end=eos)

    def fail(self, attempt: Attempt, reason: str) -> None:
        """It can't be made."""
        _LOGGER.error("cast %s is given up: %s", attempt.cast_id, reason)
        end = Fail(reason=reason, jobs_tail=self._shop.backlog.jobs_tail)
        self._begin(attempt.cast_id, lambda: self._fail(attempt, reason), end=end)

    def answer(self, wanted: WantedCast, answered: Answered) -> None:
        """Its stream already says what became of these jobs: they only lack their receipt."""
        self._begin(wanted.cast_id, lambda: self._answer(wanted, answered))

    def cancel(self, wanted: WantedCast, attempt: Attempt | None) -> None:
        """Some of its jobs were taken back; it is cut when no other job wants it."""
        cancelled = wanted.cancelled()
        if len(cancelled) < len(wanted.jobs) or not wanted.jobs:
            receipt = self._receipt(wanted, (*cancelled, *wanted.cancels), Outcome.CANCELLED)
            self._shop.tasks.start(self._settle_some(receipt), name=f"cancelled[{wanted.cast_id}]")
        elif attempt is not None:
            self.cut(attempt)
        else:
            receipt = self._receipt(wanted, wanted.seq_nums, Outcome.CANCELLED)
            self._begin(wanted.cast_id, lambda: self._settle(receipt), end=CastCutError("it was cancelled"))

    def _begin(self, cast_id: CastId, work: _Work, *, end: Eos | Fail | CastCutError | None = None) -> None:
        self._ending.add(cast_id)
        if end is not None:
            self._shop.feeds.close(cast_id, end)
        self._shop.tasks.start(self._end(cast_id, work), name=f"ending[{cast_id}]")

    async def _end(self, cast_id: CastId, work: _Work) -> None:
        is_written = False
        try:
            is_written = await work()
        finally:
            self._ending.discard(cast_id)
            self._changed.notify()
            self._ended(cast_id, is_written)

    async def _close(self, attempt: Attempt, eos: Eos, outcome: Outcome) -> bool:
        if not await attempt.close(eos):
            return False
        if outcome is Outcome.DONE and attempt.is_faithful:
            self._shop.library.add(attempt.cast_id)
        if wanted := self._shop.backlog.get(attempt.cast_id):
            # Who asked for it after it was taken back has it made anew; the text of a live cast can't be had again.
            is_taken_back = outcome is Outcome.CANCELLED and attempt.kind is JobKind.SPEAK
            jobs = (*wanted.cancelled(), *wanted.cancels) if is_taken_back else wanted.seq_nums
            await self._settle(attempt.receipt(jobs, outcome))
        return True

    async def _fail(self, attempt: Attempt, reason: str) -> bool:
        jobs_tail = await self._jobs_tail()
        if not await attempt.close(Fail(reason=reason, jobs_tail=jobs_tail)):
            return False
        await self._shop.took_in_jobs(jobs_tail)
        if wanted := self._shop.backlog.get(attempt.cast_id):
            jobs = tuple(job for job in wanted.seq_nums if job < jobs_tail)
            if jobs:
                await self._bury(wanted, jobs, reason)
                await self._settle(attempt.receipt(jobs, Outcome.DEAD))
        return True

    async def _answer(self, wanted: WantedCast, answered: Answered) -> bool:
        match answered.end:
            case Fail(reason=reason, jobs_tail=jobs_tail):
                await self._shop.took_in_jobs(jobs_tail)
                jobs = tuple(job for job in wanted.seq_nums if job < jobs_tail)
                await self._bury(wanted, jobs, reason)
                await self._settle(self._receipt(wanted, jobs, Outcome.DEAD))
            case Eos(reason=EosReason.CUT):
                await self._settle(self._receipt(wanted, answered.jobs, Outcome.CANCELLED))
            case Eos(count=count):
                receipt = Receipt(
                    cast_id=wanted.cast_id,
                    jobs=answered.jobs,
                    outcome=Outcome.DONE,
                    sentences=count,
                    reused=count,
                    audio_ms=answered.playback.audio_ms,
                    voice=wanted.recipe.voice,
                    worker=self._shop.name,
                )
                await self._settle(receipt)
        return True

    async def _bury(self, wanted: WantedCast, jobs: tuple[SeqNum, ...], reason: str) -> None:
        """One dead letter for each of these jobs, also after a crash between it and the receipt, or beside another worker."""
        backoff = Backoff(self._shop.clock)
        while True:
            try:
                newest, tail = await read_newest(self._shop.log, JOBS_DEAD)
                letters = [each.record for each in newest if isinstance(each.record, DeadLetter)]
                buried = {job for letter in letters if letter.cast_id == wanted.cast_id for job in letter.jobs}
                if left := tuple(job for job in jobs if job not in buried):
                    await self._shop.log.append(JOBS_DEAD, [_letter(wanted, left, reason)], match_seq_num=tail)
            except LogError:
                await backoff.wait()
            else:
                return

    async def _jobs_tail(self) -> SeqNum:
        backoff = Backoff(self._shop.clock)
        while True:
            try:
                return await self._shop.log.check_tail(JOBS)
            except LogError:
                await backoff.wait()

    async def _settle(self, receipt: Receipt) -> bool:
        if await self._shop.settling.settle(receipt):
            self._shop.metrics.count(Counter.casts_total, receipt.outcome.value)
            _LOGGER.info(
                "cast %s is %s: %d sentences, %d ms of audio in %d ms",
                receipt.cast_id,
                receipt.outcome,
                receipt.sentences,
                receipt.audio_ms,
                receipt.gen_ms,
            )
        return True

    async def _settle_some(self, receipt: Receipt) -> None:
        await self._settle(receipt)

    def _receipt(self, wanted: WantedCast, jobs: tuple[SeqNum, ...], outcome: Outcome) -> Receipt:
        return Receipt(cast_id=wanted.cast_id, jobs=jobs, outcome=outcome, voice=wanted.recipe.voice, worker=self._shop.name)


def _letter(wanted: WantedCast, jobs: tuple[SeqNum, ...], reason: str) -> DeadLetter:
    return DeadLetter(cast_id=wanted.cast_id, jobs=jobs, reason=reason, kind=wanted.kind, recipe=wanted.recipe)
