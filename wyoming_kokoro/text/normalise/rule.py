"""What the steps of all languages are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

Rule = Callable[[str], str]
"""Puts one kind of thing into words and leaves the rest of the text. It loses no digit and never raises."""


def one_of(words: Iterable[str]) -> str:
    """A pattern that matches any of these, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def one_of_many(words: Iterable[str]) -> str:
    """The same, quicker where they are hundreds. Upper and lower case must count."""
    by_first: dict[str, list[str]] = {}
    for word in words:
        by_first.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{re.escape(first)}(?:{one_of(rest)})" for first, rest in by_first.items())
