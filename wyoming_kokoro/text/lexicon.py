"""The household's own words: what is said for them, in a text or in phonemes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Say = Callable[["Word", str], str]

_JOINING = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word or phrase, and what is said for it: either `say` or `ipa`."""

    word: str
    """As it is written; white space in it stands for any."""
    say: str = ""
    ipa: str = ""
    language: str | None = None
    """BCP-47 tag, or its first part; None for all languages."""
    match_case: bool = False
    """Whether only this spelling is meant; otherwise capital and small letters are one."""
    priority: int = 0
    """Where two of them fit, the higher one is said; among equal ones the longer."""

    @property
    def key(self) -> tuple[str, str]:
        """What makes it another entry: the word as it is compared, and the language."""
        written = _JOINING.sub(" ", self.word.strip())
        return (written if self.match_case else written.casefold(), (self.language or "").lower())

    def speaks(self, language: str) -> bool:
        """Whether it holds for texts of that language."""
        if self.language is None:
            return True
        own, tag = self.language.lower(), language.lower()
        return tag == own or tag.startswith(f"{own}-")


class Words:
    """All of them, ready to be applied."""

    def __init__(self, words: Iterable[Word] = ()) -> None:
        self.all = tuple(words)
        self._patterns = lru_cache(maxsize=32)(self._pattern)

    def applied(self, text: str, language: str, say: Say) -> str:
        """The text with `say` of each word that stands in it as a whole."""
        if not self.all:
            return text
        pattern, words = self._patterns(language)
        if pattern is None:
            return text
        return pattern.sub(lambda found: say(words[int((found.lastgroup or "w0")[1:])], found[0]), text)

    def _pattern(self, language: str) -> tuple[re.Pattern[str] | None, list[Word]]:
        words = sorted(
            (word for word in self.all if word.speaks(language)),
            key=lambda word: (-word.priority, -len(word.word), word.language is None, not word.match_case),
        )
        if not words:
            return None, words
        return re.compile("|".join(_alternative(index, word) for index, word in enumerate(words))), words


def _alternative(index: int, word: Word) -> str:
    written = r"\s+".join(re.escape(part) for part in word.word.split())
    case = written if word.match_case else f"(?i:{written})"
    first, last = word.word.strip()[0], word.word.strip()[-1]
    before = r"(?<![^\W_])" if _is_spaced(first) else ""
    after = r"(?![^\W_]|[\u0900-\u0963])" if _is_spaced(last) else ""
    return f"{before}(?P<w{index}>{case}){after}"


def _is_spaced(char: str) -> bool:
    """Whether words that begin or end with it have an edge; in Chinese and Japanese they have none."""
    return (char.isalnum() or "\u0900" <= char <= "\u0963") and not "\u3041" <= char <= "\u9fff"


NO_WORDS = Words()
