"""Fields of a JSON object that somebody sent, as typed values; a wrong one is refused by its name. Pure."""

from __future__ import annotations

import difflib
import json
import math
import re
from typing import TYPE_CHECKING, NoReturn, TypeVar

from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import StrEnum

_MAX_NAME_CHARS = 200
UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")
"""NUL, and halves of characters that have lost their other half."""

_Word = TypeVar("_Word", bound="StrEnum")


def parse_object(data: bytes, whole: str = "body") -> dict[str, object]:
    """The JSON object in some bytes, which a refusal calls `whole`. Raises `RefusedError` for anything else."""
    try:
        document: object = json.loads(data.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise RefusedError(whole, "it is not UTF-8") from None
    except RecursionError:
        raise RefusedError(whole, "it is nested too deeply") from None
    except ValueError:
        raise RefusedError(whole, "it is not JSON") from None
    if not isinstance(document, dict):
        raise RefusedError(whole, 'a JSON object such as {"text": "Dinner is ready."} is expected')
    return document


def refuse_unknown(document: Mapping[str, object], fields: Sequence[str]) -> None:
    """Raises `RefusedError` for the first field that is not one of these."""
    for name in document:
        if name not in fields:
            raise RefusedError(_shown(name), _unknown(name, fields))


def read_text(value: object) -> str:
    """The text that is to be spoken; it is what every request needs."""
    if value is None:
        raise RefusedError("text", "it is missing; a string is expected")
    if not isinstance(value, str):
        raise RefusedError("text", "a string is expected")
    text = UNSPEAKABLE.sub("", value)
    if not text.strip():
        raise NothingToSpeakError
    return text


def read_name(field: str, value: object) -> str | None:
    """A name of something; None where it is not given, or empty."""
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise RefusedError(field, "a string is expected")
    if len(value) > _MAX_NAME_CHARS:
        raise RefusedError(field, f"at most {_MAX_NAME_CHARS} characters are expected")
    return UNSPEAKABLE.sub("", value) or None


def read_names(field: str, value: object) -> tuple[str, ...]:
    """A list of names; empty where it is not given."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RefusedError(field, "a list of names is expected")
    names = [read_name(field, each) for each in value]
    if None in names:
        raise RefusedError(field, "a list of names is expected, and one of them is empty")
    return tuple(name for name in names if name is not None)


def read_speed(value: object, field: str = "speed") -> float | None:
    """Pace; None where it is not given."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RefusedError(field, "a number is expected; 1.0 is the voice's own pace")
    return read_number(field, value, 0.5, 2.0)


def read_number(field: str, value: object, low: float, high: float) -> float | None:
    """A number between two others, or one of them; None where it is not given."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high or not math.isfinite(value):
        raise RefusedError(field, f"a number from {low:g} to {high:g} is expected")
    return float(value)


def read_whole(field: str, value: object, low: int, high: int) -> int | None:
    """A whole number between two others, or one of them; None where it is not given."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise RefusedError(field, f"a whole number from {low} to {high} is expected")
    return value


def read_word(field: str, value: object, usual: _Word) -> _Word:
    """One of a few fixed words."""
    if value is None:
        return usual
    kind = type(usual)
    if isinstance(value, str) and value in list(kind):
        return kind(value)
    raise RefusedError(field, f"one of {', '.join(kind)} is expected")


def read_priority(value: object, field: str = "priority") -> Priority:
    """How urgent it is."""
    if value is None:
        return Priority.NORMAL
    try:
        return Priority.from_label(value if isinstance(value, str) else "")
    except ValueError as error:
        raise RefusedError(field, f"{error} is expected") from None


def read_flag(field: str, value: object) -> bool:
    """Yes or no; no where it is not given."""
    if value is None:
        return False
    if not isinstance(value, bool):
        raise RefusedError(field, "true or false is expected")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _shown(name: str) -> str:
    """A name that somebody else chose, short enough to be repeated, and never empty."""
    clean = UNSPEAKABLE.sub("?", name) or '""'
    return clean if len(clean) <= 60 else f"{clean[:57]}..."


def _unknown(name: str, fields: Sequence[str]) -> str:
    nearest = difflib.get_close_matches(name[:60].lower(), fields, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(fields)}"
    return f"there is no such field; {hint}"
