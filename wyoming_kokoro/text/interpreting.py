"""What `say-as` asks for.

| interpret-as | said |
|---|---|
| `characters`, `spell-out`, `verbatim` | one character after the other |
| `digits`, `telephone` | one figure after the other |
| `cardinal`, `number`, `ordinal` | as that number |
| `date` | as a date; `format` is an order of `d`, `m`, `y`, such as `dmy` |
| `expletive`, `bleep` | nothing |
| others (`time`, `currency`, `unit`, `fraction`, `address`, ...) | as in any text |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.spelling import MOST_DIGITS, Spelling
from wyoming_kokoro.text.normalise.tongues import tongue_of

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = re.compile(r"[0-9]+")
_NO_FIGURE = re.compile(r"[^0-9]")
_ORDER = re.compile("[dmy]{1,3}")


class Interpreting:
    """The ways of one language."""

    def __init__(self, language: str, usual: Callable[[str], str]) -> None:
        """`usual` says a text as any other."""
        tongue = tongue_of(language)
        self._usual = usual
        self._spelling = Spelling(tongue.numbers, tongue.writing)
        self._pause = tongue.labels.pause
        self._ways: dict[str, Callable[[str, str], str]] = {
            "characters": self._characters,
            "spell-out": self._characters,
            "verbatim": self._characters,
            "digits": self._digits,
            "telephone": self._digits,
            "cardinal": self._cardinal,
            "number": self._cardinal,
            "ordinal": self._ordinal,
            "date": self._date,
            "expletive": lambda _, __: "",
            "bleep": lambda _, __: "",
        }

    def said(self, words: str, way: str, detail: str) -> str:
        """The words, said that way."""
        known = self._ways.get(way)
        return self._usual(words) if known is None else known(words.strip(), detail)

    def _characters(self, words: str, _: str) -> str:
        spelled = [self._spelling.digits(char) if char in "0123456789" else char.upper() for char in words if char.isalnum()]
        return " ".join(spelled)

    def _digits(self, words: str, _: str) -> str:
        groups = self._pause.join(self._spelling.digits(group) for group in _NUMBER.findall(words))
        return self._spelling.signed("+" if words.startswith("+") else None, groups) or self._usual(words)

    def _cardinal(self, words: str, _: str) -> str:
        figures = _NO_FIGURE.sub("", words)
        if not figures or len(figures) > MOST_DIGITS or figures != words.lstrip("-+"):
            return self._usual(words)
        return self._spelling.signed(words[0] if words[0] in "-+" else None, self._spelling.cardinal(int(figures)))

    def _ordinal(self, words: str, _: str) -> str:
        figures = _NO_FIGURE.sub("", words)
        return self._spelling.ordinal(int(figures)) if 0 < len(figures) <= MOST_DIGITS else self._usual(words)

    def _date(self, words: str, order: str) -> str:
        numbers = _NUMBER.findall(words)
        if not _ORDER.fullmatch(order) or len(numbers) != len(order) or len(set(order)) != len(order):
            return self._usual(words)
        parts = dict(zip(order, numbers, strict=True))
        if len(parts) == 3 and len(parts["y"]) == 4:
            return self._usual(f"{parts['y']}-{int(parts['m']):02}-{int(parts['d']):02}")
        return self._usual(words)
