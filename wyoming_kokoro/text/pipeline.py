"""Text in, speakable sentences out: markup, sentences, then what is said for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro.model.recipe import Boundary, Sentence
from wyoming_kokoro.text.cutting import Cutter
from wyoming_kokoro.text.spoken import Speaking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.model.recipe import Profile, TextFormat
    from wyoming_kokoro.text.cutting import Cut

TEXT_VERSION = 2
"""Part of every recipe: it grows with every change that makes another spoken form, or another cut, of any text."""


class TextPipeline:
    """All stages. It holds no state between texts and may be shared."""

    def cut(self, text: str, *, language: str, profile: Profile, text_format: TextFormat) -> tuple[Sentence, ...]:
        """The sentences of a whole text; none where nothing in it can be spoken.

        The originals of the sentences, joined, are the text in NFC without its outer white space. Every spoken form has at
        least one letter or digit: what can't be spoken stands in the original of a neighbour. The first sentence opens with
        START, every other as the one before it closes.

        Raises `RefusedError` for the field `text` where it breaks the rules of its format.
        """
        stream = self.stream(language=language, profile=profile, text_format=text_format)
        return (*stream.feed(text), *stream.finish())

    def stream(self, *, language: str, profile: Profile, text_format: TextFormat) -> SentenceStream:
        """The same for a text that arrives in pieces."""
        return SentenceStream(language=language, profile=profile, text_format=text_format)

    def explain(self, text: str, *, language: str, profile: Profile, text_format: TextFormat) -> tuple[Explanation, ...]:
        """The sentences of `cut`, each with what every stage made of it."""
        cutter = Cutter(language=language, profile=profile, text_format=text_format)
        speaking = Speaking(language)
        return tuple(
            Explanation(cut.original, (("markup", cut.plain), *speaking.stages(cut.plain)))
            for cut in (*cutter.feed(text), *cutter.finish())
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one sentence got its spoken form."""

    text: str
    """The original."""
    stages: tuple[tuple[str, str], ...]
    """Name and result of every stage, in order: `markup`, `clean`, then the language's own; the last is the spoken form."""

    @property
    def spoken(self) -> str:
        """What the engine gets."""
        return self.stages[-1][1]


class SentenceStream:
    """One text on its way.

    However the text is cut into deltas, all sentences together are those of `TextPipeline.cut`, unless `release` intervened.
    SSML gives nothing before `finish`, Markdown whole lines only.
    """

    def __init__(self, *, language: str, profile: Profile, text_format: TextFormat) -> None:
        self._cutter = Cutter(language=language, profile=profile, text_format=text_format)
        self._speaking = Speaking(language)
        self._opens = Boundary.START

    @property
    def has_pending(self) -> bool:
        """Whether text other than white space has come that may still become a sentence."""
        return self._cutter.has_pending

    def feed(self, text: str) -> list[Sentence]:
        """Add text; the sentences that are certain now. Raises `RefusedError` as `TextPipeline.cut` does."""
        return self._sentences(self._cutter.feed(text))

    def release(self, *, clauses: bool) -> list[Sentence]:
        """The rule of time: the sentence before a stop that has come already, though it can't be seen yet what follows it.

        Only where the stop is plain: not behind an abbreviation, an initial, a number or an ellipsis. With `clauses` the end
        of a clause will do. Never inside a word or a number. Calling it changes how the text is cut, but loses and repeats no
        character, except for white space and what can't be spoken at the very end of the text.
        """
        return self._sentences(self._cutter.release(clauses=clauses))

    def finish(self) -> list[Sentence]:
        """The text is complete: the rest. Raises `RefusedError` as `TextPipeline.cut` does."""
        return self._sentences(self._cutter.finish())

    def _sentences(self, cuts: Iterable[Cut]) -> list[Sentence]:
        sentences = []
        for cut in cuts:
            sentences.append(Sentence(cut.original, self._speaking.spoken(cut.plain), self._opens, cut.closes))
            self._opens = cut.closes
        return sentences
