"""Waits until a cast can be played in a room, and has it made where nobody does."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from wyoming_kokoro.core.acceptance import Acceptance
from wyoming_kokoro.core.cast_view import CastFold
from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest, Outcome
from wyoming_kokoro.model.errors import CastCutError, CastFailedError, LogError
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.records import Fail, Receipt, Sequenced
from wyoming_kokoro.model.room import Announcement

_LOGGER = logging.getLogger(__name__)


class Ready(NamedTuple):
    """The cast can be played."""

    durations_ms: tuple[int, ...]
    """Of the sentences that are known, from the first on."""
    is_whole: bool


@dataclass(slots=True)
class _Watched:
    """A cast that rooms wait for."""

    signal: Signal = field(default_factory=Signal)
    rooms: int = 0
    is_cancelled: bool = False


class Readiness:
    """For all rooms of a house."""

    def __init__(self, shop: Workshop, acceptance: Acceptance) -> None:
        self._shop = shop
        self._acceptance = acceptance
        self._being_accepted: Counter[CastId] = Counter()
        self._watched: dict[CastId, _Watched] = {}
        shop.settling.watch(self._settled)

    @contextlib.contextmanager
    def accepting(self, cast_id: CastId) -> Iterator[None]:
        """Within it a job for that cast is on its way: no room submits another one."""
        self._being_accepted[cast_id] += 1
        try:
            yield
        finally:
            self._being_accepted[cast_id] -= 1
            if not self._being_accepted[cast_id]:
                del self._being_accepted[cast_id]
            self._notify(cast_id)

    async def whole(self, announcement: Announcement, accepted_ms: int, room: str) -> Ready:
        """Return when all of the cast is there. Raises `CastFailedError` or `CastCutError` where it never will be."""
        with self._watching(announcement.cast_id) as watched:
            return await self._wait(announcement, accepted_ms, room, None, watched.signal)

    async def begun(self, announcement: Announcement, accepted_ms: int, room: str, first_index: int) -> Ready:
        """Return when that sentence is there. Raises as `whole` does."""
        cast_id = announcement.cast_id
        with self._watching(cast_id), self._shop.feeds.listening(cast_id, anew=True) as feed:
            return await self._wait(announcement, accepted_ms, room, first_index, feed.changed)

    async def _wait(self, announcement: Announcement, accepted_ms: int, room: str, index: int | None, signal: Signal) -> Ready:
        has_submitted = False
        backoff = Backoff(self._shop.clock)
        while True:
            seen = signal.count
            try:
                fold, ended_ms = await self._fold(announcement.cast_id)
                if (ready := self._ready(announcement.cast_id, fold, index)) is not None:
                    return ready
                await self._shop.caught_up_with_jobs()
                if not self._is_under_way(announcement.cast_id) and signal.count == seen:
                    self._check(announcement, fold, has_submitted=has_submitted or ended_ms > accepted_ms)
                    await self._submit(announcement, room)
                    has_submitted = True
            except LogError as error:
                _LOGGER.debug("room %s: cast %s has to wait: %s", room, announcement.cast_id, error)
                await backoff.wait()
            else:
                await signal.wait(seen)

    def _ready(self, cast_id: CastId, fold: CastFold, index: int | None) -> Ready | None:
        durations = tuple(sentence.duration_ms for sentence in fold.sentences)
        if fold.playback.is_complete:
            return Ready(durations, is_whole=True)
        feed = self._shop.feeds.get(cast_id)
        is_begun = index is not None and (len(durations) > index or (feed is not None and feed.piece(index) is not None))
        return Ready(durations, is_whole=False) if is_begun else None

    def _is_under_way(self, cast_id: CastId) -> bool:
        return self._shop.is_wanted(cast_id) or self._being_accepted[cast_id] > 0

    def _check(self, announcement: Announcement, fold: CastFold, *, has_submitted: bool) -> None:
        """Raise where nothing more is to be hoped for."""
        if self._watched[announcement.cast_id].is_cancelled:
            raise CastCutError("its making was cancelled")
        if has_submitted:
            end = fold.playback.end
            raise CastFailedError(end.reason if isinstance(end, Fail) else "nobody makes it")

    async def _submit(self, announcement: Announcement, room: str) -> None:
        _LOGGER.info("room %s: nobody makes cast %s: asked for again", room, announcement.cast_id)
        request = CastRequest(
            text=announcement.recipe.text, source=announcement.source, priority=announcement.priority, room=room
        )
        await self._acceptance.submit(announcement.recipe, request)

    async def _fold(self, cast_id: CastId) -> tuple[CastFold, int]:
        """The cast, and when (Unix time) its last end was written; 0 where there is none."""
        fold, ended_ms = CastFold(), 0
        async for sequenced in read_through(self._shop.log, cast_stream(cast_id)):
            fold.add(sequenced)
            if isinstance(sequenced.record, Fail):
                ended_ms = sequenced.timestamp_ms
        return fold, ended_ms

    @contextlib.contextmanager
    def _watching(self, cast_id: CastId) -> Iterator[_Watched]:
        watched = self._watched.setdefault(cast_id, _Watched())
        watched.rooms += 1
        try:
            yield watched
        finally:
            watched.rooms -= 1
            if not watched.rooms:
                del self._watched[cast_id]

    def _settled(self, sequenced: Sequenced) -> None:
        receipt = sequenced.record
        if isinstance(receipt, Receipt) and (watched := self._watched.get(receipt.cast_id)) is not None:
            watched.is_cancelled = receipt.outcome is Outcome.CANCELLED
            watched.signal.notify()

    def _notify(self, cast_id: CastId) -> None:
        if (watched := self._watched.get(cast_id)) is not None:
            watched.signal.notify()
        self._shop.feeds.notify(cast_id)
