"""The steps of English."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.cardinals import (
    speak_cardinals,
    speak_lists,
    speak_number_signs,
    speak_ordinals,
    speak_ranges,
)
from wyoming_kokoro.text.normalise.dates import speak_dates
from wyoming_kokoro.text.normalise.figures import plain_figures, speak_powers, speak_signs
from wyoming_kokoro.text.normalise.fractions import speak_fractions
from wyoming_kokoro.text.normalise.labels import speak_named, speak_telephones, speak_versions
from wyoming_kokoro.text.normalise.measures import speak_degrees, speak_measures, speak_percent
from wyoming_kokoro.text.normalise.money import speak_money
from wyoming_kokoro.text.normalise.spelling import Spelling
from wyoming_kokoro.text.normalise.times import speak_times
from wyoming_kokoro.text.normalise.years import speak_years

if TYPE_CHECKING:
    from collections.abc import Callable

_SOME_NUMBER = re.compile(r"[\d²³¼½¾⅐-⅞]")

# What is told by more comes before what is told by less; bare numbers come last.
_STEPS = (
    ("figures", plain_figures),
    ("signs", speak_signs),
    ("dates", speak_dates),
    ("times", speak_times),
    ("money", speak_money),
    ("telephones", speak_telephones),
    ("versions", speak_versions),
    ("fractions", speak_fractions),
    ("percent", speak_percent),
    ("degrees", speak_degrees),
    ("measures", speak_measures),
    ("powers", speak_powers),
    ("names", speak_named),
    ("ordinals", speak_ordinals),
    ("years", speak_years),
    ("number signs", speak_number_signs),
    ("lists", speak_lists),
    ("ranges", speak_ranges),
    ("cardinals", speak_cardinals),
)


def english_passes(*, british: bool) -> list[tuple[str, Callable[[str], str]]]:
    """Name and function of each, in order."""
    spelling = Spelling(british=british)
    return [(name, partial(_where_numbers_are, step, spelling)) for name, step in _STEPS]


def _where_numbers_are(step: Callable[[str, Spelling], str], spelling: Spelling, text: str) -> str:
    return step(text, spelling) if _SOME_NUMBER.search(text) else text
