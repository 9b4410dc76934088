"""WAV as a stream: exact sizes where the length is known beforehand, the sizes of an endless file where it is not."""

from __future__ import annotations

import struct

from wyoming_kokoro.model.audio import SPEECH

UNKNOWN_SIZE = 0xFFFFFFFF
"""Stands for both sizes while the length is unknown: players read to the end of the stream."""

_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
_PCM_TAG = 1
_BEFORE_DATA_BYTES = _HEADER.size - 8
"""What the size of the whole counts beside the sound: all of the header behind that size itself."""


def wav_bytes(pcm_bytes: int) -> int:
    """Size of a WAV file with that much PCM."""
    return _HEADER.size + pcm_bytes


class WavStream:
    """A header, then the sound as it is. Implements `containers.Encoder`.

    Sizes that four bytes can't hold (a day of speech) are unknown sizes, too.
    """

    def __init__(self, total_bytes: int | None = None) -> None:
        self._header = _header(total_bytes)

    def feed(self, pcm: bytes) -> bytes:
        """The sound; ahead of the first of it, the header."""
        return self._take_header() + pcm

    def finish(self) -> bytes:
        """Nothing, or the header where no sound came."""
        return self._take_header()

    def close(self) -> None:
        """Nothing is held."""

    def _take_header(self) -> bytes:
        header, self._header = self._header, b""
        return header


def _header(total_bytes: int | None) -> bytes:
    is_known = total_bytes is not None and total_bytes + _BEFORE_DATA_BYTES < UNKNOWN_SIZE
    data = total_bytes if is_known and total_bytes is not None else UNKNOWN_SIZE
    whole = data + _BEFORE_DATA_BYTES if is_known else UNKNOWN_SIZE
    shape = (_PCM_TAG, SPEECH.channels, SPEECH.rate, SPEECH.bytes_per_second, SPEECH.frame_bytes, 8 * SPEECH.width)
    return _HEADER.pack(b"RIFF", whole, b"WAVE", b"fmt ", 16, *shape, b"data", data)
