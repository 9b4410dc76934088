"""Numbers in words.

The rules are Unicode's (RBNF), through `unicode-rbnf`; what they leave open stands in a language's table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from unicode_rbnf import RbnfEngine

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from wyoming_kokoro.text.normalise.writing import Writing

MOST_DIGITS = 15
"""No number with more digits is said as one."""
_MACHINE_PLACES = range(10, 25)
"""So many decimal places are a computer's."""
_KEPT_PLACES = 2


class Years(Enum):
    """How a year is said."""

    AS_NUMBER = 0
    """`mil novecientos ocho`."""
    BY_RULES = 1
    """As Unicode's rules have it: `nineteen oh eight`."""
    IN_HUNDREDS = 2
    """`nineteen hundred eight`, from 1100 to 1999."""
    BY_DIGITS = 3
    """`one nine zero eight`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWords:
    """What a language says beside the numbers themselves."""

    rules: str
    """Unicode's name of the language."""
    cardinal: str = "spellout-numbering"
    """The rule set of a number that stands alone."""
    masculine: str = ""
    """That of a number before a masculine noun; empty where there is no difference."""
    feminine: str = ""
    counted: str = ""
    """That of a number before any unit of measure, where it has a form of its own: Chinese `两`."""
    ordinal: str = "spellout-ordinal"
    feminine_ordinal: str = ""
    short_ordinal: str = ""
    """Before a masculine noun, where that differs: `tercer`."""
    digits: tuple[str, ...]
    point: str
    minus: str
    plus: str
    oh: str
    """The nought in `twelve oh seven`."""
    gap: str = " "
    """What stands between two words."""
    years: Years = Years.AS_NUMBER
    year_rules: str = ""
    hundred: str = ""
    feminine_nouns: re.Pattern[str] | None = None
    """Matches behind a number where what is counted is feminine."""
    masculine_nouns: re.Pattern[str] | None = None
    """The same for masculine things."""
    labels_by_digits: bool = False
    finish: Callable[[str, int], str] = field(default=lambda said, _: said)
    """Last changes to a cardinal or ordinal, by its number."""


class Spelling:
    """Says the numbers of one language."""

    def __init__(self, words: NumberWords, writing: Writing) -> None:
        self.words = words
        self.writing = writing

    def number(self, written: str, rules: str = "") -> str:
        """A number as `Writing.number` matches it; one that begins with a needless zero, or is very long, digit by digit.

        Ten decimal places and more are a computer's: they are rounded to two.
        """
        whole, places = self.writing.parts(written)
        if len(places) in _MACHINE_PLACES and len(whole) <= MOST_DIGITS:
            whole, _, places = f"{round(float(f'{whole or 0}.{places}'), _KEPT_PLACES):.{_KEPT_PLACES}f}".partition(".")
            places = places.rstrip("0")
        if len(whole) > MOST_DIGITS or (len(whole) > 1 and whole[0] == "0"):
            said = self.digits(whole)
        else:
            said = self.cardinal(int(whole or "0"), "" if places else rules)
        return self.words.gap.join([said, self.words.point, self.digits(places)]) if places else said

    def signed(self, sign: str | None, said: str) -> str:
        """With the word for its sign."""
        if not sign:
            return said
        return f"{self.words.plus if sign == '+' else self.words.minus}{self.words.gap}{said}"

    def cardinal(self, number: int, rules: str = "") -> str:
        """Of at most 15 digits: `four thousand three hundred eighteen`."""
        return self.words.finish(_format(self.words.rules, number, rules or self.words.cardinal), number)

    def is_feminine(self, text: str, position: int) -> bool:
        """Whether what is counted, which stands at that position of the text, is feminine."""
        return self.words.feminine_nouns is not None and self.words.feminine_nouns.match(text, position) is not None

    def counting(self, written: str, text: str, position: int) -> str:
        """A number in the form that it has before what is counted, which stands at that position of the text."""
        words = self.words
        if self.is_feminine(text, position):
            return self.number(written, words.feminine)
        if words.masculine_nouns is not None and words.masculine_nouns.match(text, position):
            return self.number(written, words.masculine)
        return self.number(written)

    def ordinal(self, number: int, rules: str = "") -> str:
        """Of at most 15 digits: `twenty-first`."""
        return self.words.finish(_format(self.words.rules, number, rules or self.words.ordinal), number)

    def year(self, number: int) -> str:
        """`nineteen oh eight`, `two thousand five`."""
        words = self.words
        match words.years:
            case Years.BY_RULES:
                return words.finish(_format(words.rules, number, words.year_rules).replace("oh-", "oh "), number)
            case Years.BY_DIGITS:
                return self.digits(str(number))
            case Years.IN_HUNDREDS if 1100 <= number < 2000:
                rest = self.cardinal(number % 100) if number % 100 else ""
                return words.gap.join(filter(None, [self.cardinal(number // 100), words.hundred, rest]))
            case _:
                return self.cardinal(number)

    def digits(self, written: str) -> str:
        """Digit by digit; anything else between them is dropped."""
        return self.words.gap.join(self.words.digits[int(char)] for char in written if "0" <= char <= "9")

    def label(self, written: str) -> str:
        """A number that names something, every digit heard: `twelve oh seven`, `four oh five`, `one two three four five`."""
        if self.words.labels_by_digits or len(written) > 4 or written.startswith("0"):
            return self.digits(written)
        number = int(written)
        if len(written) == 4 and self.words.years is Years.BY_RULES:
            return self.year(number) if number % 1000 else self.cardinal(number)
        if len(written) < 3 or not number % 100:
            return self.cardinal(number)
        tens = number % 100
        parts = [self.cardinal(number // 100), self.words.oh if tens < 10 else "", self.cardinal(tens)]
        return self.words.gap.join(filter(None, parts))


@lru_cache(maxsize=16)
def _engine(language: str) -> RbnfEngine:
    return RbnfEngine.for_language(language)


@lru_cache(maxsize=8192)
def _format(language: str, number: int, rules: str) -> str:
    return str(_engine(language).format_number(number, ruleset_names=[rules]).text).replace("\u00ad", "")
