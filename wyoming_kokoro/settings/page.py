"""The tables of all options as Markdown: `docs/settings.md` holds them, and a test holds the page to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.settings.option import options_of
from wyoming_kokoro.settings.rooms import RoomSettings
from wyoming_kokoro.settings.schema import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.settings.option import Option


def options_table() -> str:
    """A row for each option: key, meaning, range with unit, default."""
    return _table(OPTIONS.values())


def room_table() -> str:
    """The same for what stands in an entry of `rooms`."""
    return _table(options_of(RoomSettings))


def _table(options: Iterable[Option]) -> str:
    rows = [
        f"| `{option.key}` | {option.meaning} | {option.expected} | {_default(option.key, option.default)} |"
        for option in options
    ]
    return "\n".join(["| option | meaning | range | default |", "|---|---|---|---|", *rows]) + "\n"


def _default(key: str, default: object) -> str:
    if key == "data_dir":
        return "`$XDG_DATA_HOME/wyoming-kokoro`"
    match default:
        case None | ():
            return "none"
        case bool():
            return f"`{str(default).lower()}`"
        case _:
            return f"`{default}`"
