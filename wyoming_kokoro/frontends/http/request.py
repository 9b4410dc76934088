"""What the body of `POST /api/casts` asks for, as a `CastRequest`; a wrong field is refused by name. Pure."""

from __future__ import annotations

import difflib
import json
import math
import re
from typing import TYPE_CHECKING, NoReturn, TypeVar

from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

FIELDS = ("text", "voice", "speed", "language", "profile", "text_format", "priority", "keep")

_MAX_NAME_CHARS = 200
_UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, and halves of characters that have lost their other half."""

_Word = TypeVar("_Word", bound="StrEnum")


def parse_object(body: bytes) -> dict[str, object]:
    """The JSON object in a body. Raises `RefusedError` for anything else."""
    try:
        document: object = json.loads(body.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise RefusedError("body", "it is not UTF-8") from None
    except RecursionError:
        raise RefusedError("body", "it is nested too deeply") from None
    except ValueError:
        raise RefusedError("body", "it is not JSON") from None
    if not isinstance(document, dict):
        raise RefusedError("body", 'a JSON object such as {"text": "Dinner is ready."} is expected')
    return document


def read_request(document: Mapping[str, object], source: str) -> CastRequest:
    """The request in a JSON object; null is as good as not named. Raises `RefusedError`."""
    for name in document:
        if name not in FIELDS:
            raise RefusedError(_shown(name), _unknown(name))
    return CastRequest(
        text=_text(document.get("text")),
        source=source,
        voice=_name("voice", document.get("voice")),
        speed=_speed(document.get("speed")),
        language=_name("language", document.get("language")),
        profile=_word("profile", document.get("profile"), Profile.BALANCED),
        text_format=_word("text_format", document.get("text_format"), TextFormat.PLAIN),
        priority=_priority(document.get("priority")),
        keep=_flag("keep", document.get("keep")),
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _shown(name: str) -> str:
    """A name that somebody else chose, short enough to be repeated."""
    clean = _UNSPEAKABLE.sub("?", name)
    return clean if len(clean) <= 60 else f"{clean[:57]}..."


def _unknown(name: str) -> str:
    nearest = difflib.get_close_matches(name[:60].lower(), FIELDS, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(FIELDS)}"
    return f"there is no such field; {hint}"


def _text(value: object) -> str:
    if value is None:
        raise RefusedError("text", "it is missing; a string is expected")
    if not isinstance(value, str):
        raise RefusedError("text", "a string is expected")
    text = _UNSPEAKABLE.sub("", value)
    if not text.strip():
        raise NothingToSpeakError
    return text


def _name(field: str, value: object) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise RefusedError(field, "a string is expected")
    if len(value) > _MAX_NAME_CHARS:
        raise RefusedError(field, f"at most {_MAX_NAME_CHARS} characters are expected")
    return _UNSPEAKABLE.sub("", value) or None


def _speed(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedError("speed", "a number is expected; 1.0 is the voice's own pace")
    try:
        speed = float(value)
    except OverflowError:
        speed = math.inf
    if not math.isfinite(speed):
        raise RefusedError("speed", "a number from 0.5 to 2 is expected")
    return speed


def _word(field: str, value: object, usual: _Word) -> _Word:
    if value is None:
        return usual
    kind = type(usual)
    if isinstance(value, str) and value in list(kind):
        return kind(value)
    raise RefusedError(field, f"one of {', '.join(kind)} is expected")


def _priority(value: object) -> Priority:
    if value is None:
        return Priority.NORMAL
    try:
        return Priority.from_label(value if isinstance(value, str) else "")
    except ValueError as error:
        raise RefusedError("priority", f"{error} is expected") from None


def _flag(field: str, value: object) -> bool:
    if value is None:
        return False
    if not isinstance(value, bool):
        raise RefusedError(field, "true or false is expected")
    return value
