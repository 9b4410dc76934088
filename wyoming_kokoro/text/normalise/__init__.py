"""Numbers, times, money and the like in words, by language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.english import english_passes

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a language: puts one kind of thing into words and leaves the rest. It loses no digit and never raises."""

    name: str
    apply: Callable[[str], str]


@lru_cache(maxsize=64)
def passes_for(language: str) -> tuple[Pass, ...]:
    """The steps of a BCP-47 tag in their order; none for a language that has no normaliser yet."""
    if language.partition("-")[0].lower() == "en":
        return tuple(Pass(name, apply) for name, apply in english_passes(british=language.lower() == "en-gb"))
    return ()
