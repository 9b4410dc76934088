"""How casts leave a worker's hands: said, given up, taken back, lost to another worker, or settled by one."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.arrivals import Arrivals
from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.distant_text import DistantTexts
from wyoming_kokoro.core.elsewhere import Elsewhere
from wyoming_kokoro.core.ending import Ender
from wyoming_kokoro.core.holdings import Holdings
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import Outcome
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.records import Receipt, Sequenced

_LOGGER = logging.getLogger(__name__)

_POSTPONED_SECONDS = 5.0
"""How long a cast rests that the log would not take."""


class Leaving:
    """Lets go of one worker's casts, and brings back those that are wanted still."""

    def __init__(self, shop: Workshop, holdings: Holdings, elsewhere: Elsewhere, distant: DistantTexts) -> None:
        self._shop = shop
        self._holdings = holdings
        self._elsewhere = elsewhere
        self._distant = distant
        self.ender = Ender(shop, self._ended)
        self.arrivals = Arrivals(shop, elsewhere, stop_speaking=holdings.stop_speaking, cancel=self.cancel)
        shop.settling.watch(self._settled)

    def fail(self, attempt: Attempt, reason: str) -> None:
        """It can't be made."""
        self._holdings.forget(attempt)
        self.ender.fail(attempt, reason)

    def complete(self, attempt: Attempt) -> None:
        """Everything was said."""
        self._holdings.forget(attempt)
        self.ender.complete(attempt)

    def lose(self, attempt: Attempt) -> None:
        """The log takes no more of it: on a shared journal whoever holds the cast now is looked for."""
        self._holdings.drop(attempt)
        if attempt.is_lost:
            self._shop.metrics.count(Counter.attempts_lost_total)
            _LOGGER.info("cast %s is another worker's now", attempt.cast_id)
        if attempt.is_lost and not self._shop.log.exclusive:
            self._shop.scheduler.text(attempt.cast_id, available=True)
        else:
            self.postpone(attempt.cast_id)

    def cancel(self, wanted: WantedCast) -> None:
        """Jobs were taken back."""
        if self.ender.is_ending(wanted.cast_id):
            return
        attempt = None
        if wanted.is_taken_back:
            attempt = self._holdings.get(wanted.cast_id)
            if attempt is not None:
                self._holdings.stop_speaking(wanted.cast_id)
                self._holdings.forget(attempt)
            elif not self._shop.log.exclusive:
                self._shop.tasks.start(self._cancel_unless_held(wanted), name=f"cancel[{wanted.cast_id}]")
                return
        self.ender.cancel(wanted, attempt)

    async def _cancel_unless_held(self, wanted: WantedCast) -> None:
        """Whoever holds the cast cuts it; where nobody does, or he falls silent, it only lacks its receipt."""
        cast_id, wait = wanted.cast_id, None
        try:
            wait = await self._elsewhere.found(cast_id)
        except LogError as error:
            _LOGGER.debug("cast %s: it can't be looked at: %s", cast_id, error)
        if self._shop.backlog.get(cast_id) is not wanted or self.ender.is_ending(cast_id):
            return
        if cast_id in self._holdings:
            self.cancel(wanted)
        elif wait is not None:
            self._elsewhere.leave(cast_id, wait)
        elif wanted.is_taken_back:
            self.ender.cancel(wanted, None)

    def _settled(self, sequenced: Sequenced) -> None:
        """A receipt, ours or another worker's."""
        receipt = sequenced.record
        if not isinstance(receipt, Receipt) or self._shop.backlog.get(receipt.cast_id) is not None:
            return
        cast_id = receipt.cast_id
        self._elsewhere.forget(cast_id)
        self._distant.forget(cast_id)
        if self.ender.is_ending(cast_id):
            return
        if (attempt := self._holdings.get(cast_id)) is None:
            self._shop.scheduler.remove(cast_id)
            return
        # Nobody wants any more what is still held here: another worker has ended the cast, or taken the job back.
        self._holdings.stop_speaking(cast_id)
        if receipt.outcome is Outcome.CANCELLED:
            self._holdings.forget(attempt)
            self.ender.cut(attempt)
        else:
            self._shop.scheduler.remove(cast_id)
            self._shop.tasks.start(self._holdings.give_back(attempt), name=f"settled[{cast_id}]")

    def _ended(self, cast_id: CastId, is_written: bool) -> None:
        """Its last records are written, or can't be."""
        self._holdings.unlogged.pop(cast_id, None)
        self._shop.scheduler.remove(cast_id)
        wanted = self._shop.backlog.get(cast_id)
        if wanted is not None and wanted.cancels:
            self.cancel(wanted)
        if wanted is not None and not self.ender.is_ending(cast_id):
            # A job came too late for the receipt, or the log refused the end: look at it again.
            is_heard = self._shop.feeds.listeners(cast_id) > 0
            self.arrivals.want(wanted, due_at=self._shop.clock.monotonic() if is_heard else None)
            if not is_written:
                self.postpone(cast_id)
        self._shop.changed.notify()

    async def displace(self, cast_id: CastId, *, has_to: bool) -> None:
        """Give that cast back for one that was opened; where none was, or it is being spoken again, it stays."""
        attempt = self._holdings.get(cast_id)
        if attempt is None:
            return
        if has_to and attempt.speaking is None:
            await self._holdings.give_back(attempt)
        else:
            self._shop.scheduler.opened(cast_id)

    def postpone(self, cast_id: CastId) -> None:
        """Try the cast again after a while."""
        self._shop.scheduler.text(cast_id, available=False)
        resuming = self.arrivals.resume_after(cast_id, _POSTPONED_SECONDS)
        self._shop.tasks.start(resuming, name=f"postponed[{cast_id}]")
