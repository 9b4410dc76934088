"""Numbers that count or order: cardinals, ordinals, ranges, scores, lists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.spelling import MOST_DIGITS

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_LONGEST_UNGROUPED = 6
_ROUND = re.compile(r"[1-9][0-9]*000\Z")
_PAIR = r"(?P<low>[0-9]{1,3}%s) ?[-–%s] ?(?P<high>[0-9]{1,3}%s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingWords:
    """Words between numbers, and endings of ordinals."""

    to: str
    """Between the ends of a range, spaces included."""
    score: str
    """With `{a}` and `{b}`."""
    nil: str = ""
    """Nought in a score, where it has a name of its own."""
    contest: str = ""
    """A pattern of words before a score."""
    ordinal: str = r"(?!)"
    """A pattern of the endings behind a masculine ordinal in figures; it may begin with spaces."""
    feminine_ordinal: str = r"(?!)"
    short_ordinal: str = r"(?!)"
    ordinal_end: str = r"(?![^\W\d_])"
    ratio: str = ""
    """Between two numbers with a colon that are no time."""
    dashes: str = ""
    """Other marks between the ends of a range."""


def ordinals(words: CountingWords, spelling: Spelling) -> Rule:
    """`3rd` is `third`, `3.ª` `tercera`; a very long one stays as it is."""
    groups = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,15}" if spelling.writing.decimal == "." else r"[0-9]{1,15}"
    endings = ((words.ordinal, ""), (words.feminine_ordinal, spelling.words.feminine_ordinal),
               (words.short_ordinal, spelling.words.short_ordinal))  # fmt: skip
    patterns = [
        (spelling.writing.compile(rf"(?<![\w.,])(?P<number>{groups})(?:{ending}){words.ordinal_end}", re.IGNORECASE), rules)
        for ending, rules in endings
    ]

    maybe = spelling.writing.compile(f"[0-9](?:{'|'.join(ending for ending, _ in endings)})", re.IGNORECASE)

    def apply(text: str) -> str:
        if maybe.search(text) is None:
            return text
        for pattern, rules in patterns:
            text = pattern.sub(partial(_ordinal, spelling, rules), text)
        return text

    return apply


def _ordinal(spelling: Spelling, rules: str, found: re.Match[str]) -> str:
    digits = found["number"].replace(",", "")
    return spelling.ordinal(int(digits), rules) if len(digits) <= MOST_DIGITS else found[0]


def ranges(words: CountingWords, spelling: Spelling) -> Rule:
    """`5-10` is `five to 10`: what the upper end counts is not said yet. A falling pair is a score, as `3-0`."""
    point = re.escape(spelling.writing.decimal)
    places = rf"(?:{point}[0-9]+)?"
    writing = spelling.writing
    pair = _PAIR % (places, re.escape(words.dashes), places)
    pattern = writing.compile(rf"{writing.not_inside}{pair}(?![0-9/@_]|[.,:][0-9]|[-–−][0-9])")
    with_signs = writing.compile(rf"(?<=[%％°℃℉]) ?[-–{re.escape(words.dashes)}] ?(?=[0-9]+[.,]?[0-9]* ?[%％°℃℉])")
    contest = writing.compile(rf"(?:{words.contest or '(?!)'})[^.!?\n]{{0,40}}\Z", re.IGNORECASE)

    maybe = writing.compile(f"[0-9%％°℃℉] ?[-–{re.escape(words.dashes)}] ?[0-9]")

    def side(written: str) -> str:
        return words.nil if words.nil and written == "0" else spelling.number(written)

    def say(found: re.Match[str]) -> str:
        low, high = (".".join(writing.parts(found[name])) for name in ("low", "high"))
        plain = found["low"].isdigit() and found["high"].isdigit()
        after = found.string[found.end() : found.end() + 1]
        in_contest = contest.search(found.string, 0, found.start()) is not None
        if plain and not after.isalpha() and (float(low) >= float(high) or in_contest):
            return words.score.format(a=side(found["low"]), b=side(found["high"]))
        return found[0] if float(low) >= float(high) else f"{spelling.number(found['low'])}{words.to}{found['high']}"

    return lambda text: text if maybe.search(text) is None else pattern.sub(say, with_signs.sub(words.to, text))


def lists(_: CountingWords, spelling: Spelling) -> Rule:
    """`1,2,3` is `1, 2, 3`: not a number with separators."""
    pattern = spelling.writing.compile(r"(?<![\w.,:/])[0-9]{1,2}(?:,[0-9]{1,2}){2,}(?![\w/]|[.,:][0-9])")
    return lambda text: pattern.sub(lambda found: found[0].replace(",", ", "), text)


def cardinals(_: CountingWords, spelling: Spelling) -> Rule:
    """`4,318`, `-15` and `11.5` in words.

    A number that begins with a zero is said digit by digit; one of seven digits or more without separators, which may be
    anything, stays as it is, unless it is round.
    """
    writing = spelling.writing
    pattern = writing.compile(
        rf"{writing.not_inside}(?P<sign>[-−+](?=[.0-9]))?(?P<number>{writing.number}){writing.not_going_on}"
    )

    def say(found: re.Match[str]) -> str:
        written = found["number"]
        if written.isdigit() and len(written) > _LONGEST_UNGROUPED and not _ROUND.match(written):
            return found[0]
        said = spelling.counting(written, found.string, found.end())
        return spelling.signed(found["sign"], said)

    return lambda text: pattern.sub(say, text)
