"""Opus in Ogg as a stream: the smallest, for players that know it."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from wyoming_kokoro.audio.sndfile import SndfileStream

if TYPE_CHECKING:
    from collections.abc import Iterator

_SERIAL = 1
"""Ogg numbers its streams at random, so that they can be joined; a file of one stream has no need of it."""

_HEAD_BYTES = 27
_SERIAL_NUMBER = slice(14, 18)
_CHECKSUM = slice(22, 26)
_SEGMENTS = 26
_U32 = struct.Struct("<I")
_REVERSED_BITS = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class OpusStream:
    """Pages of about a second, numbered so that equal sound gives equal bytes. Implements `containers.Encoder`."""

    def __init__(self) -> None:
        self._stream = SndfileStream("OGG", "OPUS")
        self._rest = b""

    def feed(self, pcm: bytes) -> bytes:
        """The pages that are complete."""
        return self._renumbered(self._stream.feed(pcm))

    def finish(self) -> bytes:
        """The last pages."""
        return self._renumbered(self._stream.finish())

    def close(self) -> None:
        """Give the encoder back."""
        self._stream.close()

    def _renumbered(self, chunk: bytes) -> bytes:
        written = self._rest + chunk
        pages = list(_pages(written))
        self._rest = written[sum(map(len, pages)) :]
        return b"".join(map(_renumbered, pages))


def _pages(data: bytes) -> Iterator[bytes]:
    """The whole pages at the beginning of the data."""
    begin = 0
    while len(data) >= begin + _HEAD_BYTES:
        segments = data[begin + _HEAD_BYTES : begin + _HEAD_BYTES + data[begin + _SEGMENTS]]
        end = begin + _HEAD_BYTES + len(segments) + sum(segments)
        if len(segments) < data[begin + _SEGMENTS] or len(data) < end:
            return
        yield data[begin:end]
        begin = end


def _renumbered(page: bytes) -> bytes:
    changed = bytearray(page)
    changed[_SERIAL_NUMBER] = _U32.pack(_SERIAL)
    changed[_CHECKSUM] = bytes(4)
    changed[_CHECKSUM] = _U32.pack(_ogg_checksum(bytes(changed)))
    return bytes(changed)


def _ogg_checksum(page: bytes) -> int:
    """CRC-32 with its highest bit first, beginning at zero: the usual one seen in a mirror."""
    mirrored = zlib.crc32(page.translate(_REVERSED_BITS), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)
