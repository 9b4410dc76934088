"""Where the first piece of a text ends when somebody waits for it: before the end of its sentence, at a place to breathe.

That is behind the first clause, or else before a word that opens one. What follows of the sentence must be worth a piece of
its own. Each answer depends on the text alone: more text never takes one back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

_MARKS = "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u200c\u200d"  # of Devanagari, no letters to `re`
_WORD = re.compile(
    "[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{1,2}" + rf"|[^\W_](?:[^\W_]|[{_MARKS}]|['’](?=[^\W_]))*"
)
"""A word; where none are written, two characters of Chinese or Japanese."""

_LEAST_OF_CLAUSE = 3
"""Words of a clause and behind it."""
_LEAST_AT_WORD = 5
"""Words before a word that opens a clause, and behind it."""


@dataclass(frozen=True, slots=True)
class _Breaks:
    """Words of a language before which one may breathe."""

    opening: frozenset[str]
    """They open a clause, but not behind one of `bound`: `even if`, `look after`."""
    bound: frozenset[str]
    linking: frozenset[str] = frozenset()
    """They open one before a subject, but not behind one of `bound`: `so that we`."""
    joining: frozenset[str] = frozenset()
    """They open one before a subject; elsewhere they join two words."""
    subjects: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BY_LANGUAGE = {
    "en": _Breaks(
        opening=_words("although because before after but if though unless until when whereas which while"),
        linking=_words("so that"),
        joining=_words("and or"),
        subjects=_words(
            "a an he her his i i'd i'll i'm i've it it's its my our please she that the their then there there's these they "
            "they're this those we we'll we're we've you you'll you're your"
        ),
        bound=_words(
            "a all and anything as at but by day ever even evening except for from if in just last little long look looked "
            "looking looks morning night not nothing of on once only or quite right short shortly since so soon than that the "
            "to up week what with year"
        ),
    ),
    "es": _Breaks(_words("aunque cuando mientras pero porque"), bound=_words("aun de desde hasta o para solo sólo y")),
    "fr": _Breaks(_words("lorsque mais parce puisque quand"), bound=_words("de depuis et même non ou que")),
    "it": _Breaks(_words("ma mentre perché poiché quando sebbene"), bound=_words("anche da di e ecco fino non o")),
    "pt": _Breaks(_words("embora enquanto mas porque quando"), bound=_words("até de desde e mesmo ou para")),
    "hi": _Breaks(_words("क्योंकि जबकि ताकि मगर लेकिन"), bound=_words("और या")),
}
_NO_BREAKS = _Breaks(frozenset(), frozenset())


class Opening:
    """Looks for the end of one text's first piece."""

    def __init__(self, language: str) -> None:
        self._breaks = _BY_LANGUAGE.get(language.partition("-")[0].lower(), _NO_BREAKS)
        self._clause: int | None = None

    def note_clause(self, text: str, start: int, end: int) -> None:
        """A clause ends at `end` in the sentence that begins at `start`."""
        if self._clause is None and _has_words(_LEAST_OF_CLAUSE, text, start, end):
            self._clause = end

    def end(self, text: str, start: int, reached: int, *, is_long: bool) -> int | None:
        """The end of the first piece, if it can be told from the sentence's text up to `reached`.

        `is_long` says that the sentence is longer than a piece may be: then a clause will do, whatever follows it.
        """
        if self._clause is None:
            return self._before_word(text, start, reached)
        return self._clause if is_long or _has_words(_LEAST_OF_CLAUSE, text, self._clause, reached) else None

    def moved(self, by: int) -> None:
        """The text lost its first characters."""
        if self._clause is not None:
            self._clause -= by

    def _before_word(self, text: str, start: int, reached: int) -> int | None:
        found = list(_WORD.finditer(text, start, reached))
        words = [word[0].lower().replace("’", "'") for word in found]
        for index in range(_LEAST_AT_WORD, len(words) - _LEAST_AT_WORD):
            place = found[index].start()
            if text[place - 1].isspace() and self._may_break(*words[index - 1 : index + 2]):
                return place
        return None

    def _may_break(self, before: str, word: str, after: str) -> bool:
        breaks = self._breaks
        if word in breaks.joining:
            return after in breaks.subjects
        opens = word in breaks.opening or (word in breaks.linking and after in breaks.subjects)
        return opens and before not in breaks.bound


def _has_words(least: int, text: str, start: int, end: int) -> bool:
    return sum(1 for _ in islice(_WORD.finditer(text, start, end), least)) == least
