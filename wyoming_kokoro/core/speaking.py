"""One slot's work: of all casts the one with the lowest lead gets a sentence, then all are looked at again."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.elsewhere import Elsewhere, NotYet
from wyoming_kokoro.core.holdings import Holdings
from wyoming_kokoro.core.leaving import Leaving
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.opening import Answered, Condemned, Opener
from wyoming_kokoro.core.playback import DEATHS
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.scheduler import Pick
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import (
    EngineDiedError,
    EngineError,
    EngineUnavailableError,
    LogError,
    RefusedError,
    SynthesisCancelledError,
)
from wyoming_kokoro.model.ids import CastId

_LOGGER = logging.getLogger(__name__)


class Speaking:
    """All slots of one worker's engine."""

    def __init__(self, shop: Workshop, holdings: Holdings, elsewhere: Elsewhere, opener: Opener, leaving: Leaving) -> None:
        self._shop = shop
        self._holdings = holdings
        self._elsewhere = elsewhere
        self._opener = opener
        self._leaving = leaving
        self.in_flight = 0
        """Slots that are at something."""
        self.is_stopping = False
        """Nothing new is begun."""

    async def work(self) -> None:
        """Make one sentence after the other; never returns."""
        # An attempt that is opened before the engine can speak, and ends in a crash, would look as if its text had done it.
        await self._engine_is_up()
        while True:
            seen = self._shop.changed.count
            pick = None if self._must_rest else self._shop.scheduler.pick(self._shop.clock.monotonic())
            if pick is None:
                await self._shop.changed.wait(seen)
                continue
            self.in_flight += 1
            try:
                await self._serve(pick)
            except LogError as error:
                _LOGGER.warning("cast %s has to wait: %s", pick.cast_id, error)
                self._leaving.postpone(pick.cast_id)
            finally:
                self.in_flight -= 1
                self._shop.scheduler.returned(pick.cast_id)
                if pick.cast_id not in self._holdings:
                    self._shop.scheduler.closed(pick.cast_id)
                self._shop.changed.notify()

    async def _engine_is_up(self) -> None:
        backoff = Backoff(self._shop.clock)
        while True:
            try:
                await self._shop.engine.start()
            except EngineUnavailableError as error:
                _LOGGER.debug("nothing can be spoken yet: %s", error)
                await backoff.wait()
            else:
                return

    @property
    def _must_rest(self) -> bool:
        return self.is_stopping or bool(self._holdings.suspects and self.in_flight)

    async def _serve(self, pick: Pick) -> None:
        """One sentence of that cast, or its end."""
        try:
            attempt = self._holdings.get(pick.cast_id) or await self._open(pick.cast_id)
        finally:
            if pick.displaced is not None:
                await self._leaving.displace(pick.displaced, has_to=pick.cast_id in self._holdings)
        if attempt is None:
            return
        if attempt.is_lost or (attempt.is_refused and not attempt.feed.listeners):
            self._leaving.lose(attempt)
        elif attempt.is_unheard:
            self._holdings.forget(attempt)
            self._leaving.ender.cut(attempt)
        elif attempt.is_said:
            self._leaving.complete(attempt)
        elif attempt.sentence is None:
            self._shop.scheduler.text(pick.cast_id, available=False)
        elif not attempt.has_room or self._must_be_claimed(attempt):
            self._shop.scheduler.text(pick.cast_id, available=False)
            self._shop.tasks.start(self._leaving.arrivals.resume_when_caught_up(attempt), name=f"room[{pick.cast_id}]")
        else:
            await self._speak(attempt)

    def _must_be_claimed(self, attempt: Attempt) -> bool:
        """Whether nothing is made before the log says that the cast is ours: who is not waited for here may be racing."""
        is_shared = attempt.writer is not None and not self._shop.log.exclusive
        return is_shared and not attempt.is_claimed and not attempt.feed.listeners

    async def _open(self, cast_id: CastId) -> Attempt | None:
        """An attempt at the cast; None where nothing has to be made, or not now, or not here."""
        if self._leaving.ender.is_ending(cast_id):
            self._shop.scheduler.text(cast_id, available=False)
            return None
        if (unlogged := self._holdings.unlogged.get(cast_id)) is not None:
            attempt = self._opener.open_unlogged(cast_id, unlogged.recipe, unlogged.text)
        elif (wanted := self._shop.backlog.get(cast_id)) is None:
            self._shop.scheduler.remove(cast_id)
            return None
        elif (opened := await self._open_logged(wanted)) is not None:
            attempt = opened
        else:
            return None
        self._holdings.add(attempt)
        return attempt

    async def _open_logged(self, wanted: WantedCast) -> Attempt | None:
        cast_id = wanted.cast_id
        match await self._opener.open(wanted, self._elsewhere.still_at(cast_id)):
            case NotYet() as wait:
                self._elsewhere.leave(cast_id, wait)
            case Answered() as answered:
                self._shop.scheduler.text(cast_id, available=False)
                if not self._leaving.ender.is_ending(cast_id):
                    self._leaving.ender.answer(wanted, answered)
            case Condemned(attempt, reason):
                self._leaving.ender.fail(attempt, reason)
            case Attempt() as attempt:
                self._elsewhere.forget(cast_id)
                return attempt
            case None:
                self._shop.scheduler.text(cast_id, available=False)
                if (
                    self._shop.backlog.get(cast_id) is wanted
                    and wanted.is_taken_back
                    and not self._leaving.ender.is_ending(cast_id)
                ):
                    self._leaving.ender.cancel(wanted, None)
        return None

    async def _speak(self, attempt: Attempt) -> None:
        utterance = attempt.utterance
        attempt.speaking = utterance
        if upcoming := attempt.upcoming:
            self._shop.engine.prepare(upcoming)
        try:
            voiced = await self._shop.voicing.voice(utterance)
        except (EngineError, RefusedError) as error:
            if attempt.is_open:
                await self._unspoken(attempt, error)
            return
        finally:
            attempt.speaking = None
        self._holdings.suspects.discard(attempt.cast_id)
        self._shop.metrics.voiced(voiced.seconds, voiced.gen_ms / 1000, is_reused=voiced.is_reused)
        if attempt.is_open:
            attempt.add(voiced)
            self._shop.scheduler.made(attempt.cast_id, voiced.seconds, self._shop.clock.monotonic())
            if attempt.is_said:
                self._leaving.complete(attempt)

    async def _unspoken(self, attempt: Attempt, error: EngineError | RefusedError) -> None:
        match error:
            case SynthesisCancelledError():
                pass
            case EngineDiedError():
                await self._died(attempt, error)
            case EngineUnavailableError():
                await self._holdings.give_back(attempt, error)
                self._leaving.postpone(attempt.cast_id)
            case _:
                self._leaving.fail(attempt, str(error))

    async def _died(self, attempt: Attempt, error: EngineDiedError) -> None:
        """Recorded before it is tried again; the second time under one sentence is the last."""
        _LOGGER.warning("cast %s, sentence %d: %s", attempt.cast_id, attempt.next_index, error)
        self._shop.metrics.count(Counter.engine_deaths_total)
        self._holdings.suspects.add(attempt.cast_id)
        deaths = await attempt.note_death()
        if deaths >= DEATHS and attempt.is_open:
            self._leaving.fail(attempt, f"the engine died {deaths} times under sentence {attempt.next_index}")
