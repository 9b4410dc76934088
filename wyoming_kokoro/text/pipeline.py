"""Text in, speakable sentences out: markup, sentences, then what is said for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.recipe import Boundary, Sentence
from wyoming_kokoro.text.cutting import Cutter
from wyoming_kokoro.text.lexicon import NO_WORDS, Words
from wyoming_kokoro.text.markup.controls import without_controls
from wyoming_kokoro.text.spoken import Speaking

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.model.recipe import Profile, TextFormat
    from wyoming_kokoro.text.cutting import Cut
    from wyoming_kokoro.text.markup.controls import Controls, Style

TEXT_VERSION = 6
"""Part of every recipe: it grows with every change that makes another spoken form, or another cut, of any text."""


VoiceOf = Callable[[str], tuple[str, str]]
"""The canonical name and the language of a voice that a text asks for. Raises `RefusedError`."""


LanguageOf = Callable[[str], str]
"""The tag of a language that a text asks for, as it is spoken here. Raises `RefusedError`."""


def _own_voice_only(name: str) -> tuple[str, str]:
    raise RefusedError("text", f"it asks for the voice {name[:40]!r}, and no voices are known here")


class TextPipeline:
    """All stages. It holds no state between texts and may be shared."""

    def __init__(
        self,
        words: Callable[[], Words] = lambda: NO_WORDS,
        voice_of: VoiceOf = _own_voice_only,
        language_of: LanguageOf = str,
    ) -> None:
        """`words` gives the household's words as they are now."""
        self.words = words
        self._voice_of = voice_of
        self._language_of = language_of

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
        cutter = Cutter(language=language, profile=profile, text_format=text_format)
        return SentenceStream(cutter, self._manners(language, cutter))

    def explain(self, text: str, *, language: str, profile: Profile, text_format: TextFormat) -> tuple[Explanation, ...]:
        """The sentences of `cut`, each with what every stage made of it."""
        cutter = Cutter(language=language, profile=profile, text_format=text_format)
        manners = self._manners(language, cutter)
        return tuple(
            Explanation(
                cut.original,
                (
                    ("markup", without_controls(cut.plain)),
                    *manners.of(cut.style).speaking.stages(cut.plain, cutter.controls),
                ),
            )
            for cut in (*cutter.feed(text), *cutter.finish())
        )

    def _manners(self, language: str, cutter: Cutter) -> Manners:
        return Manners(language, self.words(), (self._voice_of, self._language_of), cutter.controls)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a part of a text is spoken."""

    speaking: Speaking
    voice: str | None
    language: str | None


class Manners:
    """The styles of one text."""

    def __init__(self, language: str, words: Words, names: tuple[VoiceOf, LanguageOf], controls: Controls) -> None:
        self.controls = controls
        self._language = language
        self._words = words
        self._voice_of, self._language_of = names
        self._known: dict[Style, Manner] = {}

    def of(self, style: Style) -> Manner:
        """That of a style. Raises `RefusedError` for a voice that is not there."""
        if style not in self._known:
            self._known[style] = self._made(style)
        return self._known[style]

    def _made(self, style: Style) -> Manner:
        voice, language = None, None if style.language is None else self._language_of(style.language)
        if style.voice is not None:
            voice, own_language = self._voice_of(style.voice)
            language = language or own_language
        return Manner(Speaking(language or self._language, words=self._words), voice, language)


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

    def __init__(self, cutter: Cutter, manners: Manners) -> None:
        self._cutter = cutter
        self._manners = manners
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
            manner = self._manners.of(cut.style)
            spoken = manner.speaking.spoken(cut.plain, self._manners.controls)
            sentences.append(
                Sentence(
                    cut.original,
                    spoken,
                    self._opens,
                    cut.closes,
                    pause_ms=cut.pause_ms,
                    voice=manner.voice,
                    language=manner.language,
                    rate=cut.style.rate,
                )
            )
            self._opens = cut.closes
        return sentences
