"""What the Supervisor's options file says, in the form in which everybody else would have written it.

A field that was emptied on the app's page comes as an empty text or null; a number that is chosen from a list comes as a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wyoming_kokoro.settings.kind import NumberChoice
from wyoming_kokoro.settings.value_text import read_text

if TYPE_CHECKING:
    from wyoming_kokoro.settings.option import Option


def plain_options(content: Mapping[str, object], options: Mapping[str, Option]) -> dict[str, object]:
    """The same without what is not filled in, and with numbers where numbers are meant."""
    return {key: _plain(value, options.get(key)) for key, value in _filled(content).items()}


def _filled(content: Mapping[str, object]) -> dict[str, object]:
    return {key: _without_gaps(value) for key, value in content.items() if not _is_gap(value)}


def _without_gaps(value: object) -> object:
    match value:
        case Mapping():
            return _filled(value)
        case list():
            return [_without_gaps(each) for each in value if not _is_gap(each)]
        case _:
            return value


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _plain(value: object, option: Option | None) -> object:
    if option is None or not isinstance(option.kind, NumberChoice) or not isinstance(value, str):
        return value
    return read_text(option.kind, value)
