"""Numbers that count: cardinals, decimals, signs, ordinals, ranges."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.spelling import MOST_DIGITS, NOT_GOING_ON, NOT_INSIDE, NUMBER

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_ORDINAL = re.compile(r"(?<![\w.,])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?:st|nd|rd|th)\b", re.IGNORECASE)
_CARDINAL = re.compile(rf"{NOT_INSIDE}(?P<sign>[-−+](?=[.0-9]))?(?P<number>{NUMBER}){NOT_GOING_ON}")
_RANGE = re.compile(rf"{NOT_INSIDE}(?P<low>[0-9]{{1,3}}(?:\.[0-9]+)?) ?[-–] ?(?P<high>[0-9]{{1,3}}(?:\.[0-9]+)?){NOT_GOING_ON}")
_LIST = re.compile(r"(?<![\w.,:/])[0-9]{1,2}(?:,[0-9]{1,2}){2,}(?![\w/]|[.,:][0-9])")
_HASH = re.compile(r"(?<![\w#&])#(?=[0-9])|\bNo\. ?(?=[0-9])|\bno\. (?=[0-9])")
_LONGEST_UNGROUPED = 6


def speak_ordinals(text: str, spelling: Spelling) -> str:
    """`3rd` is `third`; a very long one stays as it is."""

    def say(found: re.Match[str]) -> str:
        digits = found[1].replace(",", "")
        return spelling.ordinal(int(digits)) if len(digits) <= MOST_DIGITS else found[0]

    return _ORDINAL.sub(say, text)


def speak_number_signs(text: str, _: Spelling) -> str:
    """`#5` and `No. 5` are `number 5`."""
    return _HASH.sub("number ", text)


def speak_ranges(text: str, spelling: Spelling) -> str:
    """`5-10` is `five to ten`; only a rising one, since a score falls, and a telephone number is longer."""

    def say(found: re.Match[str]) -> str:
        if float(found["low"]) >= float(found["high"]):
            return found[0]
        return f"{spelling.number(found['low'])} to {spelling.number(found['high'])}"

    return _RANGE.sub(say, text)


def speak_lists(text: str, _: Spelling) -> str:
    """`1,2,3` is `1, 2, 3`: not a number with separators."""
    return _LIST.sub(lambda found: found[0].replace(",", ", "), text)


def speak_cardinals(text: str, spelling: Spelling) -> str:
    """`4,318`, `-15` and `11.5` in words.

    A number that begins with a zero is said digit by digit; one of seven digits or more without separators, which may be
    anything, stays as it is.
    """

    def say(found: re.Match[str]) -> str:
        if found["number"].isdigit() and len(found["number"]) > _LONGEST_UNGROUPED:
            return found[0]
        sign = {None: "", "+": "plus "}.get(found["sign"], "minus ")
        return sign + spelling.number(found["number"])

    return _CARDINAL.sub(say, text)
