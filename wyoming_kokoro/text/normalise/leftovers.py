"""What no other step could read: figures are said one way or another, and never dropped."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_FIGURE = re.compile(r"[0-9]")
_TOKEN = re.compile(r"(?<![0-9A-Za-z])(?:[A-Za-z]+-)?[0-9A-Za-z]*[0-9](?:[0-9A-Za-z]|[-.,:/_+*×−–'](?=[0-9A-Za-z]))*", re.ASCII)
_RAISED = re.compile("[⁰¹²³⁴-⁹⅟]")
_MOST_AT_ONCE = 4
_SPELLED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftoverWords:
    """What the marks between figures are called."""

    slash: str
    point: str
    ratio: str


class Leftovers:
    """The last step of one language."""

    def __init__(self, words: LeftoverWords, spelling: Spelling) -> None:
        self._spelling = spelling
        self._parts = re.compile(rf"{spelling.writing.grouped}|[0-9]+|[A-Za-z]+|[^0-9A-Za-z]+")
        self._marks = {
            "/": words.slash,
            ".": words.point,
            ":": words.ratio or ",",
            "+": spelling.words.plus,
            "−": spelling.words.minus,
        }

    def apply(self, text: str) -> str:
        """`COVID-19` is `COVID nineteen`, `RX480B` `R X four hundred eighty B`, `25:61` `twenty-five, sixty-one`."""
        if not text.isascii():
            text = _RAISED.sub(lambda found: f" {unicodedata.normalize('NFKC', found[0])[0]} ", text)
        return _TOKEN.sub(self._say, text) if _FIGURE.search(text) else text

    def _say(self, found: re.Match[str]) -> str:
        parts = self._parts.findall(found[0])
        said = [self._part(parts, index) for index in range(len(parts))]
        gap = self._spelling.words.gap
        text = _joined([part for part in said if part], gap).replace(" ,", ",")
        before = found.string[found.start() - 1 : found.start()]
        after = found.string[found.end() : found.end() + 1]
        return (gap if before.isalpha() else "") + text + (gap if after.isalpha() else "")

    def _part(self, parts: list[str], index: int) -> str:
        written = parts[index]
        if written[0].isdigit():
            is_fraction = index > 1 and parts[index - 1] == "."
            return self._spelling.digits(written) if is_fraction else self._figures(written)
        before, after = "".join(parts[max(0, index - 1) : index])[-1:], "".join(parts[index + 1 : index + 2])[:1]
        between = before.isdigit() and after.isdigit()
        if written.isalpha():
            return " ".join(written) if written.isupper() and len(written) <= _SPELLED and not between else written
        return self._marks.get(written, ",") if between and len(written) == 1 else ""

    def _figures(self, written: str) -> str:
        if not written.isdigit():
            return self._spelling.number(written)
        if len(written) > _MOST_AT_ONCE or (written[0] == "0" and len(written) > 1):
            return self._spelling.digits(written)
        return self._spelling.cardinal(int(written))


def _joined(parts: list[str], gap: str) -> str:
    """Latin letters keep their distance even where words have none."""
    if gap or not parts:
        return gap.join(parts)
    text = parts[0]
    for part in parts[1:]:
        text += (" " if text[-1].isascii() or part[0].isascii() else "") + part
    return text


def leftovers(words: LeftoverWords, spelling: Spelling) -> Rule:
    """The step of a language."""
    return Leftovers(words, spelling).apply
