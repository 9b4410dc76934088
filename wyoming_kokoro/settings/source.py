"""Where options come from: a file, the environment, the command line. Each gives checked values by key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.app_options import plain_options
from wyoming_kokoro.settings.schema import OPTIONS, validate
from wyoming_kokoro.settings.value_text import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PREFIX = "WYOMING_KOKORO_"
_NOT_OPTIONS = {"OPTIONS", "VENV", "LEVEL", "LIBRARY", "SUPERVISOR_URL"}
"""Variables with our prefix that are no options: the options file, what `scripts/setup` reads, the native library's own, and
where the Supervisor is."""


def from_file(path: Path, *, is_of_app: bool = False) -> dict[str, Any]:  # Any: what a key's kind says
    """The options of a YAML file, or of a JSON file if its name ends in `.json`. Raises SettingsError.

    The app's file is the Supervisor's: there, what is empty counts as not said.
    """
    try:
        content = _parse(path.read_text(encoding="utf-8"), is_json=path.suffix == ".json")
    except OSError as error:
        raise SettingsError(f"{path}: the options can't be read: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{path}: {error}") from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: the options must be a mapping of keys to values, such as voice: af_heart")
    return validate(plain_options(content, OPTIONS) if is_of_app else content, str(path))


def from_environment(environment: Mapping[str, str]) -> dict[str, Any]:  # Any: what a key's kind says
    """The options among the variables that begin with WYOMING_KOKORO_. Raises SettingsError."""
    texts = {name.removeprefix(PREFIX): text for name, text in environment.items() if name.startswith(PREFIX)}
    keys = {name.lower(): text for name, text in texts.items() if name not in _NOT_OPTIONS}
    return validate(_typed(keys), "environment", lambda key: PREFIX + key.upper())


def from_flags(flags: Mapping[str, str | bool]) -> dict[str, Any]:  # Any: what a key's kind says
    """The options given as flags, by key. Raises SettingsError."""
    return validate(_typed(flags), "command line", lambda key: "--" + key.replace("_", "-"))


def _parse(text: str, *, is_json: bool) -> object:
    """Raises a ValueError whose text is the rest of a sentence."""
    if is_json:
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"line {error.lineno} is not JSON: {error.msg}") from error
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise ValueError(
            f"{where} is not YAML: {getattr(error, 'problem', None) or 'it holds a character that is not allowed'}"
        ) from error


def _typed(texts: Mapping[str, str | bool]) -> dict[str, object]:
    return {
        key: read_text(OPTIONS[key].kind, text) if key in OPTIONS and isinstance(text, str) else text
        for key, text in texts.items()
    }
