"""Years and decades, where a number of four digits reads as one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})"
_END = r"(?![\w,.:/%°-]*[0-9]|[\w%°€£$])"
_MAYBE_YEAR = re.compile("[12][0-9][0-9][0-9]")
_MAYBE_DECADE = re.compile("[0-9]0'?s")
_SURELY = 1500


@dataclass(frozen=True, slots=True, kw_only=True)
class YearWords:
    """What stands round years. All but `tens` are patterns."""

    sure: str
    """Before a year and nothing else."""
    likely: str
    """Before a year, or before a number of something."""
    behind: str = r"(?!)"
    """Behind a year and nothing else."""
    eras: str = r"(?!)"
    counted: frozenset[str] = frozenset()
    """Words behind a number that is no year; so is every other plural, where `plural` matches."""
    plural: str = r"(?!)"
    tens: Mapping[str, str] = field(default_factory=dict)
    """Decades by their figure; none where they are not said so."""
    to: str


def years(words: YearWords, spelling: Spelling) -> Rule:
    """`in 1908` is `in nineteen oh eight`, `1990-95` a span, `the 1980s` a decade; `after 1200 steps` stays."""
    compile_ = spelling.writing.compile
    before = rf"(?P<before>(?P<sure>{words.sure})|{words.likely})"
    context = compile_(rf"{before}{_YEAR}{_END}(?P<after> [a-z]+)?", re.IGNORECASE)
    behind = compile_(rf"(?<![\w.,/-]){_YEAR}(?={words.behind})")
    era = compile_(rf"(?<![\w.,/-]){_YEAR}(?= ?(?:{words.eras}))")
    span = compile_(rf"(?<![\w.,/-]){_YEAR} ?[-–] ?(?P<until>1[0-9]{{3}}|20[0-9]{{2}}|[0-9]{{2}}){_END}")
    decade = compile_(r"(?<![\w.,])(?P<century>1[1-9]|20)(?P<ten>[1-9])0'?s\b")
    short_decade = compile_(r"(?:(?<![\w])'|(?<=the )|(?<=early )|(?<=late ))(?P<ten>[2-9])0'?s\b")
    plural = compile_(words.plural)

    def is_counting(after: str, *, sure: bool) -> bool:
        return after in words.counted or (not sure and plural.fullmatch(after) is not None)

    def say(found: re.Match[str]) -> str:
        after, year, sure = found["after"] or "", int(found["year"]), found["sure"] is not None
        if is_counting(after.strip().lower(), sure=sure) or (year < _SURELY and not sure):
            return found[0]
        return f"{found['before']}{spelling.year(year)}{after}"

    def say_decade(found: re.Match[str]) -> str:
        return f"{spelling.cardinal(int(found['century']))} {words.tens[found['ten']]}"

    def rule(text: str) -> str:
        if words.tens and _MAYBE_DECADE.search(text) is not None:
            text = short_decade.sub(lambda found: words.tens[found["ten"]], decade.sub(say_decade, text))
        if _MAYBE_YEAR.search(text) is None:
            return text
        text = span.sub(lambda found: _span(found, spelling, words.to), text)
        for pattern in (era, behind):
            text = pattern.sub(lambda found: spelling.year(int(found["year"])), text)
        return context.sub(say, text)

    return rule


def _span(found: re.Match[str], spelling: Spelling, to: str) -> str:
    first, until = int(found["year"]), found["until"]
    last = int(until) if len(until) == 4 else first // 100 * 100 + int(until)
    if last <= first:
        return found[0]
    return f"{spelling.year(first)}{to}{spelling.year(last) if len(until) == 4 else spelling.cardinal(int(until))}"
