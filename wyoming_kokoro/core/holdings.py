"""The casts that one worker holds, each by an open attempt. On a shared journal it says in every beat that it still does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from wyoming_kokoro.core.attempt import Attempt
from wyoming_kokoro.core.lease import ALIVE_SECONDS
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import CastCutError, VoiceOfAHouseError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.recipe import Recipe


@dataclass(frozen=True, slots=True)
class Unlogged:
    """What the log refused and is spoken all the same."""

    recipe: Recipe
    text: SpokenText


class Holdings:
    """One worker's open attempts."""

    def __init__(self, shop: Workshop, look_at: Callable[[CastId], None]) -> None:
        """`look_at` is told of a cast whose attempt the log takes no more."""
        self._shop = shop
        self._look_at = look_at
        self._attempts: dict[CastId, Attempt] = {}
        self._beats: dict[CastId, asyncio.Task[None]] = {}
        self.unlogged: dict[CastId, Unlogged] = {}
        self.suspects: set[CastId] = set()
        """Casts under whose sentence the engine died: while there are any, one sentence is tried at a time."""

    def __len__(self) -> int:
        return len(self._attempts)

    def __contains__(self, cast_id: CastId) -> bool:
        return cast_id in self._attempts

    def get(self, cast_id: CastId) -> Attempt | None:
        """The open attempt at that cast, if there is one."""
        return self._attempts.get(cast_id)

    def add(self, attempt: Attempt) -> None:
        """It is open."""
        self._attempts[attempt.cast_id] = attempt
        if attempt.writer is not None and not self._shop.log.exclusive:
            staying = self._stay_alive(attempt)
            self._beats[attempt.cast_id] = self._shop.tasks.start(staying, name=f"alive[{attempt.cast_id}]")

    def forget(self, attempt: Attempt) -> None:
        """It is not this worker's any more; nothing of the cast is made before it has ended."""
        attempt.is_open = False
        self._attempts.pop(attempt.cast_id, None)
        self.suspects.discard(attempt.cast_id)
        if (beats := self._beats.pop(attempt.cast_id, None)) is not None:
            beats.cancel()
        self._shop.scheduler.closed(attempt.cast_id)
        self._shop.scheduler.text(attempt.cast_id, available=False)

    def drop(self, attempt: Attempt, end: VoiceOfAHouseError | None = None) -> None:
        """Let go of it without a word to the log; `end` is what its listeners are told, if they can't be helped."""
        self.forget(attempt)
        if attempt.writer is None:
            end = end or CastCutError("the server stops")
        self._shop.feeds.close(attempt.cast_id, end)

    async def give_back(self, attempt: Attempt, end: VoiceOfAHouseError | None = None) -> None:
        """Let somebody take the cast, us among them."""
        self.drop(attempt, end)
        # Without anything to do it waits for its text, or it would be opened for nothing, and displace who has something.
        self._shop.scheduler.text(attempt.cast_id, available=attempt.has_work)
        await attempt.give_back()

    def stop_speaking(self, cast_id: CastId) -> None:
        """Stop the sentence of that cast that is under way, if there is one."""
        attempt = self._attempts.get(cast_id)
        if attempt is not None and attempt.speaking is not None:
            self._shop.voicing.stop(attempt.speaking)

    async def give_back_all(self, *, are_idle: bool) -> None:
        """Give back every cast, or only those of which no sentence is under way."""
        attempts = [each for each in self._attempts.values() if not are_idle or each.speaking is None]
        await asyncio.gather(*(self.give_back(attempt) for attempt in attempts))

    async def _stay_alive(self, attempt: Attempt) -> None:
        while True:
            await self._shop.clock.sleep(ALIVE_SECONDS)
            if not await attempt.say_alive():
                self._look_at(attempt.cast_id)
                return
