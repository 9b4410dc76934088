"""Hears a cast: every sentence from the first on, once, in order; from memory while it is made here, otherwise from the log.

Each listener has its own place. One that stalls costs nobody anything: nothing is kept for it but the log itself.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from dataclasses import replace

from wyoming_kokoro.audio.levelling import levelled
from wyoming_kokoro.core.feeds import Feed, Piece
from wyoming_kokoro.core.metrics import Histogram
from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.core.repair import request_repair
from wyoming_kokoro.core.tailing import Tailing
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    CastCutError,
    CastExpiredError,
    CastFailedError,
    CastNotFoundError,
    LogUnavailableError,
    StorageFullError,
    VoiceOfAHouseError,
)
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.records import Eos, EosReason, Expired, Fail, Sequenced

_LOGGER = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
"""How long to wait before a journal that is away is asked again."""


class Listening:
    """Opens listeners."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop

    async def listen(self, cast_id: CastId, *, first_index: int = 0) -> AsyncGenerator[Piece, None]:
        """Every sentence of the cast from that one on; ends when it has ended and all was heard.

        Raises `CastFailedError`, `CastCutError`, `CastExpiredError` where the cast ended otherwise, `CastNotFoundError` where
        there is none, and what the engine raised where it can't go on. A damaged record is made again, and waited for, and so
        is a journal that is away. Close with `aclose()`.
        """
        with self._shop.feeds.listening(cast_id) as feed:
            ear = _Ear(self._shop, cast_id, feed, first_index)
            asked_at: float | None = self._shop.clock.monotonic()
            try:
                while (piece := await ear.next_piece()) is not None:
                    if asked_at is not None:
                        seconds = self._shop.clock.monotonic() - asked_at
                        self._shop.metrics.observe(Histogram.first_audio_seconds, seconds)
                        asked_at = None
                    yield piece
            finally:
                await ear.close()


class _Ear:
    """One listener's place in one cast."""

    def __init__(self, shop: Workshop, cast_id: CastId, feed: Feed, first_index: int) -> None:
        self._shop = shop
        self._cast_id = cast_id
        self._feed = feed
        self._log = Tailing(shop.log, cast_stream(cast_id), 0)
        self._playback = Playback()
        self._next = first_index
        """Next sentence to hear; never goes back."""
        self._is_repairing = False

    async def next_piece(self) -> Piece | None:
        """The next sentence; None at the end."""
        while True:
            seen = self._feed.changed.count
            if (piece := self._feed.piece(self._next)) is not None:
                self._next += 1
                return self._levelled(piece)
            retry_seconds = None
            try:
                if await self._is_over(seen):
                    return None
            except (LogUnavailableError, StorageFullError, AppendOutcomeUnknownError) as error:
                _LOGGER.debug("cast %s: its listener tries again: %s", self._cast_id, error)
                retry_seconds = _RETRY_SECONDS
            # The next record of the stream, or None when something else changed or that time is over.
            sequenced = await self._log.next_record(within_seconds=retry_seconds, unless=self._feed.changed.wait(seen))
            if sequenced is not None and (piece := await self._take(sequenced)) is not None:
                return piece

    async def close(self) -> None:
        """Let go of the log."""
        await self._log.close()

    async def _take(self, sequenced: Sequenced) -> Piece | None:
        audio = self._playback.add(sequenced)
        if audio is None or audio.index != self._next:
            return None
        pcm = await self._shop.bodies.decode(audio.body, audio.body_format)
        self._next += 1
        return self._levelled(Piece(audio.index, pcm, audio.text, sequenced.seq_num, self._playback.voice))

    def _levelled(self, piece: Piece) -> Piece:
        """As loud as every other voice. A cast whose text changes the voice goes by the one that it was asked for with."""
        return replace(piece, pcm=levelled(piece.pcm, self._shop.gain_db(piece.voice)))

    async def _is_over(self, seen: int) -> bool:
        """Whether nothing more will come. Raises what the cast ended with, unless it ended well.

        `seen` is the state of the feed that this judges by: where it has changed meanwhile the answer is no.
        """
        end = self._feed.end
        if end is not None and not isinstance(end, Eos):
            raise _error(end)
        if end is not None and end.reason is EosReason.CUT and self._next >= end.count:
            raise self._cut()
        if self._has_all(end) or (not self._feed.is_making and self._has_all(self._playback.end)):
            return True
        if not await self._is_at_rest(seen):
            return False
        match self._playback.end:
            case None if self._playback.tail == 0:
                raise CastNotFoundError(f"there is no cast {self._cast_id}")
            case None:
                raise CastCutError(f"nobody makes cast {self._cast_id} any more")
            case Eos(reason=EosReason.COMPLETE):
                await self._repair()
                return False
            case Eos():
                raise self._cut()
            case bad:
                raise _error(bad)

    def _has_all(self, end: Eos | Fail | Expired | VoiceOfAHouseError | None) -> bool:
        return isinstance(end, Eos) and end.reason is EosReason.COMPLETE and self._next >= end.count

    def _cut(self) -> CastCutError:
        return CastCutError(f"cast {self._cast_id} was cut after {self._next} sentences")

    async def _is_at_rest(self, seen: int) -> bool:
        """Whether all of the stream was read, and neither an attempt nor a job will add to it."""
        if self._is_wanted():
            return False
        # The very request that this listener waits for may be among those that were not taken in yet.
        await self._shop.caught_up_with_jobs()
        is_read = await self._shop.log.check_tail(cast_stream(self._cast_id)) == self._playback.tail
        return is_read and not self._is_wanted() and self._feed.changed.count == seen

    def _is_wanted(self) -> bool:
        return self._feed.is_making or self._shop.backlog.get(self._cast_id) is not None

    async def _repair(self) -> None:
        if self._is_repairing:
            # It was answered, and yet not all of it was read here: another look may find it sound.
            await self.close()
            self._log = Tailing(self._shop.log, cast_stream(self._cast_id), 0)
            self._playback, self._is_repairing = Playback(), False
        else:
            await request_repair(self._shop, self._cast_id, self._next)
            self._is_repairing = True


def _error(end: Fail | Expired | VoiceOfAHouseError) -> VoiceOfAHouseError:
    match end:
        case Fail(reason=reason):
            return CastFailedError(reason)
        case Expired():
            return CastExpiredError("the cast has expired")
        case VoiceOfAHouseError():
            return end
