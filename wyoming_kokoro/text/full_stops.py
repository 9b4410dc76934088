"""Whether a single full stop ends a sentence: abbreviations, initials, list numbers."""

from __future__ import annotations

import re

from wyoming_kokoro.text.abbreviations import abbreviations_of

_WORD_BEFORE = re.compile(r"[^\s\"'“”‘’«»(\[{—]*\Z")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")
_LIST_NUMBER = re.compile(r"[^\w]*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]?\s*")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]{1,2}")
_VOWEL = re.compile("[aeiouyáéíóúàèìòùâêîôûãõäëïöüœæ]")
_WEEKDAY_MONTH_OR_ZONE = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|gmt|utc|bst|cet|cest|[ecmp][sd]?t"
)
_LOOK_BACK = 48
_LONGEST_OPENER = 12


class FullStops:
    """The rules of one language."""

    def __init__(self, language: str) -> None:
        self._known = abbreviations_of(language)

    def ends_sentence(self, text: str, start: int, stop: int, following: int, *, final: bool) -> bool | None:
        """Whether the full stop at `stop` ends the sentence that began at `start`; None where more text must be seen.

        `following` is the next speakable character, and white space or CJK text stands between them.
        """
        if self.is_list_number(text, start, stop):
            return False
        word = _word_before(text, start, stop)
        lower = word.lower()
        upper = not text[following].islower()
        if lower in self._known.inner or (lower in self._known.numbered and text[following].isdigit()):
            return False
        if lower in self._known.final:
            return self._after_final(text, following, lower, upper=upper, final=final)
        if lower in self._known.titles or _is_initial(word) or _ACRONYM.fullmatch(word):
            return self._is_opener(text, following, final=final)
        return upper or not _looks_shortened(word)

    def stands(self, text: str, stop: int) -> bool:
        """Whether the full stop at `stop`, at the end of a text that may go on, surely ends a sentence."""
        word = _word_before(text, 0, stop)
        known = self._known
        lower = word.lower()
        return (
            word.isalpha()
            and len(word) > 1
            and lower not in known.titles | known.numbered | known.inner
            and not _looks_shortened(word)
            and not self.is_list_number(text, 0, stop)
        )

    @staticmethod
    def is_list_number(text: str, start: int, end: int) -> bool:
        """Whether nothing stands there but the number or letter of a list's item."""
        if end - start > _LOOK_BACK:
            return False
        found = _LIST_NUMBER.fullmatch(text, start, end)
        return found is not None and (text[end : end + 1] == "." or found[0].rstrip()[-1:] in {".", ")"})

    def _after_final(self, text: str, following: int, lower: str, *, upper: bool, final: bool) -> bool | None:
        if not upper:
            return False
        if lower not in {"a.m", "p.m"}:
            return True
        word = _word_after(text, following, final=final)
        return None if word is None else _WEEKDAY_MONTH_OR_ZONE.fullmatch(word.lower()) is None

    def _is_opener(self, text: str, following: int, *, final: bool) -> bool | None:
        if not text[following].isupper():
            return False
        word = _word_after(text, following, final=final)
        return None if word is None else word.lower().replace("’", "'") in self._known.openers


def _word_before(text: str, start: int, stop: int) -> str:
    found = _WORD_BEFORE.search(text, max(start, stop - _LOOK_BACK), stop)
    return found[0] if found is not None else ""


def _word_after(text: str, following: int, *, final: bool) -> str | None:
    """The whole word that begins there; None where the text ends inside it and may go on."""
    found = _WORD_AFTER.match(text, following)
    word = found[0] if found is not None else ""
    if not final and following + len(word) == len(text) and len(word) <= _LONGEST_OPENER:
        return None
    return word.rstrip("'’")


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isupper()


def _looks_shortened(word: str) -> bool:
    """Whether a word that no table knows has no vowel, as `blvd` has none."""
    return word.isascii() and word.isalpha() and len(word) < 6 and _VOWEL.search(word.lower()) is None
