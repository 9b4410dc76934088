"""The steps of English."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def english_passes(*, british: bool) -> list[tuple[str, Callable[[str], str]]]:
    """Name and function of each, in order."""
    return []
