"""The schema of the tree: every option by its key, and the check that all sources go through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wyoming_kokoro.settings.option import options_of
from wyoming_kokoro.settings.table import check
from wyoming_kokoro.settings.tree import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

OPTIONS = {option.key: option for option in options_of(Settings)}
"""Every option by its key, in the order of the tree."""


def validate(values: Mapping[str, object], place: str, name: Callable[[str], str] = str) -> dict[str, Any]:  # Any: see Kind
    """The values in their final types. `place` says where they stand, `name` how an option is called there.

    Raises SettingsError for the first key that is unknown or wrong.
    """
    return check(values, OPTIONS, place, name)
