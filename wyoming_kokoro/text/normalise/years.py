"""Years and decades, where a number of four digits reads as one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_YEAR = r"(?P<year>1[0-9]{3}|20[0-9]{2})"
_END = r"(?![\w,.:/%°-]*[0-9]|[\w%°€£$])"
_SURE = r"\b(?:in|since|year|years|circa|anno|class of|summer of|winter of|spring of|autumn of|fall of|early|late|mid) "
_LIKELY = r"\b(?:by|from|to|until|till|til|of|before|after|during|between|and|around|through|the|this|that|a|an) "
_ERA = r"(?= ?(?:AD|BC|BCE|CE|A\.D\.|B\.C\.))"
_CONTEXT = re.compile(rf"(?P<before>(?P<sure>{_SURE})|{_LIKELY}){_YEAR}{_END}(?P<after> [a-z]+)?", re.IGNORECASE)
_WITH_ERA = re.compile(rf"(?<![\w.,/-]){_YEAR}{_ERA}")
_SPAN = re.compile(rf"(?<![\w.,/-]){_YEAR} ?[-–] ?(?P<until>1[0-9]{{3}}|20[0-9]{{2}}|[0-9]{{2}}){_END}")
_DECADE = re.compile(r"(?<![\w.,])(?P<century>1[1-9]|20)(?P<ten>[1-9])0'?s\b")
_TENS = {
    "1": "tens", "2": "twenties", "3": "thirties", "4": "forties", "5": "fifties", "6": "sixties", "7": "seventies",
    "8": "eighties", "9": "nineties",
}  # fmt: skip
_COUNTED = frozenset(
    [
        "people",
        "men",
        "women",
        "children",
        "feet",
        "inches",
        "meters",
        "metres",
        "miles",
        "yards",
        "kilometers",
        "kilometres",
        "grams",
        "kilos",
        "kilograms",
        "pounds",
        "euros",
        "dollars",
        "cents",
        "percent",
        "degrees",
        "watts",
        "volts",
        "calories",
        "steps",
        "times",
        "words",
        "more",
        "other",
        "hours",
        "minutes",
        "seconds",
        "days",
    ]
)


def speak_years(text: str, spelling: Spelling) -> str:
    """`in 1908` is `in nineteen oh eight`, `1990-95` a span, `the 1980s` a decade; `after 1200 steps` stays."""

    def say(found: re.Match[str]) -> str:
        after = found["after"] or ""
        year = int(found["year"])
        if _is_counting(after.strip().lower(), sure=found["sure"] is not None) or (year < 1500 and found["sure"] is None):
            return found[0]
        return f"{found['before']}{spelling.year(year)}{after}"

    text = _DECADE.sub(lambda found: f"{spelling.cardinal(int(found['century']))} {_TENS[found['ten']]}", text)
    text = _SPAN.sub(lambda found: _say_span(found, spelling), text)
    text = _WITH_ERA.sub(lambda found: spelling.year(int(found["year"])), text)
    return _CONTEXT.sub(say, text)


def _is_counting(after: str, *, sure: bool) -> bool:
    return after in _COUNTED or (not sure and after.endswith("s") and after not in {"was", "is", "has"})


def _say_span(found: re.Match[str], spelling: Spelling) -> str:
    first, until = int(found["year"]), found["until"]
    last = int(until) if len(until) == 4 else first // 100 * 100 + int(until)
    if last <= first:
        return found[0]
    return f"{spelling.year(first)} to {spelling.year(last) if len(until) == 4 else spelling.cardinal(int(until))}"
