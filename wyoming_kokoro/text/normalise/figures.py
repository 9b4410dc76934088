"""Figures that are not the plain ones: other scripts' and full-width digits, small raised ones; and signs between figures."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_TIMES = re.compile(r"(?<=[0-9]) ?[*×] ?(?=[0-9])")
_POWER = re.compile(r"(?<=[\w)])(?<![²³])[²³](?!\w)")
_POWERS = {"²": " squared", "³": " cubed"}


def plain_figures(text: str, _: Spelling) -> str:
    """`１２` and `١٢` are `12`."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)


def speak_powers(text: str, _: Spelling) -> str:
    """`x²` is `x squared`, `10³` `10 cubed`."""
    return text if text.isascii() else _POWER.sub(lambda found: _POWERS[found[0]], text)


def speak_signs(text: str, _: Spelling) -> str:
    """`2*3` and `2 × 3` are `2 times 3`."""
    return _TIMES.sub(" times ", text)
