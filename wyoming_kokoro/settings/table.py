"""Values held against a table of options, by voluptuous: types, ranges, and in one sentence what is wrong."""

from __future__ import annotations

import difflib
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.kind import Choice, File, Flag, Folder, Listing, NumberChoice, Real, Text, Whole, describe_value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wyoming_kokoro.settings.kind import Kind
    from wyoming_kokoro.settings.option import Option


def check(
    values: Mapping[str, object], options: Mapping[str, Option], place: str, name: Callable[[str], str] = str
) -> dict[str, Any]:  # Any: see Kind
    """The values in their final types. `place` says where they stand, `name` how an option is called there.

    Raises SettingsError for the first key that is unknown or wrong.
    """
    import voluptuous

    for key in values:
        if key not in options:
            raise SettingsError(_unknown(str(key), options, place, name))
    schema = voluptuous.Schema({voluptuous.Optional(key): _validator(option.kind) for key, option in options.items()})
    try:
        checked: dict[str, Any] = schema(dict(values))
    except voluptuous.MultipleInvalid as error:
        option = options[str(error.errors[0].path[0])]
        value = describe_value(values[option.key])
        raise SettingsError(f"{place}: {name(option.key)} is {value}, but must be {option.expected}") from error
    return {key: _read(value, options[key].kind, f"{place}: {name(key)}") for key, value in checked.items()}


def _read(value: object, kind: Kind, place: str) -> object:
    return kind.read(value, place) if isinstance(kind, Listing) else value


def _unknown(key: str, options: Mapping[str, Option], place: str, name: Callable[[str], str]) -> str:
    nearest = difflib.get_close_matches(key.lower(), options, n=2)
    hint = f"; did you mean {' or '.join(map(name, nearest))}?" if nearest else ""
    return f"{place}: there is no option {name(key)}{hint}"


def _validator(kind: Kind) -> Callable[[object], object]:
    match kind:
        case Choice(words):
            return lambda value: _checked(value, isinstance(value, str) and value in words)
        case NumberChoice(numbers):
            return lambda value: _checked(value, type(value) is int and value in numbers)
        case Whole(low, high):
            return lambda value: _checked(value, type(value) is int and low <= value <= high)
        case Real(low, high):
            return lambda value: _real(value, low, high)
        case Flag():
            return lambda value: _checked(value, isinstance(value, bool))
        case Text(pattern):
            return lambda value: _checked(value, isinstance(value, str) and re.fullmatch(pattern, value) is not None)
        case Folder() | File():
            return _path
        case Listing():
            return lambda value: value
        case _:
            assert_never(kind)


def _checked(value: object, is_right: bool) -> object:
    """Voluptuous turns the ValueError into its own, with the key."""
    if not is_right:
        raise ValueError
    return value


def _real(value: object, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not low <= value <= high:
        raise ValueError
    return float(value)


def _path(value: object) -> Path:
    if not isinstance(value, str) or not value or "\0" in value:
        raise ValueError
    return Path(value).expanduser().absolute()
