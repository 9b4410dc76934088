"""FLAC as a stream: the sound exactly, in half the size."""

from __future__ import annotations

import struct

from wyoming_kokoro.audio.sndfile import SndfileStream
from wyoming_kokoro.model.audio import SPEECH

_MARK = b"fLaC"
_STREAMINFO_BYTES = 34
_LAST_BLOCK = 0x80
_BLOCK_FRAMES = 4096
_FORM = struct.Struct(">Q")
_FORM_OFFSET = 18
"""Where the 64 bits with rate, channels, width and number of frames lie in the file."""

_TOTAL_MASK = (1 << 36) - 1


class FlacStream:
    """One FLAC file, its header first. Implements `containers.Encoder`.

    The header names the number of frames where it is known beforehand, and otherwise says that it is unknown, which libsndfile
    refuses to open but players take. The checksum of the whole sound is left out (it would be known only at the end); every
    frame has its own.
    """

    def __init__(self, total_bytes: int | None = None) -> None:
        self._stream = SndfileStream("FLAC", "PCM_16")
        self._total_frames = (total_bytes or 0) // SPEECH.frame_bytes
        self._is_begun = False

    def feed(self, pcm: bytes) -> bytes:
        """The frames that are complete."""
        return self._with_total(self._stream.feed(pcm))

    def finish(self) -> bytes:
        """The last frame; a bare header where no sound came."""
        rest = self._with_total(self._stream.finish())
        return rest if self._is_begun else _bare_header()

    def close(self) -> None:
        """Give the encoder back."""
        self._stream.close()

    def _with_total(self, chunk: bytes) -> bytes:
        if self._is_begun or not chunk:
            return chunk
        self._is_begun = True
        (form,) = _FORM.unpack_from(chunk, _FORM_OFFSET)
        begin = bytearray(chunk)
        _FORM.pack_into(begin, _FORM_OFFSET, form & ~_TOTAL_MASK | self._total_frames & _TOTAL_MASK)
        return bytes(begin)


def _bare_header() -> bytes:
    form = SPEECH.rate << 44 | (SPEECH.channels - 1) << 41 | (8 * SPEECH.width - 1) << 36
    block = struct.pack(">HH6x", _BLOCK_FRAMES, _BLOCK_FRAMES) + _FORM.pack(form) + bytes(16)
    return _MARK + struct.pack(">I", _LAST_BLOCK << 24 | _STREAMINFO_BYTES) + block
