"""Values where only texts can be written: in a variable, behind a flag. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.settings.kind import Flag, Listing, NumberChoice, Real, Whole

if TYPE_CHECKING:
    from wyoming_kokoro.settings.kind import Kind

_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def read_text(kind: Kind, text: str) -> object:
    """What a text means for an option of that kind; the text itself where it means nothing, so that the schema refuses it."""
    match kind:
        case Flag():
            return _WORDS.get(text.strip().lower(), text)
        case Whole() | NumberChoice():
            return _number(int, text)
        case Real():
            return _number(float, text)
        case Listing():
            return _json(text)
        case _:
            return text


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _number(number: type[int | float], text: str) -> int | float | str:
    try:
        return number(text)
    except ValueError:
        return text
