"""Where a sentence that is too long is split."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from wyoming_kokoro.text.effort import effort

_STRIDE = 64
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
    limit = first_beyond(text, start, target)
    for end in range(limit, start, -1):
        if text[end - 1].isspace():
            return end if effort(text[start:end]) else _whole_character(text, start, limit)
    return _whole_character(text, start, limit)


def first_beyond(text: str, start: int, target: int) -> int:
    """The first character with which the effort from `start` on, which must exceed the target, does so."""
    total = 0
    position = start
    while (more := effort(text[position : position + _STRIDE])) + total <= target:
        total += more
        position += _STRIDE
        if position >= len(text):
            raise ValueError("the text is not longer than the target")
    while (more := effort(text[position])) + total <= target:
        total += more
        position += 1
    return position


def _whole_character(text: str, start: int, index: int) -> int:
    """The same place, or the one before the character that would be torn: conjuncts and marks stay with their letter."""
    at = index
    while at > start + 1 and (_is_mark(text[at]) or unicodedata.combining(text[at - 1]) == _VIRAMA or text[at - 1] == "\u200d"):
        at -= 1
    return at if at > start + 1 and effort(text[start:at]) else index


def _is_mark(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char).startswith("M")
