"""How long a text will be when it is spoken, guessed from its characters alone.

Efforts are whole numbers, tenths of a phoneme, and add up: the effort of two texts joined is the sum of theirs. Only what can
be spoken counts, so a row of dashes has none.
"""

from __future__ import annotations

import re

PHONEME = 10
"""Efforts in one phoneme."""

_LETTER = 13  # English: 100 letters with their spaces make about 130 of the model's symbols
_DIGIT = 45  # "4" is "four ", a place in a long number is more
_KANA = 20
_HAN = 38

_QUIET = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d")
_KANAS = re.compile("[\u3041-\u30ff\uac00-\ud7a3]")
_HANS = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_SPEAKABLE = re.compile(r"[^\W_]")


def effort(text: str) -> int:
    """Tenths of a phoneme, about."""
    said = _QUIET.sub("", text)
    total = _LETTER * len(said) + (_DIGIT - _LETTER) * _count(_DIGITS, said)
    if not said.isascii():
        total += (_KANA - _LETTER) * _count(_KANAS, said) + (_HAN - _LETTER) * _count(_HANS, said)
    return total


def is_speakable(text: str) -> bool:
    """Whether there is a letter or a digit in it."""
    return _SPEAKABLE.search(text) is not None


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))
