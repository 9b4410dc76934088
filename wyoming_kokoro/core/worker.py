"""Makes casts: takes the one with the lowest lead, has one sentence spoken, writes it, and looks again."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass

from wyoming_kokoro.core.arrivals import Arrivals
from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.ending import Ender
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.opening import Answered, Condemned, Opener
from wyoming_kokoro.core.playback import DEATHS
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.scheduler import Pick
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import (
    CastCutError,
    EngineDiedError,
    EngineUnavailableError,
    LogError,
    RefusedError,
    SynthesisCancelledError,
    SynthesisError,
    VoiceOfAHouseError,
)
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.recipe import Recipe

_LOGGER = logging.getLogger(__name__)

_POSTPONED_SECONDS = 5.0
"""How long a cast rests that the log would not take."""


@dataclass(frozen=True, slots=True)
class Unlogged:
    """What the log refused and is spoken all the same."""

    recipe: Recipe
    text: SpokenText


class Worker:
    """One engine's share of the work."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._opener = Opener(shop)
        self._ender = Ender(shop, self._ended)
        self._arrivals = Arrivals(shop, stop_speaking=self._stop_speaking, cancel=self._cancel)
        self._attempts: dict[CastId, Attempt] = {}
        self._unlogged: dict[CastId, Unlogged] = {}
        self._suspects: set[CastId] = set()
        """Casts under whose sentence the engine died: while there are any, one sentence is tried at a time."""
        self._in_flight = 0
        self._is_stopping = False

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the worker can't go on; carries why."""
        return self._shop.tasks.failed

    def start(self) -> None:
        """Begin with what an earlier run left."""
        self._arrivals.resume()
        self._shop.tasks.start(self._arrivals.follow_jobs(), name="worker.jobs", lasting=True)
        self._shop.tasks.start(self._shop.settling.follow(), name="worker.receipts", lasting=True)
        self._shop.tasks.start(self._shop.settling.commit_forever(), name="worker.watermark", lasting=True)
        for slot in range(self._shop.engine.slots):
            self._shop.tasks.start(self._work(), name=f"worker[{slot}]", lasting=True)

    async def stop(self, grace_seconds: float) -> None:
        """Let the sentences under way end within the grace, give every cast back, commit the watermark."""
        self._is_stopping = True
        try:
            async with asyncio.timeout(grace_seconds):
                while self._in_flight:
                    await self._shop.changed.wait(self._shop.changed.count)
                for attempt in list(self._attempts.values()):
                    await self._give_back(attempt)
                await self._ender.idle()
                await self._shop.settling.commit()
        except TimeoutError:
            _LOGGER.warning("not everything could be finished within %.1f s; the next start goes on with it", grace_seconds)
        await self._shop.tasks.stop()
        await self._shop.voicing.close()

    def lead(self, cast_id: CastId) -> float:
        """Seconds of audio that its listeners have left; infinite where nobody waits."""
        return self._shop.scheduler.lead(cast_id, self._shop.clock.monotonic())

    def take_live_text(self, cast_id: CastId, text: SpokenText) -> None:
        """The text of that live cast arrives in this process, until it is forgotten."""
        self._opener.live_texts[cast_id] = text
        self._shop.tasks.start(self._arrivals.follow_text(cast_id, text), name=f"text[{cast_id}]")

    def forget_live_text(self, cast_id: CastId) -> None:
        """Nothing more is made of it here."""
        self._opener.live_texts.pop(cast_id, None)

    def speak_unlogged(self, cast_id: CastId, unlogged: Unlogged, *, priority: Priority, room: str | None, source: str) -> None:
        """Speak what the log refused: heard from memory, kept nowhere."""
        self._unlogged[cast_id] = unlogged
        self._shop.feeds.open(cast_id)
        now = self._shop.clock.monotonic()
        self._shop.scheduler.put(cast_id, priority=priority, room=room, source=source, due_at=now)
        self._shop.tasks.start(self._arrivals.follow_text(cast_id, unlogged.text), name=f"text[{cast_id}]")
        self._shop.changed.notify()

    async def _work(self) -> None:
        # An attempt that is opened before the engine can speak, and ends in a crash, would look as if its text had done it.
        await self._engine_is_up()
        while True:
            seen = self._shop.changed.count
            pick = None if self._must_rest else self._shop.scheduler.pick(self._shop.clock.monotonic())
            if pick is None:
                await self._shop.changed.wait(seen)
                continue
            self._in_flight += 1
            try:
                await self._serve(pick)
            except LogError as error:
                _LOGGER.warning("cast %s has to wait: %s", pick.cast_id, error)
                self._postpone(pick.cast_id)
            finally:
                self._in_flight -= 1
                self._shop.scheduler.returned(pick.cast_id)
                if pick.cast_id not in self._attempts:
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
        return self._is_stopping or bool(self._suspects and self._in_flight)

    async def _serve(self, pick: Pick) -> None:
        """One sentence of that cast, or its end."""
        if pick.displaced in self._attempts:
            await self._give_back(self._attempts[pick.displaced])
        attempt = self._attempts.get(pick.cast_id) or await self._open(pick.cast_id)
        if attempt is None:
            return
        if attempt.is_lost or (attempt.is_refused and not attempt.feed.listeners):
            self._drop(attempt, None)
            self._postpone(pick.cast_id)
        elif attempt.is_unheard:
            self._forget(attempt)
            self._ender.cut(attempt)
        elif attempt.is_said:
            self._complete(attempt)
        elif attempt.sentence is None:
            self._shop.scheduler.text(pick.cast_id, available=False)
        elif not attempt.has_room:
            self._shop.scheduler.text(pick.cast_id, available=False)
            self._shop.tasks.start(self._arrivals.resume_when_caught_up(attempt), name=f"room[{pick.cast_id}]")
        else:
            await self._speak(attempt)

    async def _open(self, cast_id: CastId) -> Attempt | None:
        """An attempt at the cast; None where nothing has to be made, or not now."""
        if self._ender.is_ending(cast_id):
            self._shop.scheduler.text(cast_id, available=False)
            return None
        if (unlogged := self._unlogged.get(cast_id)) is not None:
            attempt = self._opener.open_unlogged(cast_id, unlogged.recipe, unlogged.text)
        elif (wanted := self._shop.backlog.get(cast_id)) is None or not wanted.jobs:
            self._shop.scheduler.remove(cast_id)
            return None
        else:
            match await self._opener.open(wanted):
                case Answered() as answered:
                    self._shop.scheduler.text(cast_id, available=False)
                    self._ender.answer(wanted, answered)
                    return None
                case Condemned(attempt, reason):
                    self._ender.fail(attempt, reason)
                    return None
                case Attempt() as attempt:
                    pass
        self._attempts[cast_id] = attempt
        return attempt

    async def _speak(self, attempt: Attempt) -> None:
        utterance = attempt.utterance
        attempt.speaking = utterance
        if upcoming := attempt.upcoming:
            self._shop.engine.prepare(upcoming)
        try:
            voiced = await self._shop.voicing.voice(utterance)
        except SynthesisCancelledError:
            return
        except EngineDiedError as error:
            await self._died(attempt, error)
            return
        except (SynthesisError, RefusedError) as error:
            self._fail(attempt, str(error))
            return
        except EngineUnavailableError as error:
            await self._give_back(attempt, error)
            self._postpone(attempt.cast_id)
            return
        finally:
            attempt.speaking = None
        self._suspects.discard(attempt.cast_id)
        self._shop.metrics.voiced(voiced.seconds, voiced.gen_ms / 1000, is_reused=voiced.is_reused)
        if attempt.is_open:
            attempt.add(voiced)
            self._shop.scheduler.made(attempt.cast_id, voiced.seconds, self._shop.clock.monotonic())
            if attempt.is_said:
                self._complete(attempt)

    async def _died(self, attempt: Attempt, error: EngineDiedError) -> None:
        """Recorded before it is tried again; the second time under one sentence is the last."""
        _LOGGER.warning("cast %s, sentence %d: %s", attempt.cast_id, attempt.next_index, error)
        self._shop.metrics.count(Counter.engine_deaths_total)
        self._suspects.add(attempt.cast_id)
        deaths = await attempt.note_death()
        if deaths >= DEATHS:
            self._fail(attempt, f"the engine died {deaths} times under sentence {attempt.next_index}")

    def _fail(self, attempt: Attempt, reason: str) -> None:
        self._forget(attempt)
        self._ender.fail(attempt, reason)

    def _complete(self, attempt: Attempt) -> None:
        self._forget(attempt)
        self._ender.complete(attempt)

    def _cancel(self, wanted: WantedCast) -> None:
        """Jobs were taken back."""
        if self._ender.is_ending(wanted.cast_id):
            return
        attempt = None
        if len(wanted.cancelled()) == len(wanted.jobs) and (attempt := self._attempts.get(wanted.cast_id)):
            self._stop_speaking(wanted.cast_id)
            self._forget(attempt)
        self._ender.cancel(wanted, attempt)

    def _forget(self, attempt: Attempt) -> None:
        """It is not this worker's any more; nothing of the cast is made before it has ended."""
        attempt.is_open = False
        self._attempts.pop(attempt.cast_id, None)
        self._suspects.discard(attempt.cast_id)
        self._shop.scheduler.closed(attempt.cast_id)
        self._shop.scheduler.text(attempt.cast_id, available=False)

    def _ended(self, cast_id: CastId, is_written: bool) -> None:
        """Its last records are written, or can't be."""
        self._unlogged.pop(cast_id, None)
        self._shop.scheduler.remove(cast_id)
        wanted = self._shop.backlog.get(cast_id)
        if wanted is not None and wanted.cancels:
            self._cancel(wanted)
        if wanted is not None and not self._ender.is_ending(cast_id):
            # A job came too late for the receipt, or the log refused the end: look at it again.
            is_heard = self._shop.feeds.listeners(cast_id) > 0
            self._arrivals.want(wanted, due_at=self._shop.clock.monotonic() if is_heard else None)
            if not is_written:
                self._postpone(cast_id)
        self._shop.changed.notify()

    async def _give_back(self, attempt: Attempt, end: VoiceOfAHouseError | None = None) -> None:
        """Let somebody take the cast, us among them."""
        self._drop(attempt, end)
        # Without anything to do it waits for its text, or it would be opened for nothing, and displace who has something.
        self._shop.scheduler.text(attempt.cast_id, available=attempt.has_work)
        await attempt.give_back()

    def _drop(self, attempt: Attempt, end: VoiceOfAHouseError | None) -> None:
        self._forget(attempt)
        if attempt.writer is None:
            end = end or CastCutError("the server stops")
        self._shop.feeds.close(attempt.cast_id, end)

    def _postpone(self, cast_id: CastId) -> None:
        """Try the cast again after a while."""
        self._shop.scheduler.text(cast_id, available=False)
        resuming = self._arrivals.resume_after(cast_id, _POSTPONED_SECONDS)
        self._shop.tasks.start(resuming, name=f"postponed[{cast_id}]")

    def _stop_speaking(self, cast_id: CastId) -> None:
        attempt = self._attempts.get(cast_id)
        if attempt is not None and attempt.speaking is not None:
            self._shop.voicing.stop(attempt.speaking)
