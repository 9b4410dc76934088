"""Numbers that name something instead of counting it: rooms, codes, telephone numbers, versions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_NAMED = re.compile(
    r"\b(?P<noun>rooms?|lockers?|flight|bus|gate|apartment|apt|suite|unit|route|highway|channel|extension|ticket|platform"
    r"|tram|invoice) (?P<number>[0-9]{3,})(?![\w/%°]|[.,:-]?[0-9])",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?P<noun>(?:code|pin|password|passcode|dial)(?: is| number)?:?"
    r"|(?:call|phone|ring)(?= (?:[2-9]11|1[01][0-9]|999|988|000)\b))"
    r" (?P<number>[0-9]{3,})(?![\w/%°]|[.,:-]?[0-9])",
    re.IGNORECASE,
)
_TELEPHONE = re.compile(
    r"(?<![\w.,:/+-])(?:"
    r"\+[0-9]{1,3}(?:[ .-]?\(?[0-9]{2,5}\)?){2,5}"  # +44 20 7946 0018
    r"|(?:1[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}"  # (555) 867-5309
    r"|[0-9]{3}-[0-9]{4}"  # 867-5309
    r"|0[0-9]{2,4}(?:[ -][0-9]{3,4}){1,2}"  # 0800 555 0199
    r")(?![\w/]|[.,:-][0-9])"
)
_VERSION = re.compile(r"(?<![\w.])(?P<v>[vV]\.? ?)?(?P<numbers>[0-9]+(?:\.[0-9]+)+)(?![\w/]|[.,:-]\w)")
_NUMBER_AND_LETTER = re.compile(r"(?<![\w.,:/-])(?P<number>[0-9]{1,4})(?P<letter>[A-Z])(?![\w.]\w|[\w'/-])")
_GROUP = re.compile(r"[0-9]+")


def speak_named(text: str, spelling: Spelling) -> str:
    """`locker 1207` is `locker twelve oh seven`, `code 1207` `code one two zero seven`, `7A` `seven-A`."""
    text = _CODE.sub(lambda found: f"{found['noun']} {spelling.digits(found['number'])}", text)
    text = _NAMED.sub(lambda found: f"{found['noun']} {spelling.label(found['number'])}", text)
    return _NUMBER_AND_LETTER.sub(lambda found: f"{spelling.label(found['number'])}-{found['letter']}", text)


def speak_telephones(text: str, spelling: Spelling) -> str:
    """Digit by digit, with a pause between the groups."""

    def say(found: re.Match[str]) -> str:
        groups = ", ".join(spelling.digits(group) for group in _GROUP.findall(found[0]))
        return f"plus {groups}" if found[0].startswith("+") else groups

    return _TELEPHONE.sub(say, text)


def speak_versions(text: str, spelling: Spelling) -> str:
    """`v3.4.0` is `version three point four point zero`; `192.168.1.20` has dots."""

    def say(found: re.Match[str]) -> str:
        numbers = found["numbers"].split(".")
        if found["v"] is None and len(numbers) < 3:
            return found[0]
        joint = " dot " if len(numbers) > 3 and found["v"] is None else " point "
        return ("version " if found["v"] else "") + joint.join(spelling.number(number) for number in numbers)

    return _VERSION.sub(say, text)
