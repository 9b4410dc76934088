"""What is heard of a cast: its speech, presented as a link or an announcement says."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from wyoming_kokoro.audio.chime import chime
from wyoming_kokoro.core.listening import Listening
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.presentation import Presentation

PAUSE_MS = 1000
"""Silence between two times."""


def prelude(presentation: Presentation) -> bytes:
    """PCM of what is heard before the speech."""
    return SPEECH.silence(presentation.lead_ms) + (chime(presentation.chime) if presentation.chime else b"")


async def sound(listening: Listening, cast_id: CastId, presentation: Presentation) -> AsyncGenerator[bytes, None]:
    """PCM in the format `SPEECH`, as it becomes ready. Nothing at all comes before the first sentence is there.

    Raises as `Listening.listen` does.
    """
    before = prelude(presentation)
    if not presentation.repeat:
        yield before
    for _ in range(presentation.repeat):
        async with aclosing(listening.listen(cast_id, first_index=presentation.first_index)) as pieces:
            async for piece in pieces:
                yield before + piece.pcm
                before = b""
        before = SPEECH.silence(PAUSE_MS)
