"""Numbers, times, money and the like in words, by language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.tongue import rules_of
from wyoming_kokoro.text.normalise.tongues import tongue_of

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a language."""

    name: str
    apply: Rule


@lru_cache(maxsize=64)
def passes_for(language: str) -> tuple[Pass, ...]:
    """The steps of a BCP-47 tag in their order; those of English for a language that has none of its own."""
    return tuple(Pass(name, rule) for name, rule in rules_of(tongue_of(language)))
