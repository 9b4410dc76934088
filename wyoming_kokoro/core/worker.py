"""One engine's share of the work, put together: what arrives, what is made here, what is left to others, what ends."""

from __future__ import annotations

import asyncio
import logging

from wyoming_kokoro.core.backlog import WantedCast
from wyoming_kokoro.core.distant_text import DistantTexts
from wyoming_kokoro.core.elsewhere import Elsewhere
from wyoming_kokoro.core.expectation import Expectation
from wyoming_kokoro.core.holdings import Holdings, Unlogged
from wyoming_kokoro.core.leaving import Leaving
from wyoming_kokoro.core.metrics import Gauge
from wyoming_kokoro.core.opening import Opener
from wyoming_kokoro.core.speaking import Speaking
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId

_LOGGER = logging.getLogger(__name__)

_HANDING_SECONDS = 1.0
"""So long may the giving back of the casts take, when the sentences under way have had their time."""


class Worker:
    """One engine's share of the work."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop
        self._elsewhere = Elsewhere(shop, self._look_at)
        self._distant = DistantTexts(shop, self._look_at)
        self._holdings = Holdings(shop, self._look_at)
        self._leaving = Leaving(shop, self._holdings, self._elsewhere, self._distant)
        self._opener = Opener(shop, self._distant, self._is_wanted)
        self._speaking = Speaking(shop, self._holdings, self._elsewhere, self._opener, self._leaving)
        shop.metrics.gauge(Gauge.casts_elsewhere, lambda: len(self._elsewhere))

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the worker can't go on; carries why."""
        return self._shop.tasks.failed

    def start(self) -> None:
        """Begin with what an earlier run left."""
        self._leaving.arrivals.resume()
        self._shop.tasks.start(self._leaving.arrivals.follow_jobs(), name="worker.jobs", lasting=True)
        self._shop.tasks.start(self._shop.settling.follow(), name="worker.receipts", lasting=True)
        self._shop.tasks.start(self._shop.settling.commit_forever(), name="worker.watermark", lasting=True)
        for slot in range(self._shop.engine.slots):
            self._shop.tasks.start(self._speaking.work(), name=f"worker[{slot}]", lasting=True)

    async def stop(self, grace_seconds: float) -> None:
        """Let the sentences under way end within the grace, give every cast back, commit the watermark."""
        self._speaking.is_stopping = True
        deadline = asyncio.get_running_loop().time() + grace_seconds
        try:
            async with asyncio.timeout_at(deadline - min(_HANDING_SECONDS, grace_seconds / 4)):
                await self._holdings.give_back_all(are_idle=True)
                while self._speaking.in_flight:
                    await self._shop.changed.wait(self._shop.changed.count)
        except TimeoutError:
            _LOGGER.warning("a sentence was not finished within %.1f s; whoever goes on makes it again", grace_seconds)
        try:
            async with asyncio.timeout_at(deadline):
                await self._holdings.give_back_all(are_idle=False)
                await self._leaving.ender.idle()
                await self._shop.settling.commit()
        except TimeoutError:
            _LOGGER.warning("not everything could be written in time; the next start goes on with it")
        await self._shop.tasks.stop()
        await self._shop.voicing.close()

    def lead(self, cast_id: CastId) -> float:
        """Seconds of audio that its listeners have left; infinite where nobody waits."""
        return self._shop.scheduler.lead(cast_id, self._shop.clock.monotonic())

    def expect(self, cast_id: CastId, room: str, expectation: Expectation | None) -> None:
        """A room here waits for the cast like that, or (None) no longer."""
        self._leaving.arrivals.expect(cast_id, room, expectation)

    def take_live_text(self, cast_id: CastId, text: SpokenText) -> None:
        """The text of that live cast arrives in this process, until it is forgotten."""
        self._opener.live_texts[cast_id] = text
        self._shop.tasks.start(self._leaving.arrivals.follow_text(cast_id, text), name=f"text[{cast_id}]")

    def forget_live_text(self, cast_id: CastId) -> None:
        """Nothing more is made of it here."""
        self._opener.live_texts.pop(cast_id, None)

    def speak_unlogged(self, cast_id: CastId, unlogged: Unlogged, *, priority: Priority, room: str | None, source: str) -> None:
        """Speak what the log refused: heard from memory, kept nowhere."""
        self._holdings.unlogged[cast_id] = unlogged
        self._shop.feeds.open(cast_id)
        now = self._shop.clock.monotonic()
        self._shop.scheduler.put(cast_id, priority=priority, room=room, source=source, due_at=now)
        self._shop.tasks.start(self._leaving.arrivals.follow_text(cast_id, unlogged.text), name=f"text[{cast_id}]")
        self._shop.changed.notify()

    def _look_at(self, cast_id: CastId) -> None:
        self._leaving.arrivals.look_at(cast_id)

    def _is_wanted(self, wanted: WantedCast) -> bool:
        is_known = self._shop.backlog.get(wanted.cast_id) is wanted and not wanted.is_taken_back
        return is_known and not self._leaving.ender.is_ending(wanted.cast_id)
