"""Roman numerals: centuries, kings, chapters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_NUMERAL = r"(?P<numeral>(?=[IVXL]{1,8}%s)(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"


@dataclass(frozen=True, slots=True, kw_only=True)
class RomanWords:
    """Where Roman numerals stand. All are patterns."""

    counted: str
    """Before a numeral that is read as a cardinal: `chapter`."""
    ordered: str = r"(?!)"
    """Before one that is an ordinal: `secolo`."""
    rulers: str
    """Names before one that is an ordinal."""
    centuries: str = r"(?!)"
    """Behind one that is an ordinal, with a space between: `XX secolo`."""
    endings: str = r"(?!)"
    """Behind one that is an ordinal: `XVIIe`."""
    most_ordinal: int = 49
    """A ruler's or century's number above it is a cardinal."""
    ruler: str = "{}"
    """With `{}` for the ordinal: `the {}`."""
    capital: bool = False
    """Whether the word gets a capital letter, as names do."""


def romans(words: RomanWords, spelling: Spelling) -> Rule:
    """`World War II` is `World War Two`, `Henry VIII` `Henry the Eighth`, `XVIIe` `dix-septième`."""
    compile_ = spelling.writing.compile
    alone = _NUMERAL % r"(?![\w])"
    counted = compile_(rf"(?P<before>\b(?i:{words.counted}) ){alone}(?![\w'’.-]\w)")
    ordered = compile_(rf"(?P<before>\b(?i:{words.ordered}) ){alone}(?![\w'’.-]\w)")
    ruler = compile_(rf"(?P<before>\b(?:{words.rulers}) ){alone}(?!\w)")
    ending = compile_(
        rf"(?<!\w)(?P<before>)(?=[IVX]+(?:{words.endings})(?!\w)){_NUMERAL % f'(?:{words.endings})'}(?:{words.endings})(?!\w)"
    )
    century = compile_(rf"(?<!\w)(?P<before>)(?=[IVX]+ (?i:{words.centuries})\b){alone}")
    other = compile_(rf"(?P<before>\b[A-Z][a-zà-ÿ]+ )(?=[IVX]{{2}}){alone}(?![\w'’.-]\w)")

    maybe = compile_(rf"[IVXL](?:[IVXL]|(?![a-z'’])|(?<=[IVX])['’]|(?:{words.endings})(?!\w))")

    def cardinal(found: re.Match[str]) -> str:
        said = spelling.cardinal(_value(found["numeral"]))
        return found["before"] + (_named(said, words) if found["before"][:1].isupper() else said)

    def ordinal(found: re.Match[str]) -> str:
        value = _value(found["numeral"])
        said = spelling.ordinal(value) if value <= words.most_ordinal else spelling.cardinal(value)
        return found["before"] + said

    def say_ruler(found: re.Match[str]) -> str:
        value = _value(found["numeral"])
        if value > words.most_ordinal:
            return found["before"] + spelling.cardinal(value)
        return found["before"] + words.ruler.format(_named(spelling.ordinal(value), words))

    def rule(text: str) -> str:
        if maybe.search(text) is None:
            return text
        text = century.sub(ordinal, ordered.sub(ordinal, counted.sub(cardinal, text)))
        text = ending.sub(lambda found: spelling.ordinal(_value(found["numeral"])), ruler.sub(say_ruler, text))
        return other.sub(cardinal, text)

    return rule


def _named(said: str, words: RomanWords) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in said.split(" ")) if words.capital else said


def _value(numeral: str) -> int:
    values = [_VALUES[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
