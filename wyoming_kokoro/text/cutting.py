"""From the text of a request, as it arrives, to the pieces that will be spoken: their original and their plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.model.recipe import Boundary, TextFormat
from wyoming_kokoro.text.composing import Composer
from wyoming_kokoro.text.grouping import Grouping
from wyoming_kokoro.text.markup.controls import Break, Controls, Said, Say, Style, has_control, without_breaking
from wyoming_kokoro.text.markup.markdown import Markdown
from wyoming_kokoro.text.markup.plain import Plain
from wyoming_kokoro.text.markup.runs import Sources, without_foreign
from wyoming_kokoro.text.markup.ssml import Ssml
from wyoming_kokoro.text.pauses import PARAGRAPH_MS, ends_paragraph
from wyoming_kokoro.text.sentences import Chunker
from wyoming_kokoro.text.sizes import sizes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.model.recipe import Profile
    from wyoming_kokoro.text.markup.runs import Markup
    from wyoming_kokoro.text.sentences import Piece


class Cut(NamedTuple):
    """One piece."""

    original: str
    """Its characters in the request (NFC), markup included."""
    plain: str
    """What of them is meant to be spoken; something in it can be."""
    closes: Boundary
    pause_ms: int = 0
    """Where it closes with PAUSE."""
    style: Style = Style()


class Cutter:
    """Cuts one text: NFC, then markup, then sentences, then groups of short ones.

    The originals, joined, are the NFC of the text without its outer white space, if anything in it can be spoken; after a
    `release`, white space and what can't be spoken may be missing at the very end.
    """

    def __init__(self, *, language: str, profile: Profile, text_format: TextFormat) -> None:
        sizes = sizes_of(profile)
        self._composer = Composer()
        self.controls = Controls()
        self._markup = _markup_of(text_format, self.controls)
        self._sources = Sources()
        self._style = Style()
        self._open: str = ""
        """The control of an element that began in an earlier piece."""
        self._chunker = Chunker(language, sizes)
        self._grouping = Grouping(sizes)
        self._has_begun = False
        self._last_breaks = False
        """Whether the last piece ended in a pause of the markup."""

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
        plain = self._read(self._composer.finish()) + self._sources.add(without_foreign(self._markup.finish()))
        pieces = self._chunker.feed(plain) + self._chunker.finish()
        cuts = self._located(self._grouping.feed(pieces) + self._grouping.flush())
        if cuts:
            last = cuts[-1]
            cuts[-1] = last._replace(original=(last.original + self._sources.rest()).rstrip())
            if last.pause_ms and not self._last_breaks:
                cuts[-1] = cuts[-1]._replace(closes=Boundary.SENTENCE, pause_ms=0)
        return cuts

    def release(self, *, clauses: bool) -> list[Cut]:
        """What stands before a boundary that has come already; see `Chunker.release`."""
        pieces = self._grouping.feed(self._chunker.release(clauses=clauses))
        return self._located(pieces + self._grouping.flush())

    def _read(self, composed: str) -> str:
        if not self._has_begun:
            composed = composed.lstrip()
            self._has_begun = bool(composed)
        return self._sources.add(without_foreign(self._markup.feed(composed))) if composed else ""

    def _located(self, pieces: Iterable[Piece]) -> list[Cut]:
        return [self._cut(piece) for piece in pieces]

    def _cut(self, piece: Piece) -> Cut:
        original = self._sources.take(len(piece.text))
        if piece.text.isascii() or not has_control(piece.text):
            self._last_breaks = False
            pause_ms = PARAGRAPH_MS if ends_paragraph(piece.text) else 0
            closes = Boundary.PAUSE if pause_ms else piece.closes
            return Cut(original, self._open + piece.text, closes, pause_ms, self._style)
        return self._controlled(piece, original)

    def _controlled(self, piece: Piece, original: str) -> Cut:
        """A piece in which controls stand: their words, what comes before them, and what follows."""
        words, style, pause_ms = [self._open], self._style, 0
        has_words = False
        for char in piece.text:
            match self.controls.meaning(char):
                case None:
                    words.append(char)
                    has_words = has_words or not char.isspace()
                case Break(length_ms):
                    pause_ms = pause_ms + length_ms if has_words else 0
                case Style() as new:
                    self._style = new
                    style = style if has_words else new
                case Say():
                    self._open = char
                    words.append(char)
                case Said():
                    self._open = ""
                    words.append(char)
        self._last_breaks = bool(pause_ms)
        if not pause_ms and ends_paragraph(without_breaking(piece.text)):
            pause_ms = PARAGRAPH_MS
        return Cut(original, "".join(words), Boundary.PAUSE if pause_ms else piece.closes, pause_ms, style)


def _markup_of(text_format: TextFormat, controls: Controls) -> Markup:
    match text_format:
        case TextFormat.PLAIN:
            return Plain(controls)
        case TextFormat.SSML:
            return Ssml(controls)
        case TextFormat.MARKDOWN:
            return Markdown()
