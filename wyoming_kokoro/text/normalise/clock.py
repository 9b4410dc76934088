"""Times of day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_BEFORE = r"(?<![\w:.,/])"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockWords:
    """Templates: `{h}`, `{m}`, `{s}` are numbers in words."""

    midnight: str
    hour: str
    """A full hour up to noon."""
    late_hour: str
    """A full hour after noon."""
    hour_minute: str
    low_minute: str
    """Minutes below ten."""
    second: str
    seconds: str
    """What is added for seconds."""
    one_hour: str = ""
    """A full hour where that is one."""
    after_midnight: str = "{t}"
    """With `{t}` for a time in the hour after midnight, or `{m}` for its minutes."""
    twelve_at_midnight: bool = True
    morning: str
    afternoon: str
    """With `{t}` for the time: `{t} A. M.`"""
    feminine_hours: bool = False
    separators: str = ":"
    """Between hours and minutes."""
    unit: str = ""
    """A pattern of what may follow and is a part of it: `h`, `Uhr`."""
    written: str = ""
    """A pattern with `hour` and `minute` of another way of writing them."""
    letter: str = ""
    """A pattern of a sign that makes an hour of a bare number: `18 h`."""


class Clock:
    """The times of one language."""

    def __init__(self, words: ClockWords, spelling: Spelling) -> None:
        self._words = words
        self._spelling = spelling
        compile_ = spelling.writing.compile
        half = r"(?P<half>[ap])(?:\.? ?m(?P<dot>\.)?(?![\w]))"
        digits = rf"(?P<hour>[01]?[0-9]|2[0-4])[{words.separators}](?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?"
        unit = f"(?: ?(?:{words.unit}))?" if words.unit else ""
        self._clock = compile_(rf"{_BEFORE}{digits}(?: ?{half})?{unit}(?![\w]|[:.][0-9])", re.IGNORECASE)
        self._bare_hour = compile_(rf"{_BEFORE}(?P<hour>1[0-2]|0?[1-9]) ?{half}", re.IGNORECASE)
        self._between = compile_(
            r"(?<=[0-9m.]) ?[-–] ?(?=(?P<clock>(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?![0-9]))|(?:1[0-2]|0?[1-9]) ?[ap]\.?m\b)",
            re.IGNORECASE,
        )
        self._from_clock = compile_(r"(?:[0-9]:[0-5][0-9](?: ?[ap]\.?m\.?)?|\b1?[0-9] ?[ap]\.?m\.?)\Z", re.IGNORECASE)
        self._from_hour = compile_(r"(?:\A|[\s(])(?:1[0-2]|0?[1-9])\Z")
        self._maybe = compile_(rf"[0-9](?: ?[ap]\.? ?m|[{words.separators}][0-5][0-9])", re.IGNORECASE)
        self._written = compile_(words.written or r"(?!)")
        self._letter = compile_(
            rf"{_BEFORE}(?P<hour>[01]?[0-9]|2[0-4]) ?{words.letter or '(?!)'}(?![\w]| ?[0-9]{{1,2}} ?(?:min|m|s)\b)"
        )

    def rule(self, to: str) -> Rule:
        """`6:02 a.m.` is `six oh two A. M.`, `00:00` `midnight`; `to` is the word between two of them."""

        def apply(text: str) -> str:
            if self._words.written:
                text = self._written.sub(self._say_written, text)
            if self._maybe.search(text) is not None:
                text = in_figures(text)
            return self._letter.sub(self._say_letter, text) if self._words.letter else text

        def in_figures(text: str) -> str:
            text = self._between.sub(lambda found: to if self._is_between(text, found) else found[0], text)
            text = self._clock.sub(self._say, text)
            return self._bare_hour.sub(lambda found: self._with_half(self._hour(int(found["hour"])), found), text)

        return apply

    def _is_between(self, text: str, found: re.Match[str]) -> bool:
        before = text[max(0, found.start() - 12) : found.start()]
        return bool(self._from_clock.search(before) or (found["clock"] is None and self._from_hour.search(before)))

    def _say(self, found: re.Match[str]) -> str:
        hour, minute = int(found["hour"]), int(found["minute"])
        if found["half"]:
            said = self._hour(hour) if minute == 0 else self._hour_minute(hour, minute)
            return self._with_half(said + self._seconds(found["second"]), found)
        if minute == 0 and found["second"] is None:
            return self._full_hour(hour)
        said = (self._hour_minute(hour, minute) if minute else self._sharp(hour)) + self._seconds(found["second"])
        if hour not in {0, 24}:
            return said
        return self._words.after_midnight.format(t=said, m=self._spelling.cardinal(minute))

    def _say_written(self, found: re.Match[str]) -> str:
        hour, minute = int(found["hour"]), int(found["minute"])
        return self._full_hour(hour) if minute == 0 else self._hour_minute(hour, minute)

    def _say_letter(self, found: re.Match[str]) -> str:
        hour = int(found["hour"])
        return self._full_hour(hour) if hour in {0, 24} else self._words.late_hour.format(h=self._hour(hour))

    def _full_hour(self, hour: int) -> str:
        return self._words.midnight if hour in {0, 24} else self._sharp(hour)

    def _sharp(self, hour: int) -> str:
        words = self._words
        if hour == 1 and words.one_hour:
            return words.one_hour
        return (words.late_hour if hour > 12 else words.hour).format(h=self._hour(hour))

    def _hour(self, hour: int) -> str:
        if hour in {0, 24}:
            hour = 12 if self._words.twelve_at_midnight else 0
        return self._spelling.cardinal(hour, self._spelling.words.feminine if self._words.feminine_hours else "")

    def _hour_minute(self, hour: int, minute: int) -> str:
        template = self._words.low_minute if minute < 10 else self._words.hour_minute
        return template.format(h=self._hour(hour), m=self._spelling.cardinal(minute))

    def _seconds(self, written: str | None) -> str:
        if written is None:
            return ""
        second = int(written)
        return (self._words.second if second == 1 else self._words.seconds).format(s=self._spelling.cardinal(second))

    def _with_half(self, said: str, found: re.Match[str]) -> str:
        """With the full stop of `a.m.` where that ends the sentence, too."""
        ends = found["dot"] is not None and not found.string[found.end() :].strip("\"'”’)]» ")
        template = self._words.morning if found["half"].lower() == "a" else self._words.afternoon
        return template.format(t=said).removesuffix("." if ends else "") + ("." if ends else "")
