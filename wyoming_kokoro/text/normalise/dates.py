"""Dates with a month that can be told: ISO's, local ones in figures, and a month's name with its day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING

from babel import Locale

from wyoming_kokoro.text.normalise.rule import one_of

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_NO_MORE = r"(?![\w/]|[.,:-][0-9]|-\w)"
_ISO = (
    r"(?<![\w.,:/-])(?P<year>[12][0-9]{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])"
    r"(?![\w/]|[.,:-][0-9]|-\w)"
)
_IN_FIGURES = re.compile("[0-9][/.-][0-9]")
_STAMP = re.compile(r"(?<=[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?=[0-2][0-9]:[0-5][0-9])")
_STAMP_END = re.compile(r"(?<=[0-9]:[0-5][0-9])(?:\.[0-9]+)?(?:Z|[+-]00:?00)(?!\w)")
"""What a machine writes behind the seconds, and nobody means."""
_DAY_NUMBER = r"(?:0?[1-9]|[12][0-9]|3[01])"
_MONTH_NUMBER = r"(?:0?[1-9]|1[0-2])"
_DAY, _MONTH = f"(?P<day>{_DAY_NUMBER})", f"(?P<month>{_MONTH_NUMBER})"
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"


class Days(Enum):
    """How the day of a month is said."""

    ORDINAL = 0
    CARDINAL = 1
    FIRST = 2
    """The first as an ordinal, the others as cardinals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DateWords:
    """Templates with `{d}`, `{m}` and `{y}`."""

    locale: str
    """CLDR's name of the language, for the months."""
    days: Days
    day_month: str
    year: str
    """With `{t}` for day and month, and `{y}`."""
    order: str = "dmy"
    """Of a date in figures."""
    written: tuple[tuple[str, str], ...] = ()
    """Ways of writing a date with its month's name, and the template for each: patterns with `{day}`, `{month}`, `{year}`."""
    short_months: str = ""
    """Abbreviated months, twelve words; a month that has none is `-`."""
    before_bare: str = ""
    """A pattern of words before day and month in figures without a year, that tell that they are a date: `on 12/25`."""
    written_year: str = ""
    """A pattern with `year`, of figures that say by themselves that they are one: `1908年`."""


class Dates:
    """The dates of one language."""

    def __init__(self, words: DateWords, spelling: Spelling) -> None:
        self._words = words
        self._spelling = spelling
        compile_ = spelling.writing.compile
        self._iso = compile_(_ISO)
        self._local = [compile_(pattern) for pattern in _in_figures(words.order)]
        self._written = [(compile_(self._filled(pattern), re.IGNORECASE), template) for pattern, template in words.written]
        self._bare = compile_(_bare(words), re.IGNORECASE)
        self._written_year = compile_(words.written_year or r"(?!)")

    @cached_property
    def _months(self) -> dict[int, str]:
        return dict(Locale.parse(self._words.locale).months["format"]["wide"])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of a month by its name or abbreviation, in lower case."""
        numbers = {name.lower(): number for number, name in self._months.items()}
        short = {name: number for number, name in enumerate(self._words.short_months.split(), 1) if name != "-"}
        return numbers | {name: number for both, number in short.items() for name in both.split("|")}

    @cached_property
    def _stems(self) -> tuple[str, ...]:
        """One of them stands in every text in which a month is named."""
        names = sorted(self._numbers, key=len)
        return tuple(name for index, name in enumerate(names) if not any(name.startswith(stem) for stem in names[:index]))

    def _filled(self, pattern: str) -> str:
        day = rf"(?P<day>{_DAY_NUMBER})(?![0-9])"
        month = rf"(?P<month>{one_of(self._numbers)})(?![^\W\d_])"
        year = rf"(?P<year>{_YEAR})(?![\w/%]|[.,:-]?[0-9])"
        return pattern.replace("{day}", day).replace("{month}", month).replace("{year}", year)

    def apply(self, text: str) -> str:
        """`2027-03-14` is `March fourteenth, twenty twenty-seven`, in Spain `catorce de marzo de dos mil veintisiete`."""
        if "-" in text:
            text = _STAMP_END.sub("", text) if _STAMP.search(text) else text
            text = self._iso.sub(self._say, _STAMP.sub(", ", text))
        if _IN_FIGURES.search(text) is not None:
            for pattern in self._local:
                text = pattern.sub(self._say, text)
            text = self._bare.sub(self._say_bare, text)
        lowered = text.lower()
        for pattern, template in self._written if any(stem in lowered for stem in self._stems) else ():
            text = pattern.sub(partial(self._say_named, template), text)
        if not self._words.written_year:
            return text
        return self._written_year.sub(lambda found: self._spelling.year(int(found["year"])), text)

    def _say(self, found: re.Match[str]) -> str:
        return self._told(self._words.day_month, int(found["day"]), self._months[int(found["month"])], found["year"])

    def _say_bare(self, found: re.Match[str]) -> str:
        return found["before"] + self._told(self._words.day_month, int(found["day"]), self._months[int(found["month"])], None)

    def _say_named(self, template: str, found: re.Match[str]) -> str:
        groups = found.groupdict()
        written = found["month"]
        month = self._months[self._numbers[written.lower()]]
        name = written if written.lower() == month.lower() else month
        if not groups.get("day"):
            return f"{name} {self._spelling.year(int(groups['year'] or 0))}"
        return self._told(template, int(found["day"]), name, groups.get("year"))

    def _told(self, template: str, day: int, month: str, year: str | None) -> str:
        said = template.format(d=self._day(day), m=self._month(month))
        return self._words.year.format(t=said, y=self._spelling.year(int(year))) if year else said

    def _month(self, month: str) -> str:
        number = "".join(char for char in month if char.isdigit())
        return month.replace(number, self._spelling.cardinal(int(number))) if number else month

    def _day(self, day: int) -> str:
        if self._words.days is Days.ORDINAL or (self._words.days is Days.FIRST and day == 1):
            return self._spelling.ordinal(day)
        return self._spelling.cardinal(day)


def _in_order(order: str) -> list[str]:
    return [{"d": _DAY, "m": _MONTH}[letter] for letter in order if letter != "y"]


def _bare(words: DateWords) -> str:
    """A pattern of a date without a year; what a part is taken of, is a fraction."""
    if not words.before_bare:
        return r"(?!)"
    first, second = _in_order(words.order)
    return rf"(?P<before>\b(?:{words.before_bare}) ){first}/{second}{_NO_MORE}(?! (?:of|de|di|do|da|del|della|du|des)\b)"


def _in_figures(order: str) -> list[str]:
    """Patterns of dates in figures, with a year of four figures first or last."""
    day, month, year = _DAY, _MONTH, f"(?P<year>{_YEAR})"
    first, second = _in_order(order)
    before = r"(?<![\w.,:/-])"
    return [
        rf"{before}{year}/{month}/{day}{_NO_MORE}",
        rf"{before}{first}(?P<mark>[/.]){second}(?P=mark){year}{_NO_MORE}",
        rf"{before}{first}-{second}-{year}{_NO_MORE}",
    ]


def dates(words: DateWords, spelling: Spelling) -> Rule:
    """The step of a language."""
    return Dates(words, spelling).apply
