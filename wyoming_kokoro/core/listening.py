"""Hears a cast: every sentence from the first on, once, in order; from memory while it is made here, otherwise from the log.

Each listener has its own place. One that stalls costs nobody anything: nothing is kept for it but the log itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from wyoming_kokoro.core.feeds import Feed, Piece
from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.core.repair import request_repair
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import CastCutError, CastExpiredError, CastFailedError, VoiceOfAHouseError
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.records import Eos, EosReason, Expired, Fail, Sequenced


class Listening:
    """Opens listeners."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop

    async def listen(self, cast_id: CastId) -> AsyncIterator[Piece]:
        """Every sentence of the cast; ends when it has ended and all was heard.

        Raises `CastFailedError`, `CastCutError`, `CastExpiredError` where the cast ended otherwise, and what the engine or the
        log raised where it can't go on. A damaged record is made again, and waited for. Close with `aclose()`.
        """
        with self._shop.feeds.listening(cast_id) as feed:
            ear = _Ear(self._shop, cast_id, feed)
            try:
                while (piece := await ear.next_piece()) is not None:
                    yield piece
            finally:
                await ear.close()


class _Ear:
    """One listener's place in one cast."""

    def __init__(self, shop: Workshop, cast_id: CastId, feed: Feed) -> None:
        self._shop = shop
        self._cast_id = cast_id
        self._feed = feed
        self._log = shop.log.follow(cast_stream(cast_id), 0)
        self._arriving: asyncio.Task[Sequenced] | None = None
        self._playback = Playback()
        self._next = 0
        """Next sentence to hear; never goes back."""
        self._is_repairing = False

    async def next_piece(self) -> Piece | None:
        """The next sentence; None at the end."""
        while True:
            seen = self._feed.changed.count
            if (piece := self._feed.piece(self._next)) is not None:
                self._next += 1
                return piece
            if await self._is_over():
                return None
            sequenced = await self._arrival(seen)
            if sequenced is not None and (piece := await self._take(sequenced)) is not None:
                return piece

    async def close(self) -> None:
        """Let go of the log."""
        if self._arriving is not None:
            self._arriving.cancel()
            await asyncio.gather(self._arriving, return_exceptions=True)
        close = getattr(self._log, "aclose", None)
        if close is not None:
            await close()

    async def _arrival(self, seen: int) -> Sequenced | None:
        """The next record of the stream, or None when something else changed."""
        if self._arriving is None:
            self._arriving = asyncio.ensure_future(anext(self._log))
        change = asyncio.ensure_future(self._feed.changed.wait(seen))
        try:
            await asyncio.wait([self._arriving, change], return_when=asyncio.FIRST_COMPLETED)
        finally:
            change.cancel()
        if not self._arriving.done():
            return None
        arrived, self._arriving = self._arriving, None
        return arrived.result()

    async def _take(self, sequenced: Sequenced) -> Piece | None:
        audio = self._playback.add(sequenced)
        if audio is None or audio.index != self._next:
            return None
        pcm = await self._shop.bodies.decode(audio.body, audio.body_format)
        self._next += 1
        return Piece(audio.index, pcm, audio.text, sequenced.seq_num)

    async def _is_over(self) -> bool:
        """Whether nothing more will come. Raises what the cast ended with, unless it ended well."""
        if self._feed.end is not None:
            return self._is_end(self._feed.end)
        end = self._playback.end
        if end is None or self._feed.is_making:
            return False
        if isinstance(end, Eos) and end.reason is EosReason.COMPLETE and self._next >= end.count:
            return True
        if await self._shop.log.check_tail(cast_stream(self._cast_id)) > self._playback.tail:
            return False  # this end is history: a later attempt follows in the log
        if self._shop.backlog.get(self._cast_id) is not None:
            return False  # a job that it does not answer is on its way, or its receipt is
        if isinstance(end, Eos) and end.reason is EosReason.COMPLETE:
            if not self._is_repairing:
                self._is_repairing = True
                await request_repair(self._shop, self._cast_id, self._next)
            return False
        return self._is_end(end)

    def _is_end(self, end: Eos | Fail | Expired | VoiceOfAHouseError) -> bool:
        match end:
            case Eos(count=count) if self._next < count:
                return False
            case Eos(reason=EosReason.COMPLETE):
                return True
            case Eos():
                raise CastCutError(f"cast {self._cast_id} was cut after {self._next} sentences")
            case Fail(reason=reason):
                raise CastFailedError(reason)
            case Expired():
                raise CastExpiredError(f"cast {self._cast_id} has expired")
            case VoiceOfAHouseError():
                raise end
