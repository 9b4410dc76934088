"""Pictures in a text."""

from __future__ import annotations

import re

_PICTURES = (
    "\u203c\u2049\u2122\u2194-\u21aa\u231a-\u23ff\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001f0ff\U0001f10d-\U0001f12f\U0001f16c-\U0001f1ff\U0001f201-\U0001f20f\U0001f21a-\U0001faff\U0001fc00-\U0001fffd"
)
_EMOJI = re.compile(f"[{_PICTURES}]")
_ATTACHED = re.compile("[\ufe00-\ufe0f\u20e3\u200d\U000e0020-\U000e007f]")


def drop_emoji(text: str) -> str:
    """The text with a space for every picture; letters and digits stay, those of keycaps among them."""
    if text.isascii():
        return text
    return _ATTACHED.sub("", _EMOJI.sub(_unless_letter, text))


def _unless_letter(found: re.Match[str]) -> str:
    return found[0] if found[0].isalnum() else " "
