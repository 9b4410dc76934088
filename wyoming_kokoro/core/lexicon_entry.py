"""One entry of the lexicon: read from what people write, and checked before it is kept."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.text.effort import is_speakable
from wyoming_kokoro.text.ipa import is_speakable_ipa, unknown_symbols
from wyoming_kokoro.text.lexicon import Word
from wyoming_kokoro.text.spoken import clean

if TYPE_CHECKING:
    from collections.abc import Collection

FIELDS = ("word", "say", "ipa", "language", "match_case", "priority")
LONGEST_WORD = 100
LONGEST_READING = 500
PRIORITIES = range(-100, 101)

_TEXTS = ("word", "say", "ipa", "language")


def word_of(entry: object) -> Word:
    """The word of a mapping with some of `FIELDS`. Raises `RefusedError` for what is none."""
    if not isinstance(entry, dict):
        raise RefusedError("words", "each entry is a mapping with `word` and `say` or `ipa`")
    unknown = [str(name) for name in entry if name not in FIELDS]
    if unknown:
        raise RefusedError(unknown[0], f"there is no such field; these are: {', '.join(FIELDS)}")
    values = {name: value for name, value in entry.items() if value is not None}
    if "word" not in values:
        raise RefusedError("word", "it is missing")
    for name, value in values.items():
        kind = str if name in _TEXTS else bool if name == "match_case" else int
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RefusedError(name, f"{value!r} is no {'text' if kind is str else 'flag' if kind is bool else 'whole number'}")
    return Word(**values)


def checked(word: Word, languages: Collection[str]) -> Word:
    """The word in the form in which it is kept. Raises `RefusedError` with the reason why it can't be spoken."""
    written = " ".join(clean(word.word).split())
    if not is_speakable(written) or len(written) > LONGEST_WORD:
        raise RefusedError(
            "word", f"{word.word!r} is no word: it needs a letter or a figure, and at most {LONGEST_WORD} characters"
        )
    if bool(word.say) == bool(word.ipa):
        raise RefusedError("say", f"{written!r} needs either `say`, a text, or `ipa`, phonemes")
    if word.priority not in PRIORITIES:
        raise RefusedError("priority", f"{word.priority} is not from {PRIORITIES[0]} to {PRIORITIES[-1]}")
    _check_reading(word)
    return dataclasses.replace(word, word=written, language=_language(word.language, languages))


def _check_reading(word: Word) -> None:
    if len(word.say or word.ipa) > LONGEST_READING:
        raise RefusedError("say" if word.say else "ipa", f"it has more than {LONGEST_READING} characters")
    if word.say and not is_speakable(word.say):
        raise RefusedError("say", f"nothing in {word.say!r} can be spoken")
    if word.ipa and (unknown := unknown_symbols(word.ipa)):
        raise RefusedError("ipa", f"the voices don't know {', '.join(map(repr, unknown))} in {word.ipa!r}")
    if word.ipa and not is_speakable_ipa(word.ipa):
        raise RefusedError("ipa", f"{word.ipa!r} holds no sound")


def _language(asked: str | None, languages: Collection[str]) -> str | None:
    """The tag as it is spoken here, or its first part; None for all languages."""
    if asked is None or asked.lower() in {"", "all", "*"}:
        return None
    tag = asked.replace("_", "-").lower()
    for known in languages:
        if tag == known.lower():
            return known
    if not languages or any(known.lower().startswith(f"{tag}-") for known in languages):
        return tag
    raise RefusedError("language", f"{asked!r} is not spoken here; these are: {', '.join(languages)}")
