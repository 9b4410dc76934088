"""What markup asks for beside the words, as characters within the plain text.

A control is one character that Unicode keeps for private use, and that no plain text has: `without_controls` sees to it. So
the cutter of sentences carries controls along without knowing them. Those that break stand between two pieces, and belong
to the end of the first; the others stand at either end of a few words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wyoming_kokoro.model.errors import RefusedError

_FIRST_BREAKING, _FIRST_INLINE, _FIRST_KEPT, _END = 0x100000, 0x106000, 0x10C000, 0x10FFFE
BREAKING = f"{chr(_FIRST_BREAKING)}-{chr(_FIRST_INLINE - 1)}"
"""The range of controls that end a piece, as part of a class of characters."""

_BREAKING = re.compile(f"[{BREAKING}]")
CONTROLS = f"{chr(_FIRST_BREAKING)}-{chr(_END - 1)}"
"""The range of all of them."""

_ANY = re.compile(f"[{CONTROLS}]")


LONGEST_BREAK_MS = 10_000
"""No pause is longer, whatever a text asks for."""


@dataclass(frozen=True, slots=True)
class Break:
    """A pause of that length."""

    pause_ms: int


@dataclass(frozen=True, slots=True)
class Style:
    """From here on these words are spoken so; None and 1.0 stand for what the request says."""

    voice: str | None = None
    language: str | None = None
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Say:
    """Up to the next `Said` the words are not to be read as they stand."""

    way: str
    """`ipa`, or how they are to be interpreted: `digits`, `date`, ..."""
    detail: str = ""
    """The phonemes, or the format of a date."""


@dataclass(frozen=True, slots=True)
class Said:
    """The end of `Say`."""


Control = Break | Style | Say | Said


class Controls:
    """The controls of one text."""

    def __init__(self) -> None:
        self._numbers: dict[Control, int] = {}
        self._known: list[Control] = []

    def character(self, control: Control) -> str:
        """The character that stands for it. Raises `RefusedError` where a text has more different ones than anybody needs."""
        if control not in self._numbers:
            if len(self._known) >= _FIRST_INLINE - _FIRST_BREAKING - 1:
                raise RefusedError("text", "it holds too many different elements")
            self._numbers[control] = len(self._known)
            self._known.append(control)
        first = _FIRST_BREAKING if isinstance(control, Break | Style) else _FIRST_INLINE
        return chr(first + self._numbers[control])

    def meaning(self, character: str) -> Control | None:
        """The control of a character; None where it is none."""
        if not _FIRST_BREAKING <= ord(character) < _FIRST_KEPT:
            return None
        number = (ord(character) - _FIRST_BREAKING) % (_FIRST_INLINE - _FIRST_BREAKING)
        return self._known[number] if number < len(self._known) else None


def kept_character(number: int) -> str:
    """The character that stands for a reading that is settled already; see `Kept`."""
    return chr(_FIRST_KEPT + number % (_END - _FIRST_KEPT))


def number_kept(character: str) -> int:
    """The number of such a character."""
    return ord(character) - _FIRST_KEPT


KEPT = f"[{chr(_FIRST_KEPT)}-{chr(_END - 1)}]"
"""A pattern of those characters."""


def without_controls(text: str) -> str:
    """The text without characters that would be taken for controls."""
    return text if text.isascii() else _ANY.sub("", text)


def has_control(text: str) -> bool:
    """Whether any control stands in it."""
    return _ANY.search(text) is not None


def without_breaking(text: str) -> str:
    """The text without controls that end a piece."""
    return _BREAKING.sub("", text)


def has_breaking(text: str) -> bool:
    """Whether a control that ends a piece stands in it."""
    return not text.isascii() and _BREAKING.search(text) is not None
