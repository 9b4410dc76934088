"""Followers: each reads from the storage at its own pace and is woken when there is more."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import LogUnavailableError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from wyoming_kokoro.model.position import Cursor
    from wyoming_kokoro.model.records import Sequenced
    from wyoming_kokoro.ports import Clock

    Read = Callable[[str, Cursor], Awaitable[Sequence[Sequenced]]]

_LOGGER = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
"""How long a follower waits before it asks a journal again that is away."""


class Bells:
    """Who waits for which stream. One bell per follower; a stream without followers costs nothing."""

    def __init__(self) -> None:
        self._bells: dict[str, dict[asyncio.Event, None]] = {}
        """In the order of their coming, so that what happens does not depend on where objects lie in memory."""

    @property
    def streams(self) -> set[str]:
        """Those that somebody follows."""
        return set(self._bells)

    def hang(self, stream: str) -> asyncio.Event:
        """An event that is set whenever the stream grows."""
        bell = asyncio.Event()
        self._bells.setdefault(stream, {})[bell] = None
        return bell

    def take_down(self, stream: str, bell: asyncio.Event) -> None:
        """That follower is gone."""
        bells = self._bells.get(stream, {})
        bells.pop(bell, None)
        if not bells:
            self._bells.pop(stream, None)

    def ring(self, stream: str) -> None:
        """The stream grew."""
        for bell in self._bells.get(stream, ()):
            bell.set()

    def ring_all(self) -> None:
        """The journal closes: everybody looks up."""
        for stream in tuple(self._bells):
            self.ring(stream)


async def follow(
    read: Read, bells: Bells, clock: Clock, is_closed: Callable[[], bool], stream: str, start: Cursor
) -> AsyncGenerator[Sequenced, None]:
    """Every record from `start` on, for ever; `LogUnavailableError` once the journal is closed."""
    bell = bells.hang(stream)
    try:
        while True:
            bell.clear()
            try:
                records = await read(stream, start)
            except LogUnavailableError as error:
                if is_closed():
                    raise
                _LOGGER.warning("Following %s waits for the journal: %s", stream, error)
                await clock.sleep(RETRY_SECONDS)
                continue
            for record in records:
                start = record.seq_num + 1
                yield record
            if not records:
                await bell.wait()
    finally:
        bells.take_down(stream, bell)
