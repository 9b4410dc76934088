"""The tables of each language, loaded when it is first spoken."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.text.normalise.tongue import Tongue

_TABLES = {"en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "it": "italian", "ja": "japanese",
           "pt": "portuguese", "zh": "chinese"}  # fmt: skip


def tongue_of(language: str) -> Tongue:
    """The tables of a BCP-47 tag."""
    tag = language.replace("_", "-").lower()
    tables = import_module(f"{__name__}.{_TABLES.get(tag.partition('-')[0], 'english')}")
    tongue: Tongue = tables.BRITISH if tag == "en-gb" else tables.TONGUE
    return tongue
