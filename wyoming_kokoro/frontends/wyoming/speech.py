"""What is heard of a cast through this door: its sound at the rate that is sent, with silence round it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.audio.resample import Resampler
from wyoming_kokoro.model.audio import SPEECH, AudioFormat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from wyoming_kokoro.core.feeds import Piece
    from wyoming_kokoro.settings import WyomingSettings

NOTHING_MS = 200
"""Silence for a text in which there is nothing to speak: a client that gets no audio at all may wait for ever."""

_SLICE_BYTES = SPEECH.bytes_per_second
"""Resampled at once, so that nobody else waits for the resampling of a long piece."""


def sent_format(settings: WyomingSettings) -> AudioFormat:
    """The format of all audio that leaves through this door."""
    return AudioFormat(rate=settings.rate)


async def speech(pieces: AsyncIterator[Piece], settings: WyomingSettings) -> AsyncGenerator[bytes, None]:
    """PCM in `sent_format`, as it becomes ready; never nothing in all. Closing `pieces` is the caller's part."""
    audio = sent_format(settings)
    resampler = Resampler(audio.rate)
    heard = False
    async for piece in pieces:
        if piece.pcm and not heard:
            heard = True
            yield audio.silence(settings.lead_ms)
        for start in range(0, len(piece.pcm), _SLICE_BYTES):
            yield resampler.feed(piece.pcm[start : start + _SLICE_BYTES])
    if heard:
        yield resampler.finish() + audio.silence(settings.tail_ms)
    else:
        yield nothing(settings)


def nothing(settings: WyomingSettings) -> bytes:
    """What is heard where there is nothing to speak."""
    return sent_format(settings).silence(NOTHING_MS)
