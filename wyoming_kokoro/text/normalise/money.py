"""Sums of money."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from babel.numbers import get_currency_name, list_currencies

from wyoming_kokoro.text.normalise.spelling import NOT_INSIDE, NUMBER, is_one

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling


class Currency(NamedTuple):
    """What a currency and its hundredth part are called, one and many of them."""

    one: str
    many: str
    small_one: str = ""
    small_many: str = ""


_DOLLAR = Currency("dollar", "dollars", "cent", "cents")
_CURRENCIES = {
    "$": _DOLLAR,
    "US$": Currency("US dollar", "US dollars", "cent", "cents"),
    "A$": Currency("Australian dollar", "Australian dollars", "cent", "cents"),
    "AU$": Currency("Australian dollar", "Australian dollars", "cent", "cents"),
    "C$": Currency("Canadian dollar", "Canadian dollars", "cent", "cents"),
    "CA$": Currency("Canadian dollar", "Canadian dollars", "cent", "cents"),
    "NZ$": Currency("New Zealand dollar", "New Zealand dollars", "cent", "cents"),
    "HK$": Currency("Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
    "R$": Currency("real", "reais", "centavo", "centavos"),
    "€": Currency("euro", "euros", "cent", "cents"),
    "£": Currency("pound", "pounds", "penny", "pence"),
    "¥": Currency("yen", "yen"),
    "￥": Currency("yen", "yen"),
    "₹": Currency("rupee", "rupees", "paisa", "paise"),
    "₩": Currency("won", "won"),
    "₽": Currency("ruble", "rubles", "kopeck", "kopecks"),
    "₺": Currency("lira", "lira", "kurus", "kurus"),
    "₿": Currency("bitcoin", "bitcoins"),
}
_SIZES = {"k": "thousand", "m": "million", "mn": "million", "bn": "billion", "b": "billion", "tn": "trillion", "t": "trillion"}
_SYMBOL = "|".join(re.escape(symbol) for symbol in sorted(_CURRENCIES, key=len, reverse=True))
_SIZE = r"(?: ?(?P<size>thousand|million|billion|trillion)\b|(?P<short>[kKmMbBtT]|bn|mn|tn)(?![\w]))?"
_SIGN = r"(?:(?<![\w)\]])(?P<sign>[-−+]))?"
_AMOUNT = rf"(?P<amount>{NUMBER})(?![.,]?[0-9])"
_BEFORE = re.compile(rf"(?<![\w.,]){_SIGN}(?P<symbol>{_SYMBOL}) ?(?P<inner>[-−])?{_AMOUNT}{_SIZE}(?!\w)")
_AFTER = re.compile(rf"(?<![\w.,:/$€£]){_SIGN}{_AMOUNT}{_SIZE} ?(?P<symbol>[$€£¥₹₩₽₺₿¢])(?![\w])")
_CODE_BEFORE = re.compile(rf"(?<![\w]){_SIGN}(?P<symbol>[A-Z]{{3}}) ?(?P<inner>[-−])?{_AMOUNT}{_SIZE}(?![\w])")
_CODE_AFTER = re.compile(rf"(?<![\w.,:/]){_SIGN}{_AMOUNT}{_SIZE} ?(?P<symbol>[A-Z]{{3}})(?![\w])")
_CENT_SIGN = Currency("cent", "cents")
_BETWEEN = re.compile(rf"(?<=[0-9kKmMbn€£])(?:[-–]| [-–] )(?=(?:{_SYMBOL})[0-9])")
_TO = rf"(?:[-–]| [-–] )(?={NUMBER}(?![.,:/-]?[0-9])"
_SPAN_BEFORE = re.compile(rf"(?<![\w.,])(?P<symbol>{_SYMBOL}) ?(?P<low>{NUMBER}){_TO})")
_SPAN_AFTER = re.compile(rf"{NOT_INSIDE}(?<![$€£])(?P<low>{NUMBER}){_TO} ?[$€£¥₹₩₽₺₿¢](?!\w))")


def speak_money(text: str, spelling: Spelling) -> str:
    """`$85` is `eighty-five dollars`, `$1.50` `one dollar and fifty cents`, `£1.5m` `one point five million pounds`.

    The sign may follow (`2€`), and ISO codes are known, too: `CHF 20` is `twenty Swiss francs`. `$5-10` is `five to ten
    dollars`.
    """
    text = _SPAN_BEFORE.sub(lambda found: f"{spelling.number(found['low'])} to {found['symbol']}", _BETWEEN.sub(" to ", text))
    text = _SPAN_AFTER.sub(lambda found: f"{spelling.number(found['low'])} to ", text)

    def say(found: re.Match[str]) -> str:
        currency = _currency(found["symbol"], british=spelling.british)
        return found[0] if currency is None else _say(found, currency, spelling)

    for pattern in (_BEFORE, _AFTER, _CODE_BEFORE, _CODE_AFTER):
        text = pattern.sub(say, text)
    return text


def _say(found: re.Match[str], currency: Currency, spelling: Spelling) -> str:
    groups = found.groupdict()
    sign = groups.get("inner") or groups["sign"]
    said = _say_amount(found["amount"], _size(groups), currency, spelling)
    return {None: "", "+": "plus "}.get(sign, "minus ") + said


def _size(groups: dict[str, str | None]) -> str:
    short = groups["short"]
    return groups["size"] or (_SIZES[short.lower()] if short else "")


def _say_amount(amount: str, size: str, currency: Currency, spelling: Spelling) -> str:
    if size:
        return f"{spelling.number(amount)} {size} {currency.many}"
    whole, places = _parts(amount)
    if not places or not currency.small_one or len(places) > 2:
        return f"{spelling.number(amount)} {currency.one if is_one(amount) else currency.many}"
    said_large = f"{spelling.number(whole or '0')} {currency.one if is_one(whole) else currency.many}"
    small = int(places.ljust(2, "0"))
    if small == 0:
        return said_large
    said_small = f"{spelling.cardinal(small)} {currency.small_one if small == 1 else currency.small_many}"
    return said_small if whole in {"", "0"} else f"{said_large} and {said_small}"


def _parts(amount: str) -> tuple[str, str]:
    """What stands before and behind the decimal point, which may be a comma."""
    for mark in (".", ","):
        whole, found, places = amount.rpartition(mark)
        if found and (mark == "." or len(places) < 3):
            return whole, places
    return amount, ""


@lru_cache(maxsize=512)
def _currency(symbol: str, *, british: bool) -> Currency | None:
    if symbol == "¢":
        return _CENT_SIGN
    if symbol in _CURRENCIES:
        return _CURRENCIES[symbol]
    if symbol not in _codes():
        return None
    locale = "en_GB" if british else "en_US"
    return Currency(get_currency_name(symbol, 1, locale), get_currency_name(symbol, 2, locale), "", "")


@lru_cache(maxsize=1)
def _codes() -> frozenset[str]:
    """ISO 4217, without codes that are words in capital letters."""
    return frozenset(list_currencies("en")) - {
        "ALL",
        "BOB",
        "RON",
        "SOS",
        "AMD",
        "TOP",
        "CUP",
        "MOP",
        "TRY",
        "XXX",
        "GEL",
        "LAK",
        "MAD",
        "PEN",
        "BAM",
        "ANG",
    }
