"""The headers of a record in one column: each name and value behind its length."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.journal.codec import Headers

_LENGTHS = struct.Struct(">HI")


def pack_headers(headers: Headers) -> bytes:
    """All of them, in order."""
    return b"".join(_LENGTHS.pack(len(name), len(value)) + name + value for name, value in headers)


def unpack_headers(packed: bytes) -> Headers:
    """The reverse of `pack_headers`; a ValueError where the bytes are none."""
    headers: Headers = []
    at = 0
    while at < len(packed):
        begin = at + _LENGTHS.size
        if begin > len(packed):
            raise ValueError("the headers are cut short")
        name_bytes, value_bytes = _LENGTHS.unpack_from(packed, at)
        middle, at = begin + name_bytes, begin + name_bytes + value_bytes
        headers.append((packed[begin:middle], packed[middle:at]))
    if at != len(packed):
        raise ValueError("the headers are cut short")
    return headers
