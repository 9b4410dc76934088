"""How things are named: casts, and the streams they live on."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from collections.abc import Iterable

CastId = NewType("CastId", str)
"""16 characters of lower-case base32: the address of a recipe, or random for a live cast."""

_CAST_ID = re.compile(r"[a-z2-7]{16}")

JOBS = "jobs"
JOBS_CURSOR = "jobs/_cursor"
JOBS_DEAD = "jobs/dead"
PROGRESS_DONE = "progress/done"
CASTS_PREFIX = "pub/casts/"
ANNOUNCEMENTS = "announcements"

ROOM_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""What a room may be called: its name stands in streams, topics and paths."""

ROOM_RECEIPTS = re.compile(r"rooms/[^/]+(/_cursor)?")
"""Streams that say what has become of announcements."""


def cast_id_from_digest(digest: bytes) -> CastId:
    """Name a cast after the first 80 bits of a digest, or of as many random bytes."""
    if len(digest) < 10:
        raise ValueError(f"a cast id needs 10 bytes, got {len(digest)}")
    return CastId(base64.b32encode(digest[:10]).decode().lower())


def parse_cast_id(text: str) -> CastId | None:
    """The cast id that the text is, or None."""
    return CastId(text) if _CAST_ID.fullmatch(text) else None


def cast_stream(cast: CastId) -> str:
    """Where a cast's records are."""
    return f"{CASTS_PREFIX}{cast}"


def catalog_stream(cast: CastId) -> str:
    """Where a cast's recipe is. Private: it holds the full text."""
    return f"catalog/{cast}"


def input_stream(cast: CastId) -> str:
    """Where a live cast's sentences arrive."""
    return f"in/{cast}"


def room_stream(room: str) -> str:
    """Where it stands what became of each announcement in that room."""
    return f"rooms/{room}"


def room_place_stream(room: str) -> str:
    """Where it stands how far a room has come."""
    return f"rooms/{room}/_cursor"


def room_control_stream(room: str) -> str:
    """Where a room's commands and settings arrive."""
    return f"rooms/{room}/control"


def lasting_streams(rooms: Iterable[str]) -> tuple[str, ...]:
    """Streams that must never expire."""
    own = [name(room) for room in rooms for name in (room_stream, room_place_stream, room_control_stream)]
    return (JOBS, JOBS_CURSOR, JOBS_DEAD, PROGRESS_DONE, ANNOUNCEMENTS, *own)
