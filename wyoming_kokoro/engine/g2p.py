"""Text to phonemes, for the nine languages; each part is loaded when its language is first spoken."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.notation import with_foreign_words, with_given_phonemes
from wyoming_kokoro.engine.voice_table import LANGUAGES, Language
from wyoming_kokoro.engine.voices import is_installed
from wyoming_kokoro.model.errors import LanguageNotInstalledError, SynthesisError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.engine.phonemes import Phonemes

    G2p = Callable[[str], Phonemes]

REMEMBERED = 64
"""Texts whose phonemes are kept: those made ahead, and a little more."""

_SHORT_TAGS = {"en": "en-US", "fr-fr": "fr", "pt": "pt-BR", "zh": "zh-CN"}


class Phonemizer:
    """Makes phonemes, remembers the newest, and may be called from any thread.

    One lock is held round all of it: espeak is global to the process, and spaCy's pipeline is not made for two threads.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: dict[str, G2p] = {}
        self._known: OrderedDict[tuple[str, str], Phonemes] = OrderedDict()

    def phonemes(self, text: str, language: str) -> Phonemes:
        """The phonemes of that text. Raises `LanguageNotInstalledError` and `SynthesisError`."""
        key = (text, language)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._make(text, find_language(language))
                if len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            self._known.move_to_end(key)
            return self._known[key]

    def _make(self, text: str, language: Language) -> Phonemes:
        if language.tag not in self._loaded:
            self._loaded[language.tag] = _load(language)
        try:
            return self._loaded[language.tag](text)
        except Exception as error:  # whatever the libraries stumble over is the matter of this one sentence
            raise SynthesisError(f"no phonemes can be made of this {language.title} text: {error!r}") from error


def find_language(tag: str) -> Language:
    """The language of that BCP-47 tag; a `SynthesisError` where Kokoro does not speak it."""
    wanted = _SHORT_TAGS.get(tag.lower(), tag).lower()
    for language in LANGUAGES.values():
        if language.tag.lower() == wanted:
            return language
    spoken = ", ".join(language.tag for language in LANGUAGES.values())
    raise SynthesisError(f"the language {tag!r} is not spoken here; these are: {spoken}")


def _load(language: Language) -> G2p:
    if language.extra is not None and not is_installed(language):
        raise LanguageNotInstalledError(language.tag, language.extra)
    if language.tag.startswith("en-"):
        from wyoming_kokoro.engine.g2p_english import load_english

        return load_english(british=language.tag == "en-GB")
    if language.tag == "zh-CN":
        from wyoming_kokoro.engine.g2p_asian import load_chinese

        return with_given_phonemes(with_foreign_words(load_chinese(), _load_english_words()), language.tag)
    if language.tag == "ja":
        from wyoming_kokoro.engine.g2p_asian import load_japanese

        return with_given_phonemes(with_foreign_words(load_japanese(), _load_english_words()), language.tag)
    from wyoming_kokoro.engine.g2p_espeak import load_espeak

    return with_given_phonemes(load_espeak(language.tag), language.tag)


def _load_english_words() -> G2p:
    """For English words among those of another script: quick to load, and good enough for single words."""
    from wyoming_kokoro.engine.g2p_espeak import load_espeak

    return load_espeak("en-US")
