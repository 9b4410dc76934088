"""Marks in a spoken form that tell how a word is said: `[tomato](/təˈmeɪtoʊ/)` its phonemes, `[never](+1)` its stress."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.phonemes import Phonemes, gathered, joined
from wyoming_kokoro.text.ipa import model_phonemes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    G2p = Callable[[str], Phonemes]

_NOTATION = re.compile(r"\[(?P<words>[^\[\]\n]+)\]\((?:/(?P<ipa>[^/()\n]*)/|\+1)\)")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ](?:[A-Za-zÀ-ɏ'’-]*[A-Za-zÀ-ɏ])?(?: [A-Za-zÀ-ɏ](?:[A-Za-zÀ-ɏ'’-]*[A-Za-zÀ-ɏ])?)*")


def in_model_symbols(text: str) -> str:
    """The text with phonemes as misaki's English takes them, which reads both marks by itself."""
    return _NOTATION.sub(_in_symbols, text)


def with_given_phonemes(g2p: G2p, language: str) -> G2p:
    """The same for a language whose phonemizer knows no such marks: phonemes as given, stress as usual."""

    def phonemes(text: str) -> Phonemes:
        if "](" not in text:
            return g2p(text)
        return joined(_given(text, g2p, language))

    return phonemes


def with_foreign_words(g2p: G2p, foreign: G2p) -> G2p:
    """One for Chinese or Japanese whose words in Latin letters are said by another language's."""

    def phonemes(text: str) -> Phonemes:
        if _LATIN.search(text) is None:
            return g2p(text)
        return joined(_by_script(text, g2p, foreign))

    return phonemes


def _in_symbols(found: re.Match[str]) -> str:
    return found[0] if found["ipa"] is None else f"[{found['words']}](/{model_phonemes(found['ipa'])}/)"


def _given(text: str, g2p: G2p, language: str) -> Iterator[Phonemes]:
    text = _NOTATION.sub(lambda found: found[0] if found["ipa"] else found["words"], text)
    done = 0
    for found in _NOTATION.finditer(text):
        if text[done : found.start()].strip():
            yield g2p(text[done : found.start()])
        yield gathered([(found["words"], model_phonemes(found["ipa"] or "", language))])
        done = found.end()
    if text[done:].strip():
        yield g2p(text[done:])


def _by_script(text: str, g2p: G2p, foreign: G2p) -> Iterator[Phonemes]:
    done = 0
    for found in _LATIN.finditer(text):
        if text[done : found.start()].strip():
            yield g2p(text[done : found.start()])
        yield foreign(found[0])
        done = found.end()
    if text[done:].strip():
        yield g2p(text[done:])
