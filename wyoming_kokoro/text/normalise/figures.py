"""Figures that are not the plain ones: other scripts' and full-width digits, small raised ones; and signs between figures."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wyoming_kokoro.text.normalise.rule import Rule, one_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.normalise.spelling import Spelling

_OTHER_DIGIT = re.compile(r"\d(?<![0-9])")
_WIDE = re.compile("[\uff21-\uff3a\uff41-\uff5a]+|(?<=[0-9])[\uff05\uff0b\uff1d\uff0d\uff0f\uff1a\uff0e](?=[0-9\\s]|\\W|\\Z)")
_POWER = re.compile(r"(?<=[\w)])(?<![²³⁰¹⁴-⁹⁻])([²³⁰¹⁴-⁹⁻]+)(?!\w)")
_MAYBE_WIDE = re.compile("[\uff05-\uff5a]")
_RAISED = re.compile("[²³⁰¹⁴-⁹⁻]")
_CIRCLED = re.compile("[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u2080-\u2089]")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignWords:
    """Signs that are said between two operands, and what powers are called."""

    between: Mapping[str, str]
    """`=`: `equals`."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    """Said wherever they stand."""
    squared: str
    cubed: str
    power: str
    """With `{}` for the exponent."""
    about: str
    """Before a number with a tilde."""


def plain_figures(text: str) -> str:
    """`１２` and `١٢` are `12`, `％` behind a figure is `%`, `①` and `₂` are figures."""
    if text.isascii():
        return text
    text = _OTHER_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
    text = _CIRCLED.sub(lambda found: f" {int(unicodedata.numeric(found[0]))} ", text)
    if _MAYBE_WIDE.search(text) is None:
        return text
    return _WIDE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def powers(words: SignWords, spelling: Spelling) -> Rule:
    """`x²` is `x squared`, `10³` `ten cubed`, `10⁶` and `10^6` `ten to the power of six`."""
    gap = spelling.words.gap
    caret = spelling.writing.compile(r"(?<=[\w)]) ?\^ ?(?P<sign>[-−+])?(?P<number>[0-9]{1,3})(?![\w.,])")

    def say(exponent: str) -> str:
        if exponent in {"2", "3"}:
            return gap + (words.squared if exponent == "2" else words.cubed)
        said = spelling.signed(exponent[0] if exponent[0] in "-−" else None, spelling.number(exponent.lstrip("-−")))
        return gap + words.power.format(said)

    def say_small(found: re.Match[str]) -> str:
        exponent = unicodedata.normalize("NFKC", found[0])
        return say(exponent) if exponent.lstrip("−").isdigit() else found[0]

    def rule(text: str) -> str:
        if "^" in text:
            text = caret.sub(lambda found: say((found["sign"] or "").replace("+", "") + found["number"]), text)
        return text if _RAISED.search(text) is None else _POWER.sub(say_small, text)

    return rule


def signs(words: SignWords, spelling: Spelling) -> Rule:
    """`2*3` and `2 × 3` are `2 times 3`, `2 + 2 = 4` is `2 plus 2 equals 4`, `~5` is `about 5`."""
    gap = spelling.words.gap
    compile_ = spelling.writing.compile
    between = compile_(rf"(?<=[0-9)\]%°a-zA-Z²³]) ?(?P<sign>{one_of(words.between)}) ?(?=[-−]?[0-9(.]|[a-zA-Z]\b)")
    minus = compile_(r"(?<=[0-9)a-z]) [-−–] (?=[0-9(a-z])")
    either = compile_(r"(?<![\w)])±(?=[0-9.])")
    about = compile_(r"(?<![\w~/])[~≈∼] ?(?=[0-9$€£¥₹])")
    symbols = compile_(f" ?(?P<symbol>{one_of(words.symbols)}) ?")

    maybe = compile_(f"[{re.escape(''.join({sign[0] for sign in (*words.between, *words.symbols)}))}~≈∼±=＝]")

    def say(found: re.Match[str]) -> str:
        left, right = found.string[found.start() - 1], found.string[found.end()]
        if found["sign"] in {"+", "<", ">", "=", "/"} and not (left.isdigit() or right.isdigit()) and " " not in found[0]:
            return found[0]
        if right.isalpha() and found[0][0] == " " != found[0][-1]:  # the sign of a name, as in `5 +TRY`
            return found[0]
        return f"{gap}{words.between[found['sign']]}{gap}"

    def rule(text: str) -> str:
        if maybe.search(text) is None:
            return text
        text = either.sub(words.between["±"] + gap, about.sub(words.about + gap, text))
        if "=" in text or "＝" in text:
            text = minus.sub(f"{gap}{spelling.words.minus}{gap}", text)
        return symbols.sub(lambda found: f"{gap}{words.symbols[found['symbol']]}{gap}", between.sub(say, text))

    return rule
