"""Sums of money."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from babel.numbers import get_currency_name, list_currencies

from wyoming_kokoro.text.normalise.rule import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling


class Currency(NamedTuple):
    """What a currency and its hundredth part are called, one and many of them."""

    one: str
    many: str
    small_one: str = ""
    small_many: str = ""
    feminine: bool = False
    """Whether the currency is; its hundredth part is taken for masculine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyWords:
    """The money of a language."""

    locale: str
    """CLDR's name of the language, for the currencies that `symbols` lacks."""
    symbols: Mapping[str, Currency]
    sizes: Mapping[str, tuple[str, ...]]
    """Words for large numbers, and how each is written; the first is what is said of one, the second of many."""
    small: str
    """With `{large}` and `{small}`: `{large} and {small}`."""
    of: str = ""
    """Between a million and the currency: `de `."""
    of_consonant: str = ""
    """The same before a consonant, where that differs: `millions d'euros`, `millions de dollars`."""
    symbols_after: str = "$€£¥₹₩₽₺₿¢"
    not_codes: frozenset[str] = field(default_factory=frozenset)


_WORD_CODES = frozenset(
    ["ALL", "BOB", "RON", "SOS", "AMD", "TOP", "CUP", "MOP", "TRY", "XXX", "GEL", "LAK", "MAD", "PEN", "BAM", "ANG"]
)
"""Codes that are words in capital letters."""


_CODE = re.compile("[A-Z][A-Z][A-Z]")


def _telling(symbol: str) -> str:
    """The character of a symbol that is the rarest elsewhere."""
    return next((char for char in symbol if not char.isalnum() and char != "."), symbol[0])


class Money:
    """The sums of one language."""

    def __init__(self, words: MoneyWords, spelling: Spelling) -> None:
        self._words = words
        self._spelling = spelling
        self._by_code: dict[str, Currency] = {}
        writing, number = spelling.writing, spelling.writing.number
        symbol = one_of(words.symbols)
        after = rf"(?:{one_of([*words.symbols_after, *(one for one in words.symbols if len(one) > 1)])})"
        size = self._size_pattern()
        sign = r"(?:(?<![\w)\]])(?P<sign>[-−+]))?"
        amount = rf"(?P<amount>{number})(?![.,]?[0-9])"
        gap = " ?"
        self._patterns = [
            writing.compile(pattern)
            for pattern in (
                rf"(?<![\w.,]){sign}(?P<symbol>{symbol}){gap}(?P<inner>[-−])?{amount}{size}(?!\w)",
                rf"(?<![\w.,:/$€£]){sign}{amount}{size}{gap}(?P<symbol>{after})(?![\w])",
                rf"(?<![\w]){sign}(?P<symbol>[A-Z]{{3}}){gap}(?P<inner>[-−])?{amount}{size}(?![\w])",
                rf"(?<![\w.,:/]){sign}{amount}{size}{gap}(?P<symbol>[A-Z]{{3}})(?![\w])",
            )
        ]
        to = rf"(?:[-–]| [-–] )(?={number}(?![.,:/-]?[0-9])"
        self._between = writing.compile(rf"(?<=[0-9kKmMbn€£])(?:[-–]| [-–] )(?=(?:{symbol})[0-9])")
        self._span_before = writing.compile(rf"(?<![\w.,])(?P<symbol>{symbol}) ?(?P<low>{number}){to})")
        self._span_after = writing.compile(rf"{writing.not_inside}(?<![$€£])(?P<low>{number}){to} ?{after}(?!\w))")
        self._signs = writing.compile(f"[{re.escape(''.join(map(_telling, [*words.symbols, *words.symbols_after])))}]")

    def _size_pattern(self) -> str:
        long = one_of({name for names in self._words.sizes.values() for name in names if len(name) > 2 or not name.isascii()})
        short = one_of({name for names in self._words.sizes.values() for name in names if len(name) < 3 and name.isascii()})
        return rf"(?: ?(?P<size>{long})(?![^\W\d_])|(?: (?=\S{{1,2}}[€$£]))?(?P<short>{short})(?![\w]))?"

    def rule(self, to: str) -> Rule:
        """`$85` is `eighty-five dollars`, `$1.50` `one dollar and fifty cents`, `£1.5m` `one point five million pounds`.

        The sign may follow (`2€`), and ISO codes are known, too: `CHF 20` is `twenty Swiss francs`. `$5-10` is `five to ten
        dollars`; `to` is the word between them.
        """
        number = self._spelling.number

        def apply(text: str) -> str:
            if self._signs.search(text) is None and _CODE.search(text) is None:
                return text
            text = self._between.sub(to, text)
            text = self._span_before.sub(lambda found: f"{number(found['low'])}{to}{found['symbol']}", text)
            text = self._span_after.sub(lambda found: f"{number(found['low'])}{to}", text)
            for pattern in self._patterns:
                text = pattern.sub(self._say, text)
            return text

        return apply

    def _say(self, found: re.Match[str]) -> str:
        currency = self._currency(found["symbol"])
        if currency is None:
            return found[0]
        groups = found.groupdict()
        said = self._amount(found["amount"], groups["size"] or groups["short"] or "", currency)
        return self._spelling.signed(groups.get("inner") or groups["sign"], said)

    def _amount(self, amount: str, size: str, currency: Currency) -> str:
        spelling = self._spelling
        if size:
            return self._large(amount, size, currency)
        whole, places = spelling.writing.parts(amount)
        if not places or not currency.small_one or len(places) > 2:
            return self._counted(amount, currency)
        large = self._counted(whole or "0", currency)
        small = int(places.ljust(2, "0"))
        if small == 0:
            return large
        name = currency.small_one if small == 1 else currency.small_many
        said = spelling.words.gap.join([spelling.cardinal(small, spelling.words.masculine), name])
        return said if whole in {"", "0"} else self._words.small.format(large=large, small=said)

    def _counted(self, amount: str, currency: Currency) -> str:
        words = self._spelling.words
        said = self._spelling.number(amount, words.feminine if currency.feminine else words.counted or words.masculine)
        return words.gap.join([said, currency.one if self._spelling.writing.is_one(amount) else currency.many])

    def _large(self, amount: str, size: str, currency: Currency) -> str:
        words = self._spelling.words
        names = next(names for names in self._words.sizes.values() if size in names or size.lower() in names)
        name = names[0] if self._spelling.writing.is_one(amount) else names[1]
        said = self._spelling.number(amount, words.masculine)
        of = self._words.of if currency.many[0] in "aeiouéh" else self._words.of_consonant or self._words.of
        return words.gap.join([said, name, of + currency.many])

    def _currency(self, symbol: str) -> Currency | None:
        known = self._words.symbols.get(symbol)
        if known is not None or symbol not in self._codes:
            return known
        if symbol not in self._by_code:
            one, many = (get_currency_name(symbol, count, self._words.locale).replace("’", "'") for count in (1, 2))
            self._by_code[symbol] = Currency(one, many)
        return self._by_code[symbol]

    @cached_property
    def _codes(self) -> frozenset[str]:
        """ISO 4217."""
        return frozenset(list_currencies("en")) - _WORD_CODES - self._words.not_codes
