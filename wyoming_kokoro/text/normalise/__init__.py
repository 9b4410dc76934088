"""Numbers, times, money and the like in words, by language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.tongue import rules_of
from wyoming_kokoro.text.normalise.tongues import tongue_of

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule

SOME_FIGURE = re.compile(r"[\d²³¼½¾⅐-⅞①-⓿]")
"""Found in every text that has figures."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One step of a language."""

    name: str
    apply: Rule
    for_figures: bool = False
    """Whether there is nothing to do for it in a text without figures."""


@lru_cache(maxsize=64)
def passes_for(language: str) -> tuple[Pass, ...]:
    """The steps of a BCP-47 tag in their order; those of English for a language that has none of its own."""
    return tuple(Pass(*step) for step in rules_of(tongue_of(language)))
