"""Dates with a month that can be told: ISO's, and a month's name with its day."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from babel import Locale

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec"
_ISO = re.compile(
    r"(?<![\w.,:/-])(?P<year>[12][0-9]{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])(?![\w/]|[.,:-][0-9]|-\w)"
)
_DAY = r"(?P<day>[1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})(?![\w/%]|[.,:-]?[0-9])"
_MONTH_DAY = re.compile(rf"\b(?P<month>{_MONTHS}|(?:{_SHORT})\.?) {_DAY}(?![\w/%:°]|[.,:][0-9]|-[0-9])(?:,? {_YEAR})?")
_DAY_MONTH = re.compile(
    rf"(?<![\w.,:/-])(?P<the>[Tt]he )?{_DAY} (?:of )?(?P<month>{_MONTHS}|(?:{_SHORT})(?:\.(?= \w))?)(?![\w])(?:,? {_YEAR})?"
)
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTHS}),? {_YEAR}")
_ABBREVIATED = {
    "Jan": 1,
    "Feb": 2,
    "Mar": 3,
    "Apr": 4,
    "Jun": 6,
    "Jul": 7,
    "Aug": 8,
    "Sep": 9,
    "Sept": 9,
    "Oct": 10,
    "Nov": 11,
    "Dec": 12,
}


def speak_dates(text: str, spelling: Spelling) -> str:
    """`2027-03-14` is `March fourteenth, twenty twenty-seven`, in Britain `the fourteenth of March, ...`."""

    def say_iso(found: re.Match[str]) -> str:
        return _say(_months()[int(found["month"])], found, spelling, month_first=not spelling.british)

    def say_month_day(found: re.Match[str]) -> str:
        return _say(_full(found["month"]), found, spelling, month_first=True)

    def say_day_month(found: re.Match[str]) -> str:
        return _say(_full(found["month"]), found, spelling, month_first=False)

    text = _ISO.sub(say_iso, text)
    text = _MONTH_DAY.sub(say_month_day, text)
    text = _DAY_MONTH.sub(say_day_month, text)
    return _MONTH_YEAR.sub(lambda found: f"{found['month']} {spelling.year(int(found['year']))}", text)


def _say(month: str, found: re.Match[str], spelling: Spelling, *, month_first: bool) -> str:
    day = spelling.ordinal(int(found["day"]))
    said = f"{month} {day}" if month_first else f"{found.groupdict().get('the') or 'the '}{day} of {month}"
    return f"{said}, {spelling.year(int(found['year']))}" if found["year"] else said


def _full(month: str) -> str:
    number = _ABBREVIATED.get(month.rstrip("."))
    return month if number is None else _months()[number]


@lru_cache(maxsize=1)
def _months() -> dict[int, str]:
    return dict(Locale("en").months["format"]["wide"])
