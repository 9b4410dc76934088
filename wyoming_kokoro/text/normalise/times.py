"""Times of day."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.spelling import Spelling

_HALF = r"(?P<half>[ap])(?:\.? ?m(?P<dot>\.)?(?![\w]))"
_CLOCK = re.compile(
    r"(?<![\w:.,/])(?P<hour>[01]?[0-9]|2[0-4]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?"
    rf"(?: ?{_HALF})?(?![\w]|[:.][0-9])",
    re.IGNORECASE,
)
_BARE_HOUR = re.compile(rf"(?<![\w:.,/])(?P<hour>1[0-2]|0?[1-9]) ?{_HALF}", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?<=[0-9m.]) ?[-–] ?(?=(?P<clock>(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?![0-9]))|(?:1[0-2]|0?[1-9]) ?[ap]\.?m\b)",
    re.IGNORECASE,
)
_FROM_CLOCK = re.compile(r"(?:[0-9]:[0-5][0-9](?: ?[ap]\.?m\.?)?|\b1?[0-9] ?[ap]\.?m\.?)\Z", re.IGNORECASE)
_FROM_HOUR = re.compile(r"(?:\A|[\s(])(?:1[0-2]|0?[1-9])\Z")
_O_CLOCK = "o'clock"
# A bare "A" would be read as the article.
_HALVES = {"a": "A. M.", "p": "P M"}


def speak_times(text: str, spelling: Spelling) -> str:
    """`6:02 a.m.` is `six oh two A. M.`, `5pm` `five P M`, `00:00` `midnight`, `7:00` `seven o'clock`."""
    text = _BETWEEN.sub(lambda found: _say_between(text, found), text)
    text = _CLOCK.sub(lambda found: _say_clock(found, spelling), text)
    return _BARE_HOUR.sub(lambda found: f"{spelling.cardinal(int(found['hour']))} {_say_half(found)}", text)


def _say_between(text: str, found: re.Match[str]) -> str:
    before = text[max(0, found.start() - 12) : found.start()]
    if _FROM_CLOCK.search(before) or (found["clock"] is None and _FROM_HOUR.search(before)):
        return " to "
    return found[0]


def _say_clock(found: re.Match[str], spelling: Spelling) -> str:
    hour, minute = int(found["hour"]), int(found["minute"])
    if found["half"]:
        said = f"{_say_hour(hour, spelling)}{_say_minute(minute, spelling)}"
        return f"{said}{_say_second(found, spelling)} {_say_half(found)}"
    if minute == 0 and found["second"] is None:
        return _say_full_hour(hour, spelling)
    half = " A. M." if hour in {0, 24} else ""
    return f"{_say_hour(hour, spelling)}{_say_minute(minute, spelling)}{_say_second(found, spelling)}{half}"


def _say_full_hour(hour: int, spelling: Spelling) -> str:
    if hour in {0, 24}:
        return "midnight"
    return f"{spelling.cardinal(hour)} {'hundred' if hour > 12 else _O_CLOCK}"


def _say_hour(hour: int, spelling: Spelling) -> str:
    return spelling.cardinal(12 if hour in {0, 24} else hour)


def _say_minute(minute: int, spelling: Spelling) -> str:
    if minute == 0:
        return ""
    return f" {'oh ' if minute < 10 else ''}{spelling.cardinal(minute)}"


def _say_second(found: re.Match[str], spelling: Spelling) -> str:
    if found["second"] is None:
        return ""
    second = int(found["second"])
    return f" and {spelling.cardinal(second)} second{'' if second == 1 else 's'}"


def _say_half(found: re.Match[str]) -> str:
    """With the full stop of `a.m.` where that ends the sentence, too."""
    ends = found["dot"] is not None and not found.string[found.end() :].strip("\"'”’)]» ")
    return _HALVES[found["half"].lower()].removesuffix("." if ends else "") + ("." if ends else "")
