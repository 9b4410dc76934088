"""Phonemes of Chinese and Japanese by misaki, from the libraries that the extras `zh` and `ja` bring."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.phonemes import Phonemes, aligned

if TYPE_CHECKING:
    from collections.abc import Callable


def load_chinese() -> Callable[[str], Phonemes]:
    """Takes a second the first time: jieba builds its dictionary."""
    import jieba
    from misaki.zh import ZHG2P

    jieba.setLogLevel(logging.WARNING)
    g2p = ZHG2P()

    def phonemes(text: str) -> Phonemes:
        spoken, _ = g2p(text)
        return aligned(text, spoken)

    return phonemes


def load_japanese() -> Callable[[str], Phonemes]:
    """misaki's own extra compiles and downloads; its module for Japanese does neither."""
    from misaki.cutlet import Cutlet

    g2p = Cutlet()

    def phonemes(text: str) -> Phonemes:
        spoken, _ = g2p(text)
        return aligned(text, spoken)

    return phonemes
