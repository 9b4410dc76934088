"""The header `Range` of RFC 9110: which part of a whole is asked for. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

_ONE_RANGE = re.compile(r"bytes=[ \t]*(\d{0,19})-(\d{0,19})[ \t]*", re.IGNORECASE | re.ASCII)


class Part(NamedTuple):
    """The bytes from `start` up to, not including, `end`."""

    start: int
    end: int


class UnsatisfiableError(Exception):
    """Nothing of what is asked for is there."""


def requested_part(header: str | None, size_bytes: int) -> Part | None:
    """The part that the header asks for; None for the whole.

    Several ranges at once, other units, and what can't be read are answered by the whole, as the RFC allows.
    Raises `UnsatisfiableError`.
    """
    found = _ONE_RANGE.fullmatch(header.strip()) if header else None
    if found is None or found.groups() == ("", ""):
        return None
    first, last = found.groups()
    if not first:
        return _suffix(int(last), size_bytes)
    start, end = int(first), int(last) + 1 if last else size_bytes
    if end <= start and last:
        return None
    if start >= size_bytes:
        raise UnsatisfiableError
    return Part(start, min(end, size_bytes))


def _suffix(length: int, size_bytes: int) -> Part:
    if not length or not size_bytes:
        raise UnsatisfiableError
    return Part(max(0, size_bytes - length), size_bytes)
