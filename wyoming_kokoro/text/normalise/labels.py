"""Numbers that name something instead of counting it: rooms, codes, telephone numbers, versions, serial numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_THREE = re.compile("[0-9][0-9][0-9]")
_LETTERED = re.compile("[0-9][A-Z]")
_POINTED = re.compile(r"[0-9]\.[0-9]")
_FIVE = re.compile("[0-9](?:[^0-9]{0,3}[0-9]){4}")
_GROUP = re.compile(r"[0-9]+")
_BYTE = range(256)
_WITHOUT_MORE = r"(?![\w/%°]|[.,:-]?[0-9])"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelWords:
    """Words that tell that a number is a name. All are patterns."""

    named: str
    """Before the number of a room, bus, flight: said in pairs."""
    coded: str
    """Before a code or a telephone number: said digit by digit."""
    behind: str = ""
    """Behind a number that is a name."""
    telephones: str = ""
    """National forms of telephone numbers."""
    pairs: str = ""
    """A pattern of telephone numbers that are said in pairs, as in France."""
    version: str
    """The word for a `v` before a number."""
    point: str
    """Between the numbers of a version."""
    dot: str
    """Between those of an address."""
    number: str
    """The word for `#` before a number."""
    number_signs: str = ""
    """A pattern of what else means that word."""
    pause: str = ", "
    """Between the groups of a telephone number."""


def named_numbers(words: LabelWords, spelling: Spelling) -> Rule:
    """`locker 1207` is `locker twelve oh seven`, `code 1207` `code one two zero seven`, `7A` `seven-A`."""
    compile_ = spelling.writing.compile
    coded = compile_(rf"(?P<noun>{words.coded})(?P<number>[0-9]{{3,}}){_WITHOUT_MORE}", re.IGNORECASE)
    named = compile_(rf"(?P<noun>{words.named})(?P<number>[0-9]{{3,}}){_WITHOUT_MORE}", re.IGNORECASE)
    behind = compile_(rf"(?<![\w.,:/-])(?P<number>[0-9]{{3,}})(?=\s?(?:{words.behind or '(?!)'}))")
    lettered = compile_(r"(?<![\w.,:/-])(?P<number>[0-9]{1,4})(?P<letter>[A-Z])(?![\w.]\w|[\w'/-])")

    def rule(text: str) -> str:
        if _THREE.search(text) is not None:
            text = in_words(text)
        if _LETTERED.search(text) is None:
            return text
        return lettered.sub(lambda found: f"{spelling.label(found['number'])}-{found['letter']}", text)

    def in_words(text: str) -> str:
        text = coded.sub(lambda found: f"{found['noun']}{spelling.digits(found['number'])}", text)
        text = named.sub(lambda found: f"{found['noun']}{spelling.label(found['number'])}", text)
        return behind.sub(lambda found: spelling.label(found["number"]), text)

    return rule


def telephones(words: LabelWords, spelling: Spelling) -> Rule:
    """Digit by digit, with a pause between the groups."""
    compile_ = spelling.writing.compile
    national = f"|{words.telephones}" if words.telephones else ""
    pattern = compile_(
        r"(?<![\w.,:/+-])(?<![0-9] )(?:"
        r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{2,5}\)?){2,5}"  # +44 20 7946 0018
        rf"{national}"
        r"|(?:1[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}"  # (555) 867-5309
        r"|[0-9]{3}-[0-9]{4}"  # 867-5309
        r"|0[0-9]{1,4}(?:[ -][0-9]{3,4}){1,3}"  # 0800 555 0199
        r")(?![\w/]|[.,:-][0-9])"
    )
    in_pairs = compile_(rf"(?<![\w.,:/+-])(?:{words.pairs or '(?!)'})(?![\w/]|[.,:-][0-9])")

    def say(found: re.Match[str]) -> str:
        groups = words.pause.join(spelling.digits(group) for group in _GROUP.findall(found[0]))
        return spelling.signed("+" if found[0].startswith("+") else None, groups)

    def say_pairs(found: re.Match[str]) -> str:
        return words.pause.join(
            spelling.digits(pair) if pair[0] == "0" else spelling.cardinal(int(pair)) for pair in _GROUP.findall(found[0])
        )

    return lambda text: text if _FIVE.search(text) is None else pattern.sub(say, in_pairs.sub(say_pairs, text))


def versions(words: LabelWords, spelling: Spelling) -> Rule:
    """`v3.4.0` is `version three point four point zero`; `192.168.1.20` has dots."""
    gap = spelling.words.gap
    pattern = spelling.writing.compile(
        r"(?<![\w.])(?P<v>[vV]\.? ?)?(?P<numbers>[0-9]+(?:\.[0-9]+)+)(?P<port>:[0-9]{1,5})?(?![\w/]|[.,:-]\w)"
    )
    grouped = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")

    def say(found: re.Match[str]) -> str:
        numbers = found["numbers"].split(".")
        is_address = len(numbers) == 4 and all(len(number) < 4 and int(number) in _BYTE for number in numbers)
        is_number = spelling.writing.decimal == "," and grouped.fullmatch(found["numbers"])
        if found["v"] is None and not is_address and (len(numbers) < 3 or is_number or found["port"]):
            return found[0]
        is_version = found["v"] is not None or not is_address
        joint = f"{gap}{words.point if is_version else words.dot}{gap}"
        said = joint.join(spelling.number(number) if len(number) < 16 else spelling.digits(number) for number in numbers)
        if found["port"]:
            said = f"{said}{words.pause}{spelling.digits(found['port'])}"
        return f"{words.version}{gap}{said}" if found["v"] else said

    return lambda text: text if _POINTED.search(text) is None else pattern.sub(say, text)


def number_signs(words: LabelWords, spelling: Spelling) -> Rule:
    """`#5` and `No. 5` are `number 5`."""
    more = f"|{words.number_signs}" if words.number_signs else ""
    pattern = spelling.writing.compile(rf"(?<![\w#&])[#№] ?(?=[0-9]){more}")
    return lambda text: pattern.sub(words.number + spelling.words.gap, text)
