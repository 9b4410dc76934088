"""Addresses of machines in a network, spelled: MAC and IPv6."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_MAC = r"(?<![\w:.-])[0-9A-Fa-f]{2}(?P<mark>[:-])[0-9A-Fa-f]{2}(?:(?P=mark)[0-9A-Fa-f]{2}){4}(?![\w:-])"
_MAYBE_IPV6 = r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{1,4}(?![\w:]|\.[0-9])"
_MAC_MARKS = 5
_GROUP = re.compile("[0-9A-Fa-f]+|:")
_SIGN = re.compile("[0-9]|[A-Fa-f]")


def networks(colon: str, pause: str, spelling: Spelling) -> Rule:
    """`a4:5e:60:01:02:03` is `A four, five E, ...` with `pause` between the pairs; `fe80::1` is `F E eight zero colon colon
    one` with the word `colon`.
    """
    gap = spelling.words.gap or " "
    maybe_ipv6, mac = (spelling.writing.compile(pattern) for pattern in (_MAYBE_IPV6, _MAC))

    def spelled(group: str) -> str:
        return gap.join(spelling.digits(sign) if sign.isdigit() else sign.upper() for sign in _SIGN.findall(group))

    def say_mac(found: re.Match[str]) -> str:
        return pause.join(spelled(pair) for pair in found[0].split(found["mark"]))

    def say_ipv6(found: re.Match[str]) -> str:
        try:
            ipaddress.IPv6Address(found[0])
        except ValueError:
            return found[0]
        return gap.join(colon if part == ":" else spelled(part) for part in _GROUP.findall(found[0]))

    def rule(text: str) -> str:
        colons = text.count(":")
        if not colons and "-" not in text:
            return text
        if colons > 1:
            text = maybe_ipv6.sub(say_ipv6, text)
        return mac.sub(say_mac, text) if max(colons, text.count("-")) >= _MAC_MARKS else text

    return rule
