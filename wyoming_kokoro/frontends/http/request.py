"""What the body of `POST /api/casts` asks for, as a `CastRequest`; a wrong field is refused by name. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.json_fields import (
    read_flag,
    read_name,
    read_priority,
    read_speed,
    read_text,
    read_word,
    refuse_unknown,
)
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

FIELDS = ("text", "voice", "speed", "language", "profile", "text_format", "priority", "keep")


def read_request(document: Mapping[str, object], source: str) -> CastRequest:
    """The request in a JSON object; null is as good as not named. Raises `RefusedError`."""
    refuse_unknown(document, FIELDS)
    return CastRequest(
        text=read_text(document.get("text")),
        source=source,
        voice=read_name("voice", document.get("voice")),
        speed=read_speed(document.get("speed")),
        language=read_name("language", document.get("language")),
        profile=read_word("profile", document.get("profile"), Profile.BALANCED),
        text_format=read_word("text_format", document.get("text_format"), TextFormat.PLAIN),
        priority=read_priority(document.get("priority")),
        keep=read_flag("keep", document.get("keep")),
    )
