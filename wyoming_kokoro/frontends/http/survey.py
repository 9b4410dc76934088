"""What a served sound is as a whole: its length, and a digest by which equal sounds are told."""

from __future__ import annotations

import hashlib
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


class Survey(NamedTuple):
    """What the whole sound is."""

    pcm_bytes: int
    digest: str
    """SHA-256: equal for equal sound."""


class Surveyor:
    """Looks at sound as it goes by."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._pcm_bytes = 0

    @property
    def survey(self) -> Survey:
        """Of what went by so far."""
        return Survey(self._pcm_bytes, self._hash.hexdigest())

    async def watch(self, sound: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
        """The same sound. Closes it at the end."""
        async with aclosing(sound):
            async for pcm in sound:
                self._hash.update(pcm)
                self._pcm_bytes += len(pcm)
                yield pcm


async def surveyed(sound: AsyncGenerator[bytes, None]) -> Survey:
    """What that sound is, all of it. Closes it at the end."""
    surveyor = Surveyor()
    async with aclosing(surveyor.watch(sound)) as watched:
        async for _ in watched:
            pass
    return surveyor.survey
