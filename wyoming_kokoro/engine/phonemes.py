"""What the model reads: phonemes, and which of them belong to which word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOKENS = {
    ";": 1, ":": 2, ",": 3, ".": 4, "!": 5, "?": 6, "—": 9, "…": 10, '"': 11, "(": 12, ")": 13, "“": 14, "”": 15, " ": 16,
    "\u0303": 17, "ʣ": 18, "ʥ": 19, "ʦ": 20, "ʨ": 21, "ᵝ": 22, "ꭧ": 23, "A": 24, "I": 25, "O": 31, "Q": 33, "S": 35, "T": 36,
    "W": 39, "Y": 41, "ᵊ": 42, "a": 43, "b": 44, "c": 45, "d": 46, "e": 47, "f": 48, "h": 50, "i": 51, "j": 52, "k": 53,
    "l": 54, "m": 55, "n": 56, "o": 57, "p": 58, "q": 59, "r": 60, "s": 61, "t": 62, "u": 63, "v": 64, "w": 65, "x": 66,
    "y": 67, "z": 68, "ɑ": 69, "ɐ": 70, "ɒ": 71, "æ": 72, "β": 75, "ɔ": 76, "ɕ": 77, "ç": 78, "ɖ": 80, "ð": 81, "ʤ": 82,
    "ə": 83, "ɚ": 85, "ɛ": 86, "ɜ": 87, "ɟ": 90, "ɡ": 92, "ɥ": 99, "ɨ": 101, "ɪ": 102, "ʝ": 103, "ɯ": 110, "ɰ": 111, "ŋ": 112,
    "ɳ": 113, "ɲ": 114, "ɴ": 115, "ø": 116, "ɸ": 118, "θ": 119, "œ": 120, "ɹ": 123, "ɾ": 125, "ɻ": 126, "ʁ": 128, "ɽ": 129,
    "ʂ": 130, "ʃ": 131, "ʈ": 132, "ʧ": 133, "ʊ": 135, "ʋ": 136, "ʌ": 138, "ɣ": 139, "ɤ": 140, "χ": 142, "ʎ": 143, "ʒ": 147,
    "ʔ": 148, "ˈ": 156, "ˌ": 157, "ː": 158, "ʰ": 162, "ʲ": 164, "↓": 169, "→": 171, "↗": 172, "↘": 173, "ᵻ": 177,
}  # fmt: skip
"""The model's number for every phoneme and mark that it knows; 0 stands for nothing, at either end."""

MAX_PHONEMES = 510
"""More of them the model does not take at once."""

_SENTENCE_MARKS = frozenset(".!?…")
_CLAUSE_MARKS = frozenset(",;:—")
_MARKS = _SENTENCE_MARKS | _CLAUSE_MARKS | frozenset('"()“” ')


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the text and where it stands in the phonemes."""

    text: str
    start: int
    end: int
    """Behind its last phoneme; marks are no part of it."""


@dataclass(frozen=True, slots=True)
class Phonemes:
    """One piece of speech as the model reads it: symbols of `TOKENS` alone."""

    text: str
    words: tuple[Word, ...] = ()

    @property
    def tokens(self) -> list[int]:
        """One number for each phoneme."""
        return [TOKENS[symbol] for symbol in self.text]

    @property
    def is_speakable(self) -> bool:
        """Whether there is more in it than marks."""
        return any(symbol not in _MARKS for symbol in self.text)

    def split(self, limit: int) -> Iterator[Phonemes]:
        """The same in pieces of at most `limit` phonemes, cut behind a sentence or clause where there is one, else a word."""
        rest = self
        while len(rest.text) > limit:
            cut = _best_cut(rest.text, limit)
            yield rest.part(0, cut)
            rest = rest.part(cut, len(rest.text))
        yield rest

    def part(self, start: int, end: int) -> Phonemes:
        """The phonemes from `start` to `end` without outer spaces, and the words that lie wholly in there."""
        piece = self.text[start:end]
        start += len(piece) - len(piece.lstrip(" "))
        words = tuple(
            Word(word.text, word.start - start, word.end - start)
            for word in self.words
            if start <= word.start and word.end <= end
        )
        return Phonemes(piece.strip(" "), words)


def gathered(spoken: Iterable[tuple[str, str]]) -> Phonemes:
    """Words and their phonemes, a space between them; what the model does not know is left out.

    A word may have no text, where it is not known which it is; then it has no place, either.
    """
    text = ""
    words: list[Word] = []
    for word, phonemes in spoken:
        known = "".join(symbol for symbol in phonemes if symbol in TOKENS).strip(" ")
        if known and text:
            text += " "
        sounding = [index for index, symbol in enumerate(known) if symbol not in _MARKS]
        if word and sounding:
            words.append(Word(word, len(text) + sounding[0], len(text) + sounding[-1] + 1))
        text += known
    return Phonemes(text, tuple(words))


def joined(parts: Iterable[Phonemes]) -> Phonemes:
    """Pieces of one sentence, a space between them unless a mark begins the next."""
    text = ""
    words: list[Word] = []
    for part in parts:
        if text and part.text and part.text[0] not in _SENTENCE_MARKS | _CLAUSE_MARKS:
            text += " "
        words.extend(Word(word.text, word.start + len(text), word.end + len(text)) for word in part.words)
        text += part.text
    return Phonemes(text, tuple(words))


def aligned(text: str, phonemes: str) -> Phonemes:
    """Phonemes of a text that tell nothing of its words, paired with them where there are as many of these as of those."""
    words, spoken = text.split(), phonemes.split()
    if len(words) != len(spoken):
        words = [""] * len(spoken)
    return gathered((word.strip("".join(_MARKS) + "¿¡«»。，"), sound) for word, sound in zip(words, spoken, strict=True))


def _best_cut(text: str, limit: int) -> int:
    """Where to cut a text that is longer than `limit`: an index from 1 to `limit`."""
    for marks in (_SENTENCE_MARKS, _CLAUSE_MARKS):
        for index in range(limit, limit // 3, -1):
            if text[index - 1] in marks and text[index] == " ":
                return index
    space = text.rfind(" ", 1, limit + 1)
    return space if space > 0 else limit
