"""What a JSON object asks to be announced, as an `AnnouncementRequest`; a wrong field is refused by name. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.frontends.json_fields import (
    read_name,
    read_names,
    read_number,
    read_priority,
    read_speed,
    read_text,
    read_whole,
    read_word,
    refuse_unknown,
)
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.presentation import HIGHEST, LOWEST
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

FIELDS = (
    "text", "id", "voice", "speed", "language", "profile", "text_format", "priority", "expires_in", "sent_at", "topic",
    "chime", "lead_ms", "repeat", "volume", "rooms", "exclude",
)  # fmt: skip

_ID = re.compile(r"[!-~]{1,200}")
_LONGEST_EXPIRY_SECONDS = 7 * 24 * 60 * 60
_LAST_SECOND = 253_402_300_799
"""Of the year 9999: beyond it there is no date."""


def read_announcement(document: Mapping[str, object], source: str) -> AnnouncementRequest:
    """The announcement in a JSON object; null is as good as not named. Raises `RefusedError`."""
    refuse_unknown(document, FIELDS)
    get = document.get
    return AnnouncementRequest(
        text=read_text(get("text")),
        source=source,
        rooms=read_names("rooms", get("rooms")),
        exclude=read_names("exclude", get("exclude")),
        announcement_id=read_id(get("id")),
        voice=read_name("voice", get("voice")),
        speed=read_speed(get("speed")),
        language=read_name("language", get("language")),
        profile=read_word("profile", get("profile"), Profile.QUALITY),
        text_format=read_word("text_format", get("text_format"), TextFormat.PLAIN),
        priority=read_priority(get("priority")),
        expires_in_seconds=read_number("expires_in", get("expires_in"), 0, _LONGEST_EXPIRY_SECONDS),
        sent_at_ms=_moment(get("sent_at")),
        topic=read_name("topic", get("topic")),
        chime=_chime(get("chime")),
        lead_ms=read_whole("lead_ms", get("lead_ms"), LOWEST["lead_ms"], HIGHEST["lead_ms"]),
        repeat=read_whole("repeat", get("repeat"), LOWEST["repeat"], HIGHEST["repeat"]) or LOWEST["repeat"],
        volume=read_number("volume", get("volume"), 0, 1),
    )


def read_id(value: object) -> str | None:
    """The asker's own name for an announcement; None where it is not given."""
    if value is None:
        return None
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise RefusedError("id", "a string of 1 to 200 letters, digits and signs without spaces is expected")
    return value


def _chime(value: object) -> str | None:
    """None is the room's own, empty is none."""
    if value is None or value == "" or (isinstance(value, str) and value in CHIMES):
        return value
    raise RefusedError("chime", f"one of {', '.join(CHIMES)}, or an empty string for none, is expected")


def _moment(value: object) -> int | None:
    """Unix time in milliseconds, from a date in ISO 8601 or from seconds."""
    if value is None:
        return None
    seconds: object = value
    if isinstance(value, str):
        seconds = _seconds(value)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= _LAST_SECOND:
        raise RefusedError("sent_at", "a date such as 2026-05-01T07:30:00+00:00, or seconds since 1970, is expected")
    return round(1000 * seconds)


def _seconds(text: str) -> float | None:
    """A date without an offset is UTC's."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
