"""What is heard of a cast through a link: its speech, presented as the link says."""

from __future__ import annotations

import hashlib
from contextlib import aclosing
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.audio.chime import chime
from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wyoming_kokoro.core.listening import Listening
    from wyoming_kokoro.model.ids import CastId
    from wyoming_kokoro.model.presentation import Presentation

PAUSE_MS = 1000
"""Silence between two times."""


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


async def sound(listening: Listening, cast_id: CastId, presentation: Presentation) -> AsyncGenerator[bytes, None]:
    """PCM in the format `SPEECH`, as it becomes ready. Nothing at all comes before the first sentence is there.

    Raises as `Listening.listen` does.
    """
    before = SPEECH.silence(presentation.lead_ms) + (chime(presentation.chime) if presentation.chime else b"")
    for _ in range(presentation.repeat):
        async with aclosing(listening.listen(cast_id, first_index=presentation.first_index)) as pieces:
            async for piece in pieces:
                yield before + piece.pcm
                before = b""
        before = SPEECH.silence(PAUSE_MS)


async def surveyed(sound: AsyncGenerator[bytes, None]) -> Survey:
    """What that sound is, all of it. Closes it at the end."""
    surveyor = Surveyor()
    async with aclosing(surveyor.watch(sound)) as watched:
        async for _ in watched:
            pass
    return surveyor.survey
