"""How things are named: casts, and the streams they live on."""

from __future__ import annotations

import base64
import re
from typing import NewType

CastId = NewType("CastId", str)
"""16 characters of lower-case base32: the address of a recipe, or random for a live cast."""

_CAST_ID = re.compile(r"[a-z2-7]{16}")

JOBS = "jobs"
JOBS_CURSOR = "jobs/_cursor"
JOBS_DEAD = "jobs/dead"
PROGRESS_DONE = "progress/done"
CASTS_PREFIX = "pub/casts/"

LASTING_STREAMS = (JOBS, JOBS_CURSOR, JOBS_DEAD, PROGRESS_DONE)
"""Streams that must never expire; made at start."""


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
