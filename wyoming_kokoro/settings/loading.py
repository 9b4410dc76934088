"""From the three sources to the one tree: flags before environment before file before defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.settings.schema import OPTIONS
from wyoming_kokoro.settings.source import PREFIX, from_environment, from_file, from_flags
from wyoming_kokoro.settings.supervised import DATA_DIR, OPTIONS_FILE
from wyoming_kokoro.settings.tree import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping


def load_settings(
    flags: Mapping[str, str | bool],
    environment: Mapping[str, str],
    *,
    options_file: Path | None = None,
    in_app: bool = False,
) -> Settings:
    """The settings of this run. The options file may also be named by WYOMING_KOKORO_OPTIONS; the app has one of its own.

    Raises SettingsError, in one sentence, for whatever is unknown or wrong.
    """
    named = environment.get(f"{PREFIX}OPTIONS")
    options_file = options_file or (Path(named) if named else OPTIONS_FILE if in_app else None)
    is_of_app = in_app or options_file == OPTIONS_FILE
    chosen = from_file(options_file, is_of_app=is_of_app) if options_file else {}
    values = chosen | from_environment(environment) | from_flags(flags)
    return _tree(values, DATA_DIR if in_app else default_data_dir(environment))


def default_data_dir(environment: Mapping[str, str]) -> Path:
    """Where everything that lasts is kept when nobody says where: $XDG_DATA_HOME/wyoming-kokoro."""
    home = environment.get("XDG_DATA_HOME")
    return (Path(home) if home else Path("~/.local/share").expanduser()) / "wyoming-kokoro"


def _tree(values: Mapping[str, Any], data_dir: Path) -> Settings:  # Any: what a key's kind says
    by_section: dict[str, dict[str, Any]] = {"": {"data_dir": data_dir}}
    for key, value in values.items():
        option = OPTIONS[key]
        by_section.setdefault(option.section, {})[option.field] = value
    tree = Settings(**by_section.pop(""))
    sections = {section: replace(getattr(tree, section), **changes) for section, changes in by_section.items()}
    return replace(tree, **sections)
