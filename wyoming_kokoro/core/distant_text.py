"""The text of a live cast that arrives in another process: read from `in/<cast>`, and closed where its writer is gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from wyoming_kokoro.core.lease import ALIVE_SECONDS, LEASE_BEATS
from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.tailing import Tailing
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import FencingTokenMismatchError, LogError, SeqNumMismatchError
from wyoming_kokoro.model.ids import CastId, input_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Alive, Fence, Input, InputEnd, InputEndReason, Record, Sequenced

_LOGGER = logging.getLogger(__name__)


@dataclass(slots=True)
class DistantText:
    """What a text's stream amounts to so far."""

    text: SpokenText = field(default_factory=SpokenText)
    writer: str = ""
    """The worker in whose process it arrives, where it says so."""
    is_ours: bool = False
    """Whether it came to an earlier run of this very process, as all do on a journal that one process has for itself."""
    token: str = ""
    tail: Cursor = 0
    following: asyncio.Task[None] | None = None

    def add(self, sequenced: Sequenced) -> None:
        """Take in the next record."""
        self.tail = sequenced.seq_num + 1
        match sequenced.record:
            case Fence(token):
                self.token = token
            case Alive(worker=worker):
                self.writer = worker
            case Input() as arrived if arrived.index == len(self.text.sentences):
                self.text.add(arrived.sentence)
            case InputEnd() as end:
                self.text.finish(end.reason)
            case _:
                pass


class DistantTexts:
    """The texts that one worker reads from the journal."""

    def __init__(self, shop: Workshop, arrived: Callable[[CastId], None]) -> None:
        """`arrived` is told whenever there is more of a text."""
        self._shop = shop
        self._arrived = arrived
        self._texts: dict[CastId, DistantText] = {}

    def __len__(self) -> int:
        return len(self._texts)

    async def read(self, cast_id: CastId) -> DistantText:
        """The text as far as it is there; more follows, unless its writer is gone for certain. Raises `LogError`."""
        if (known := self._texts.get(cast_id)) is not None:
            return known
        distant = DistantText()
        await self._catch_up(cast_id, distant)
        distant.is_ours = self._shop.log.exclusive or distant.writer == self._shop.name
        if distant.is_ours:
            while distant.text.end is None and not await self._close(cast_id, distant):
                await self._catch_up(cast_id, distant)
        elif distant.text.end is None:
            self._texts[cast_id] = distant
            distant.following = self._shop.tasks.start(self._follow(cast_id, distant), name=f"distant[{cast_id}]")
        return distant

    def forget(self, cast_id: CastId) -> None:
        """The cast is settled."""
        distant = self._texts.pop(cast_id, None)
        if distant is not None and distant.following is not None:
            distant.following.cancel()

    async def _catch_up(self, cast_id: CastId, distant: DistantText) -> None:
        async for sequenced in read_through(self._shop.log, input_stream(cast_id), distant.tail):
            distant.add(sequenced)

    async def _follow(self, cast_id: CastId, distant: DistantText) -> None:
        missed = 0
        tailing = Tailing(self._shop.log, input_stream(cast_id), distant.tail)
        try:
            while distant.text.end is None:
                sequenced = await tailing.next_record(within_seconds=ALIVE_SECONDS)
                if sequenced is not None:
                    distant.add(sequenced)
                    missed = 0
                elif (missed := missed + 1) >= LEASE_BEATS:
                    await self._abandon(cast_id, distant)
                self._arrived(cast_id)
        finally:
            await tailing.close()

    async def _abandon(self, cast_id: CastId, distant: DistantText) -> None:
        """Its writer has said nothing for a lease."""
        try:
            if await self._close(cast_id, distant):
                _LOGGER.warning("cast %s: its text stopped with its writer, %s", cast_id, distant.writer or "unknown")
        except LogError as error:
            _LOGGER.debug("cast %s: its text can't be closed yet: %s", cast_id, error)

    async def _close(self, cast_id: CastId, distant: DistantText) -> bool:
        """End the text for ever where it is; False where it has grown."""
        closing: list[Record] = [
            Fence(f"end-{self._shop.clock.entropy(8).hex()}"),
            InputEnd(reason=InputEndReason.ABANDONED, count=len(distant.text.sentences)),
        ]
        try:
            await self._shop.log.append(input_stream(cast_id), closing, match_seq_num=distant.tail, fencing_token=distant.token)
        except (SeqNumMismatchError, FencingTokenMismatchError):
            return False
        distant.text.finish(InputEndReason.ABANDONED)
        return True
