"""Fractions: `3/4` and `½`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_SIGNS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_MAYBE = re.compile(f"[/⁄{_SIGNS}]")
_SPOKEN_BOTTOMS = "2|3|4|5|6|8|10|12|16"


@dataclass(frozen=True, slots=True, kw_only=True)
class FractionWords:
    """How the parts of a whole are called."""

    names: Mapping[int, str] = field(default_factory=dict)
    """Of halves, quarters and the like; the others are ordinals."""
    many: Callable[[str, int], str] = field(default=lambda name, _: f"{name}s")
    """The name of several such parts, by their name and their number."""
    whole_and: str
    """Between the whole and the part: `{whole} and {part}`."""
    half: tuple[str, str] | None = None
    """A half of something, masculine and feminine, where that is an adjective: `medio`, `media`."""
    article: Callable[[str], str] | None = None
    """The part behind a whole, where that is one: `a half`."""
    bottom_first: str = ""
    """With `{top}` and `{bottom}`, for languages that name the bottom first."""


def fractions(words: FractionWords, spelling: Spelling) -> Rule:
    """`3/4` is `three quarters`, `½` `one half`, `1 1/2` `one and a half`. `9/5` may be a date and stays."""
    compile_ = spelling.writing.compile
    sign = compile_(rf"(?P<whole>(?<![\w.,:/])[0-9]{{1,6}} ?)?(?P<sign>[{_SIGNS}])(?![\w/])")
    written = compile_(
        rf"(?<![\w.,:/])(?P<whole>[0-9]{{1,6}} )?(?P<top>[0-9]{{1,2}})[/⁄](?P<bottom>{_SPOKEN_BOTTOMS})(?![\w/]|[.,:-]?[0-9])"
    )

    def part(top: int, bottom: int, found: re.Match[str]) -> str:
        if words.bottom_first:
            return words.bottom_first.format(top=spelling.cardinal(top), bottom=spelling.cardinal(bottom))
        if (top, bottom) == (1, 2) and words.half is not None and not found["whole"]:
            following = found.string[found.end() :]
            if following[:1] == " " and following[1:2].isalpha():
                return words.half[spelling.is_feminine(found.string, found.end())]
        name = words.names.get(bottom) or spelling.ordinal(bottom)
        if top == 1 and found["whole"] and words.article is not None:
            return words.article(name)
        return f"{spelling.cardinal(top, spelling.words.masculine)} {name if top == 1 else words.many(name, bottom)}"

    def say(found: re.Match[str], top: int, bottom: int) -> str:
        said = part(top, bottom, found)
        whole = found["whole"]
        return words.whole_and.format(whole=spelling.number(whole.strip()), part=said) if whole else said

    def say_sign(found: re.Match[str]) -> str:
        top, _, bottom = unicodedata.normalize("NFKC", found["sign"]).partition("\u2044")
        return say(found, int(top), int(bottom))

    def say_written(found: re.Match[str]) -> str:
        top, bottom = int(found["top"]), int(found["bottom"])
        return say(found, top, bottom) if 0 < top < bottom else found[0]

    return lambda text: text if _MAYBE.search(text) is None else written.sub(say_written, sign.sub(say_sign, text))
