"""From the text of a request, as it arrives, to the pieces that will be spoken: their original and their plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.model.recipe import TextFormat
from wyoming_kokoro.text.composing import Composer
from wyoming_kokoro.text.grouping import Grouping
from wyoming_kokoro.text.markup.markdown import Markdown
from wyoming_kokoro.text.markup.plain import Plain
from wyoming_kokoro.text.markup.runs import Sources
from wyoming_kokoro.text.markup.ssml import Ssml
from wyoming_kokoro.text.sentences import Chunker
from wyoming_kokoro.text.sizes import sizes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.model.recipe import Boundary, Profile
    from wyoming_kokoro.text.markup.runs import Markup
    from wyoming_kokoro.text.sentences import Piece


class Cut(NamedTuple):
    """One piece."""

    original: str
    """Its characters in the request (NFC), markup included."""
    plain: str
    """What of them is meant to be spoken; something in it can be."""
    closes: Boundary


class Cutter:
    """Cuts one text: NFC, then markup, then sentences, then groups of short ones.

    The originals, joined, are the NFC of the text without its outer white space, if anything in it can be spoken; after a
    `release`, white space and what can't be spoken may be missing at the very end.
    """

    def __init__(self, *, language: str, profile: Profile, text_format: TextFormat) -> None:
        sizes = sizes_of(profile)
        self._composer = Composer()
        self._markup = _markup_of(text_format)
        self._sources = Sources()
        self._chunker = Chunker(language, sizes)
        self._grouping = Grouping(sizes)
        self._has_begun = False

    @property
    def has_pending(self) -> bool:
        """Whether text other than white space has come that may still become a piece."""
        return self._has_begun and (self._chunker.has_pending or self._grouping.has_pending or self._is_holding)

    @property
    def _is_holding(self) -> bool:
        return bool(self._composer.held or self._markup.held)

    def feed(self, text: str) -> list[Cut]:
        """Add text; the pieces that are certain now."""
        return self._located(self._grouping.feed(self._chunker.feed(self._read(self._composer.feed(text)))))

    def finish(self) -> list[Cut]:
        """The rest."""
        plain = self._read(self._composer.finish()) + self._sources.add(self._markup.finish())
        pieces = self._chunker.feed(plain) + self._chunker.finish()
        cuts = self._located(self._grouping.feed(pieces) + self._grouping.flush())
        if cuts:
            last = cuts[-1]
            cuts[-1] = last._replace(original=(last.original + self._sources.rest()).rstrip())
        return cuts

    def release(self, *, clauses: bool) -> list[Cut]:
        """What stands before a boundary that has come already; see `Chunker.release`."""
        pieces = self._grouping.feed(self._chunker.release(clauses=clauses))
        return self._located(pieces + self._grouping.flush())

    def _read(self, composed: str) -> str:
        if not self._has_begun:
            composed = composed.lstrip()
            self._has_begun = bool(composed)
        return self._sources.add(self._markup.feed(composed)) if composed else ""

    def _located(self, pieces: Iterable[Piece]) -> list[Cut]:
        return [Cut(self._sources.take(len(piece.text)), piece.text, piece.closes) for piece in pieces]


def _markup_of(text_format: TextFormat) -> Markup:
    match text_format:
        case TextFormat.PLAIN:
            return Plain()
        case TextFormat.SSML:
            return Ssml()
        case TextFormat.MARKDOWN:
            return Markdown()
