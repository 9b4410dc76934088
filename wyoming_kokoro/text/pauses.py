"""Pauses that the shape of a text asks for."""

from __future__ import annotations

import re

from wyoming_kokoro.text.markup.controls import has_breaking

PARAGRAPH_MS = 1000
"""Between two paragraphs; between two sentences the model leaves about 800 ms by itself."""

_BREAK = "(?:\r\n|[\n\r\x85\u2029])"  # not U+2028, which parts lines and never paragraphs
_EMPTY_LINE = re.compile(rf"{_BREAK}[^\S\n\r\x85\u2029]*{_BREAK}\s*\Z")


def ends_paragraph(text: str) -> bool:
    """Whether an empty line stands at its end."""
    return _EMPTY_LINE.search(text, len(text.rstrip())) is not None


def pauses(text: str) -> bool:
    """Whether something else than the next sentence must follow this piece."""
    return ends_paragraph(text) or has_breaking(text)
