"""Where a sentence that is too long is split."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from wyoming_kokoro.text.effort import effort

_TOKEN = re.compile(r"\s*\S+\s*")
_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"
_VIRAMA = 9


class Clause(NamedTuple):
    """The end of a clause inside a sentence."""

    end: int
    """First character behind it."""
    effort: int
    """Of the sentence up to there."""
    is_strong: bool
    """Whether it ends in more than a comma."""


def best_clause(clauses: list[Clause], least: int, target: int) -> int | None:
    """The end of the clause to split at: a strong one in the later half, else the last one; None where there is none."""
    fitting = [clause for clause in clauses if least <= clause.effort <= target]
    for clause in reversed(fitting):
        if clause.is_strong and 2 * clause.effort >= target:
            return clause.end
    return fitting[-1].end if fitting else None


def split_at_space(text: str, start: int, target: int) -> int:
    """Where a text whose effort from `start` on exceeds `target` is split: at white space, inside a word only if it must be.

    Something speakable stands on both sides.
    """
    total = 0
    for token in _TOKEN.finditer(text, start):
        more = effort(token[0])
        if total + more > target:
            return token.start() if total else _split_word(text, token.start(), target)
        total += more
    raise ValueError("the text is not longer than the target")


def _split_word(text: str, start: int, target: int) -> int:
    total = 0
    for index in range(start, len(text)):
        more = effort(text[index])
        if total and total + more > target:
            return _whole_character(text, start, index)
        total += more
    raise ValueError("the word is not longer than the target")


def _whole_character(text: str, start: int, index: int) -> int:
    """The same place, or the one before the character that would be torn: conjuncts and marks stay with their letter."""
    at = index
    while at > start + 1 and (_is_mark(text[at]) or unicodedata.combining(text[at - 1]) == _VIRAMA or text[at - 1] == "\u200d"):
        at -= 1
    return at if at > start + 1 and effort(text[start:at]) else index


def _is_mark(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char).startswith("M")
