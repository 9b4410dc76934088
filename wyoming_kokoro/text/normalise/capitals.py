"""Capital letters: what is spelled, and what is only loud."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.rule import Rule
    from wyoming_kokoro.text.normalise.spelling import Spelling

_LETTER = "A-Za-zÀ-ÿ0-9_"
_ANY = re.compile(rf"(?<![{_LETTER}'’.])[A-ZÀ-Þ]{{2,}}(?![a-zß-ÿ])")
_TWO = re.compile("[A-ZÀ-Þ][A-ZÀ-Þ]")
_WORD = re.compile(rf"(?<![{_LETTER}'’.])[A-ZÀ-Þ]{{2,}}(?:['’][A-ZÀ-Þ]+)?(?=s?(?![{_LETTER}])|['’]s\b)")
_LOWER = re.compile(r"[a-zß-ÿ]")
_LOUD_WORD = re.compile(r"[A-ZÀ-Þ]+(?:['’][A-ZÀ-Þ]+)*")
_VOWELS = "AEIOUYÀÁÂÃÈÉÊÌÍÒÓÔÕÙÚ"
_CLUSTER = re.compile(f"[^{_VOWELS}]{{3}}|\\A[^{_VOWELS}]+\\Z|\\A[{_VOWELS}]+\\Z")
_LONGEST_ACRONYM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CapitalWords:
    """Words in capital letters."""

    as_words: frozenset[str] = frozenset()
    """Said as words, though they are short."""
    spells_all: bool = False
    """Whether every other short one is spelled; otherwise only what nobody can say as a word."""


def capitals(words: CapitalWords, spelling: Spelling) -> Rule:
    """`FBI` is `F B I`, `NASA` stays; a sentence without small letters is written with them."""
    del spelling

    def is_spelled(word: str) -> bool:
        if word in words.as_words or len(word) > _LONGEST_ACRONYM:
            return False
        return words.spells_all or _CLUSTER.search(word) is not None

    def say(found: re.Match[str]) -> str:
        word = found[0]
        if "'" in word or "’" in word:
            return word
        if len(word) > _LONGEST_ACRONYM and word not in words.as_words:
            return word[0] + word[1:].lower()
        return " ".join(word) if is_spelled(word) else word

    def rule(text: str) -> str:
        if _TWO.search(text) is None or _ANY.search(text) is None:
            return text
        shouted = _LOUD_WORD.findall(text)
        is_loud = _LOWER.search(text) is None and any(len(word) > 2 and not _CLUSTER.search(word) for word in shouted)
        if (
            is_loud
            and (len(shouted) > 1 or len(shouted[0]) > _LONGEST_ACRONYM or shouted[0] not in words.as_words)
            and not (len(shouted) == 1 and len(shouted[0]) <= _LONGEST_ACRONYM)
        ):
            return _lowered(text)
        return _WORD.sub(say, text)

    return rule


def _lowered(text: str) -> str:
    first = next((index for index, char in enumerate(text) if char.isalpha()), 0)
    return text[: first + 1] + _LOUD_WORD.sub(lambda found: found[0].lower(), text[first + 1 :])
