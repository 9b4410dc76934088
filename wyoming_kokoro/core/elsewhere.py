"""Casts that are left to other workers of a shared journal, for as long as their streams grow.

A cast that nobody here listens to is left to the others for a moment, so that not all go for it at once. A cast that another
worker holds is watched: released, it is taken at once; silent for a lease, it is taken over.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass

from wyoming_kokoro.core.lease import ALIVE_SECONDS, LEASE_BEATS, LEASE_SECONDS
from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.core.reading import scan_cast
from wyoming_kokoro.core.tailing import Tailing
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Alive, Eos, Expired, Fail, Record, Start

_LOGGER = logging.getLogger(__name__)

_COURTESY_SECONDS = 0.02
"""So long a worker whose own house asked for the cast has it for itself."""
_SPREAD_SECONDS = 0.03
"""Behind that, each worker waits for a part of this that depends on the cast, so that they seldom race."""

_STRANGERS_MOST = 32
"""Casts of another model that are watched at once; the others wait until it is their turn."""


@dataclass(frozen=True, slots=True)
class NotYet:
    """The cast is somebody else's, as long as its stream grows."""

    tail: Cursor
    """Where its stream was seen to end."""
    beats: int = LEASE_BEATS
    """So many beats it has to stand still before it is ours."""
    model: str | None = None
    """It is left to workers of this model, too, while any was heard of within a lease."""


def held_by_another(shop: Workshop, playback: Playback, still: Cursor | None) -> NotYet | None:
    """Whether another worker holds the cast; `still` is where it stood still for a lease."""
    if shop.log.exclusive or not playback.is_held or playback.worker == shop.name or playback.tail == still:
        return None
    return NotYet(playback.tail)


class Elsewhere:
    """What this worker leaves to others."""

    def __init__(self, shop: Workshop, available: Callable[[CastId], None]) -> None:
        """`available` is told of a cast that is left to others no more."""
        self._shop = shop
        self._available = available
        self._watches: dict[CastId, asyncio.Task[None]] = {}
        self._deferred: dict[CastId, asyncio.Task[None]] = {}
        self._still: dict[CastId, Cursor] = {}
        self._heard_of: dict[str, float] = {}
        """Model -> when a worker with it was last heard of."""
        self._strangers = asyncio.Semaphore(_STRANGERS_MOST)

    def __len__(self) -> int:
        """How many casts are left to others now."""
        return len(self._watches)

    def still_at(self, cast_id: CastId) -> Cursor | None:
        """Where its stream ended for as long as was asked, while it was watched; None where it was not, or has grown."""
        return self._still.get(cast_id)

    async def found(self, cast_id: CastId) -> NotYet | None:
        """Look who holds the cast. Raises `LogError`."""
        return held_by_another(self._shop, await scan_cast(self._shop.log, cast_id), self.still_at(cast_id))

    def defer(self, cast_id: CastId) -> None:
        """Let others have it first, for a moment."""
        if cast_id in self._watches or cast_id in self._deferred:
            return
        self._shop.scheduler.elsewhere(cast_id, is_elsewhere=True)
        self._deferred[cast_id] = self._shop.tasks.start(self._defer(cast_id), name=f"deferred[{cast_id}]")

    def hurry(self, cast_id: CastId) -> None:
        """Somebody here waits for it: it is not deferred any longer."""
        if (deferred := self._deferred.pop(cast_id, None)) is not None:
            deferred.cancel()
            self._return(cast_id)

    def leave(self, cast_id: CastId, wait: NotYet) -> None:
        """Watch it until it is ours, or nobody wants it any more."""
        self.forget(cast_id)
        if cast_id not in self._shop.scheduler:
            return
        self._shop.scheduler.elsewhere(cast_id, is_elsewhere=True)
        self._watches[cast_id] = self._shop.tasks.start(self._watch(cast_id, wait), name=f"elsewhere[{cast_id}]")

    def forget(self, cast_id: CastId) -> None:
        """It is settled, or ours: nothing of it is remembered."""
        self._still.pop(cast_id, None)
        for tasks in (self._watches, self._deferred):
            if (task := tasks.pop(cast_id, None)) is not None:
                task.cancel()

    async def _defer(self, cast_id: CastId) -> None:
        share = hashlib.sha256(f"{self._shop.name}/{cast_id}".encode()).digest()[0] / 256
        await self._shop.clock.sleep(_COURTESY_SECONDS + _SPREAD_SECONDS * share)
        wait = None
        if self._shop.scheduler.stops_somebody(cast_id, self._shop.clock.monotonic()):
            # A sentence under way is not stopped for what somebody else has begun meanwhile.
            try:
                wait = await self.found(cast_id)
            except LogError as error:
                _LOGGER.debug("cast %s: it can't be looked at: %s", cast_id, error)
        self._deferred.pop(cast_id, None)
        if wait is None:
            self._return(cast_id)
        else:
            self.leave(cast_id, wait)

    async def _watch(self, cast_id: CastId, wait: NotYet) -> None:
        if wait.model is None:
            await self._stand_by(cast_id, wait)
        else:
            async with self._strangers:
                await self._stand_by(cast_id, wait)
        self._watches.pop(cast_id, None)
        self._return(cast_id)

    async def _stand_by(self, cast_id: CastId, wait: NotYet) -> None:
        """Return when the cast is released, or has stood still for long enough."""
        tail, beats, missed = wait.tail, wait.beats, 0
        began = self._shop.clock.monotonic()
        tailing = Tailing(self._shop.log, cast_stream(cast_id), tail)
        try:
            while missed < beats or self._is_about(wait.model, began):
                sequenced = await tailing.next_record(within_seconds=ALIVE_SECONDS)
                if sequenced is None:
                    missed += 1
                    continue
                tail, missed = sequenced.seq_num + 1, 0
                self._note(sequenced.record)
                if _is_free(sequenced.record):
                    return
                if isinstance(sequenced.record, Eos | Fail):
                    beats = 1
        except LogError as error:
            _LOGGER.debug("cast %s is not watched any longer: %s", cast_id, error)
            return
        finally:
            await tailing.close()
        self._still[cast_id] = tail

    def _note(self, record: Record) -> None:
        if isinstance(record, Start | Alive):
            self._heard_of[record.model] = self._shop.clock.monotonic()

    def _is_about(self, model: str | None, began: float) -> bool:
        """Whether a worker of that model may take it: one was heard of, or has had no time to be heard of."""
        if model is None:
            return False
        return self._shop.clock.monotonic() < max(began, self._heard_of.get(model, began)) + LEASE_SECONDS

    def _return(self, cast_id: CastId) -> None:
        self._shop.scheduler.elsewhere(cast_id, is_elsewhere=False)
        self._available(cast_id)


def _is_free(record: Record) -> bool:
    """Whether it says that nobody holds the cast."""
    return isinstance(record, Expired) or (isinstance(record, Alive) and record.released)
