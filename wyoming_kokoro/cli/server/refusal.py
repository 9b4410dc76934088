"""A failure that a server answers, as the error that it stands for here. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import (
    AnnouncementNotFoundError,
    CastExpiredError,
    CastFailedError,
    CastNotFoundError,
    RefusedError,
    RoomNotFoundError,
    ServerError,
    VoiceOfAHouseError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_WRONG = (400, 413, 415, 422)
"""Statuses that say: the request itself is wrong."""
_KINDS: Mapping[str, type[VoiceOfAHouseError]] = {
    "announcement_not_found": AnnouncementNotFoundError,
    "cast_not_found": CastNotFoundError,
    "cast_failed": CastFailedError,
    "cast_cut": CastFailedError,
    "cast_expired": CastExpiredError,
}
_LONGEST = 500


def error_of(status: int, body: bytes, place: str) -> VoiceOfAHouseError:
    """What an answer with that status means. `place` is the server's address."""
    told = _told(body)
    message, code, field = told.get("message"), told.get("code"), told.get("param")
    if not isinstance(message, str):
        return ServerError(f"{place} answers {status}: is it a wyoming-kokoro server?")
    message = message[:_LONGEST]
    if status == 401:
        return ServerError(
            f"{place} does not take our token: name its data directory by --data-dir, or the token by --api-token"
        )
    if isinstance(code, str) and code in _KINDS:
        return _KINDS[code](message)
    if status in _WRONG or code == RoomNotFoundError.code:
        return RefusedError(field if isinstance(field, str) else "request", message)
    return ServerError(f"{place} can't do it: {message}")


def _told(body: bytes) -> Mapping[str, object]:
    try:
        document = json.loads(body)
        error = document["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}
