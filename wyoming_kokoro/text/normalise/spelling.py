"""English numbers in words. The rules are Unicode's (RBNF), through `unicode-rbnf`."""

from __future__ import annotations

import re
from functools import lru_cache

from unicode_rbnf import RbnfEngine
from unicode_rbnf.engine import FormatPurpose

_GROUPS = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})(?![0-9])(?:\.[0-9]+)?"
NUMBER = rf"(?:{_GROUPS}|[0-9]+,[0-9]{{1,2}}(?![0-9,])|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
"""A number as it is written: `4,318`, `1,23,456` (India), `11.5`, `.5`, and `2,5`, whose comma can only be a decimal one."""

NOT_INSIDE = r"(?<![\w.,:/+@#])(?<![\w.,:/][-–−])"
"""Nothing before it makes the number a part of something else."""
NOT_GOING_ON = r"(?![\w/@]|[.,:][0-9]|[-–−][0-9])"
"""Nothing behind it does."""
MOST_DIGITS = 15
"""No number with more digits is said as one."""

_GROUPED = re.compile(_GROUPS)
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_HUNDRED = re.compile(r"hundred (?!thousand|million|billion|trillion)")


@lru_cache(maxsize=1)
def _engine() -> RbnfEngine:
    return RbnfEngine.for_language("en")


@lru_cache(maxsize=4096)
def _format(number: int, purpose: FormatPurpose) -> str:
    return str(_engine().format_number(number, purpose=purpose).text)


class Spelling:
    """How numbers are said. `british` puts the "and" into "one hundred and five"."""

    def __init__(self, *, british: bool) -> None:
        self.british = british

    def number(self, written: str) -> str:
        """A number as `NUMBER` matches it; one that begins with a needless zero, or is very long, digit by digit."""
        plain = written.replace(",", "") if _GROUPED.fullmatch(written) else written.replace(",", ".")
        whole, point, places = plain.partition(".")
        if len(whole) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0"):
            said = self.digits(whole)
        else:
            said = self.cardinal(int(whole or "0"))
        return f"{said} point {self.digits(places)}" if point else said

    def cardinal(self, number: int) -> str:
        """Of at most 15 digits: `four thousand three hundred eighteen`."""
        text = _format(number, FormatPurpose.CARDINAL)
        if not self.british:
            return text
        text = _HUNDRED.sub("hundred and ", text)
        low = number % 1000
        if number > low and 0 < low < 100:
            tail = _format(low, FormatPurpose.CARDINAL)
            text = f"{text.removesuffix(tail)}and {tail}"
        return text

    def ordinal(self, number: int) -> str:
        """Of at most 15 digits: `twenty-first`."""
        text = _format(number, FormatPurpose.ORDINAL)
        return _HUNDRED.sub("hundred and ", text) if self.british else text

    def year(self, number: int) -> str:
        """`nineteen oh eight`, `two thousand five`."""
        text = _format(number, FormatPurpose.YEAR).replace("oh-", "oh ")
        return text.replace("thousand ", "thousand and ") if self.british else text

    def digits(self, written: str) -> str:
        """Digit by digit; anything else between them is dropped."""
        return " ".join(_DIGITS[int(char)] for char in written if "0" <= char <= "9")

    def label(self, written: str) -> str:
        """A number that names something, every digit heard: `twelve oh seven`, `four oh five`, `one two three four five`."""
        if len(written) > 4 or written.startswith("0"):
            return self.digits(written)
        number = int(written)
        if len(written) == 4:
            return self.year(number) if number % 1000 else self.cardinal(number)
        if len(written) == 3 and number % 100:
            tens = number % 100
            return f"{_DIGITS[number // 100]} {'oh ' if tens < 10 else ''}{self.cardinal(tens)}"
        return self.cardinal(number)


def is_one(written: str) -> bool:
    """Whether the thing counted stands in the singular."""
    return written in {"1", "-1", "−1"}
