"""Watches a cast's records as they become durable, from any cursor on, until nothing more will come."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncGenerator

from wyoming_kokoro.core.playback import is_command
from wyoming_kokoro.core.tailing import Tailing
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import CastNotFoundError, LogUnavailableError
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Audio, Eos, Expired, Fail, Sequenced

_RETRY_SECONDS = 1.0
"""How long to wait before a journal that is away is asked again."""


async def watch(shop: Workshop, cast_id: CastId, start: Cursor) -> AsyncGenerator[Sequenced, None]:
    """See `Casts.events`."""
    if await shop.log.check_tail(cast_stream(cast_id)) == 0:
        raise CastNotFoundError(f"there is no cast {cast_id}")
    watcher = _Watcher(shop, cast_id, start)
    try:
        while (sequenced := await watcher.next_record()) is not None:
            yield sequenced
    finally:
        await watcher.close()


class _Watcher:
    """One watcher's place. It is no listener: nothing is made because somebody looks on."""

    def __init__(self, shop: Workshop, cast_id: CastId, start: Cursor) -> None:
        self._shop = shop
        self._cast_id = cast_id
        self._cursor = start
        self._log = Tailing(shop.log, cast_stream(cast_id), start)
        self._may_be_over = True

    async def next_record(self) -> Sequenced | None:
        """The next record that is no command, without its sound; None where nothing more will come."""
        while True:
            seen = self._shop.settling.settled.count
            retry_seconds = None
            if self._may_be_over:
                try:
                    if await self._is_at_rest():
                        return None
                except LogUnavailableError:
                    retry_seconds = _RETRY_SECONDS
            settled = self._shop.settling.settled.wait(seen)
            sequenced = await self._log.next_record(within_seconds=retry_seconds, unless=settled)
            if sequenced is None:
                self._may_be_over = True
                continue
            self._cursor = sequenced.seq_num + 1
            if not is_command(sequenced):
                self._may_be_over = isinstance(sequenced.record, Eos | Fail | Expired)
                return _without_sound(sequenced)

    async def close(self) -> None:
        """Let go of the log."""
        await self._log.close()

    async def _is_at_rest(self) -> bool:
        """Whether all of the stream was read, and neither an attempt nor a job will add to it."""
        await self._shop.caught_up_with_jobs()
        if self._shop.is_wanted(self._cast_id):
            return False
        return self._cursor >= await self._shop.log.check_tail(cast_stream(self._cast_id))


def _without_sound(sequenced: Sequenced) -> Sequenced:
    record = sequenced.record
    if not isinstance(record, Audio):
        return sequenced
    return Sequenced(sequenced.seq_num, sequenced.timestamp_ms, dataclasses.replace(record, body=b""))
