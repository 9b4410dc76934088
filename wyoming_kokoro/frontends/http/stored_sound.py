"""The sound of one sentence as it is stored, for whoever fetches it by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wyoming_kokoro.audio.containers import open_encoder

if TYPE_CHECKING:
    from wyoming_kokoro.model.records import Audio


async def served_body(audio: Audio) -> bytes:
    """Its FLAC: the stored body, where that is FLAC already."""
    if audio.body_format == "flac":
        return audio.body
    return await asyncio.to_thread(_flac, audio.body)


def _flac(pcm: bytes) -> bytes:
    encoder = open_encoder("flac", total_bytes=len(pcm))
    try:
        return encoder.feed(pcm) + encoder.finish()
    finally:
        encoder.close()
