"""The tables of all options as Markdown: `docs/settings.md` holds them, and a test holds the page to them."""

from __future__ import annotations

from wyoming_kokoro.settings.schema import OPTIONS


def options_table() -> str:
    """A row for each option: key, meaning, range with unit, default."""
    rows = [
        f"| `{option.key}` | {option.meaning} | {option.expected} | {_default(option.key, option.default)} |"
        for option in OPTIONS.values()
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
