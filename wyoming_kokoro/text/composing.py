"""Unicode's NFC, made from a text that arrives in pieces."""

from __future__ import annotations

import unicodedata

_FIRST_PICTURE = "\U0001f000"
"""No letter takes an accent from here on, and no symbol."""


class Composer:
    """NFC of a growing text: what it gives, joined, is the NFC of what it got, however that was cut.

    It keeps back only what a later character could still change: a letter or symbol that may take an accent, and the marks
    behind it. Linear in the text.
    """

    def __init__(self) -> None:
        self._held: list[str] = []

    def feed(self, text: str) -> str:
        """What is certain now."""
        cut = _last_safe_cut(text)
        if cut is None:
            if text:
                self._held.append(text)
            return ""
        ready = "".join(self._held) + text[:cut]
        self._held = [text[cut:]] if cut < len(text) else []
        return unicodedata.normalize("NFC", ready)

    def finish(self) -> str:
        """The rest."""
        rest = "".join(self._held)
        self._held = []
        return unicodedata.normalize("NFC", rest)

    @property
    def held(self) -> str:
        """What is kept back now, as it came."""
        return "".join(self._held)


def _last_safe_cut(text: str) -> int | None:
    """The last place where the NFC of both sides, joined, is the NFC of the whole; None where there is none after index 0.

    A cut before the first character is one only if the text held before can't reach over it.
    """
    for index in range(len(text) - 1, -1, -1):
        char = text[index]
        if ends_composition(char):
            return index + 1
        if starts_composition(char):
            return index
    return None


def starts_composition(char: str) -> bool:
    """Whether nothing before this character can combine with it."""
    if char.isascii():
        return True
    if unicodedata.combining(char) or unicodedata.category(char).startswith("M"):
        return False
    return not "ᅠ" <= char <= "ᇿ" and unicodedata.is_normalized("NFC", char)


def ends_composition(char: str) -> bool:
    """Whether, besides, nothing after this character can combine with it."""
    if not starts_composition(char):
        return False
    if char.isascii():
        return not (char.isalpha() or char in "<=>`^")
    return char >= _FIRST_PICTURE or unicodedata.category(char)[0] in "ZPNC"
