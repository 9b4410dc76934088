"""What wants to be made, as it arrives: jobs from the log, listeners that come and go, text of live casts."""

from __future__ import annotations

from collections.abc import Callable

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.elsewhere import Elsewhere
from wyoming_kokoro.core.expectation import Expectation
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.ids import JOBS, CastId
from wyoming_kokoro.model.records import Cancel, Job, Sequenced


class Arrivals:
    """Keeps the scheduler's picture of who waits for what."""

    def __init__(
        self,
        shop: Workshop,
        elsewhere: Elsewhere,
        *,
        stop_speaking: Callable[[CastId], None],
        cancel: Callable[[WantedCast], None],
    ) -> None:
        self._shop = shop
        self._elsewhere = elsewhere
        self._stop_speaking = stop_speaking
        self._cancel = cancel
        shop.feeds.watch(self._heard)

    def resume(self) -> None:
        """Begin with what is there. Where all who could wait for it would be here, nobody waits for that any more."""
        due_at = None if self._shop.log.exclusive else self._shop.clock.monotonic()
        for wanted in self._shop.backlog.casts():
            self.want(wanted, due_at=due_at)
            if wanted.cancels:
                self._cancel(wanted)

    async def follow_jobs(self) -> None:
        """Take in jobs as they are accepted; never returns."""
        async for sequenced in self._shop.log.follow(JOBS, self._shop.backlog.jobs_tail):
            self._take_in(sequenced)
            self._shop.changed.notify()

    async def follow_text(self, cast_id: CastId, text: SpokenText) -> None:
        """Wake the worker whenever more of a live text has arrived; returns at its end."""
        while text.end is None:
            await text.changed.wait(text.changed.count)
            self._wake(cast_id)

    async def resume_after(self, cast_id: CastId, seconds: float) -> None:
        """Look at the cast again after a while."""
        await self._shop.clock.sleep(seconds)
        self._wake(cast_id)

    async def resume_when_caught_up(self, attempt: Attempt) -> None:
        """Look at the cast again when the log has all of it that was made."""
        await attempt.caught_up()
        self._wake(attempt.cast_id)

    def look_at(self, cast_id: CastId) -> None:
        """There may be something to do for the cast now."""
        self._make_way(cast_id)
        self._wake(cast_id)

    def want(self, wanted: WantedCast, *, due_at: float | None) -> None:
        """The cast has unsettled jobs; somebody waits for it since `due_at`, or nobody does."""
        if not wanted.jobs:
            return
        urgent = max(wanted.jobs.values(), key=lambda job: job.priority)
        is_new = wanted.cast_id not in self._shop.scheduler
        self._shop.scheduler.put(
            wanted.cast_id, priority=urgent.priority, room=urgent.room, source=urgent.source, due_at=due_at
        )
        if is_new and not self._is_ours_first(wanted):
            self._elsewhere.defer(wanted.cast_id)
        self._make_way(wanted.cast_id)
        self._shop.changed.notify()

    def _is_ours_first(self, wanted: WantedCast) -> bool:
        """Whether no other worker is to have it before this one: somebody waits for it here, or it was begun here."""
        is_awaited = self._shop.feeds.listeners(wanted.cast_id) or self._shop.scheduler.is_expected(wanted.cast_id)
        if self._shop.log.exclusive or is_awaited:
            return True
        first = next(iter(wanted.recipe.sentences), None)
        return first is not None and self._shop.voicing.has_begun(wanted.recipe.utterance(first))

    def _wake(self, cast_id: CastId) -> None:
        self._shop.scheduler.text(cast_id, available=True)
        self._shop.changed.notify()

    def _take_in(self, sequenced: Sequenced) -> None:
        wanted = self._shop.backlog.add_job(sequenced)
        if wanted is None:
            return
        match sequenced.record:
            case Job(due_ms=None):
                self.want(wanted, due_at=None)
            case Job(due_ms=int() as due_ms):
                self.want(wanted, due_at=self._due_at(wanted.cast_id, due_ms, sequenced.timestamp_ms))
            case Cancel():
                self._cancel(wanted)
            case _:
                pass

    def _due_at(self, cast_id: CastId, due_ms: int, written_ms: int) -> float | None:
        """When it is due; never, where all who could wait for it would be here, and nobody is."""
        now = self._shop.clock.monotonic()
        if not self._shop.log.exclusive:
            # By the clock of whoever asked: ours may say something else.
            return now + (due_ms - written_ms) / 1000
        return now + (due_ms - self._shop.clock.now_ms()) / 1000 if self._shop.feeds.listeners(cast_id) else None

    def _make_way(self, cast_id: CastId) -> None:
        """A critical cast stops the sentence under way, any due cast one that nobody waits for."""
        stopped = self._shop.scheduler.stopped_by(cast_id, self._shop.clock.monotonic())
        if stopped is not None:
            self._stop_speaking(stopped)

    def _heard(self, cast_id: CastId, listeners: int) -> None:
        """The number of a cast's listeners in this process changed."""
        if cast_id not in self._shop.scheduler:
            return
        now = self._shop.clock.monotonic()
        if not listeners:
            self._shop.scheduler.demand(cast_id, None)
            # A live cast that waits for text has to be looked at: it may have to be cut.
            self._shop.scheduler.text(cast_id, available=True)
            if not self._shop.scheduler.is_expected(cast_id):
                self._stop_speaking(cast_id)
        else:
            self._elsewhere.hurry(cast_id)
            # Who came first set the time.
            self._shop.scheduler.demand(cast_id, now)
        self._shop.changed.notify()

    def expect(self, cast_id: CastId, room: str, expectation: Expectation | None) -> None:
        """A room here waits for the cast like that, or (None) no longer."""
        self._shop.scheduler.expect(cast_id, room, expectation)
        if expectation is not None and cast_id in self._shop.scheduler:
            self._elsewhere.hurry(cast_id)
            self._make_way(cast_id)
        self._shop.changed.notify()
