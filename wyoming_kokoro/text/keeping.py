"""Readings that are settled before the other steps see the text."""

from __future__ import annotations

import re

from wyoming_kokoro.text.markup.controls import KEPT, kept_character, number_kept

_KEPT = re.compile(KEPT)


class Kept:
    """Those of one sentence. Each stands in the text as one character that no step touches."""

    def __init__(self) -> None:
        self._said: list[str] = []

    def keep(self, said: str) -> str:
        """The character for that reading."""
        self._said.append(said)
        return kept_character(len(self._said) - 1)

    def restore(self, text: str) -> str:
        """The text with all readings in their places."""
        return text if not self._said else " ".join(_KEPT.sub(self._reading, text).split())

    def _reading(self, found: re.Match[str]) -> str:
        number = number_kept(found[0])
        return self._said[number] if number < len(self._said) else ""


def as_phonemes(words: str, ipa: str) -> str:
    """How the engine is told to say words by given phonemes."""
    return f"[{_bare(words) or ipa}](/{_bare(ipa)}/)"


def as_stressed(words: str) -> str:
    """How the engine is told to stress words."""
    return " ".join(f"[{word}](+1)" for word in _bare(words).split())


def _bare(text: str) -> str:
    return re.sub(r"[\[\]()/]", " ", text).strip()
