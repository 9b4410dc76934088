"""Phonemes of Spanish, French, Hindi, Italian and Portuguese by espeak, in misaki's spelling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.engine.lean_imports import lean_imports
from wyoming_kokoro.engine.phonemes import Phonemes, aligned

if TYPE_CHECKING:
    from collections.abc import Callable

_ESPEAK_NAMES = {"es": "es", "fr": "fr-fr", "hi": "hi", "it": "it", "pt-BR": "pt-br", "en-US": "en-us"}
_STOPS = str.maketrans({"।": ".", "॥": "."})
"""espeak drops the stops of Devanagari, and with them the fall of the voice."""


def load_espeak(language: str) -> Callable[[str], Phonemes]:
    """For one of the languages above, by its BCP-47 tag."""
    with lean_imports():
        from misaki.espeak import EspeakG2P
    g2p = EspeakG2P(_ESPEAK_NAMES[language])

    def phonemes(text: str) -> Phonemes:
        clean = text.translate(_STOPS)
        spoken, _ = g2p(clean)
        return aligned(clean, spoken)

    return phonemes
