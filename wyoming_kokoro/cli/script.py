"""What a command line asks to be spoken: who speaks which sentences. Needs no model."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypedDict, TypeVar

from wyoming_kokoro.core.languages import language_of, languages_of, voice_of
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError
from wyoming_kokoro.model.recipe import Profile, Recipe, TextFormat
from wyoming_kokoro.text.pipeline import TEXT_VERSION, TextPipeline

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.model.recipe import Sentence
    from wyoming_kokoro.model.voice import Voice
    from wyoming_kokoro.settings.tree import Settings
    from wyoming_kokoro.text.pipeline import Explanation

Piece = TypeVar("Piece")


class _Request(TypedDict):
    text: str
    language: str
    profile: Profile
    text_format: TextFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A text and how it is to be spoken."""

    text: str
    voice: Voice
    language: str
    """BCP-47 tag, such as en-US."""
    profile: Profile
    text_format: TextFormat
    pipeline: TextPipeline = field(default_factory=TextPipeline)

    def sentences(self) -> tuple[Sentence, ...]:
        """The text, cut and in its spoken form. Raises RefusedError where nothing in it can be spoken."""
        return _something(self.pipeline.cut(**self._request()))

    def explained(self) -> tuple[Explanation, ...]:
        """The same sentences, each with what every stage made of it."""
        return _something(self.pipeline.explain(**self._request()))

    def recipe(self, sentences: tuple[Sentence, ...], *, speed: float, model: str) -> Recipe:
        """What a server would make of the same request."""
        return Recipe(
            text="".join(sentence.text for sentence in sentences),
            sentences=sentences,
            voice=self.voice.name,
            speed=speed,
            language=self.language,
            profile=self.profile,
            model=model,
            text_version=TEXT_VERSION,
        )

    def _request(self) -> _Request:
        return {"text": self.text, "language": self.language, "profile": self.profile, "text_format": self.text_format}


def read_script(arguments: argparse.Namespace, settings: Settings) -> Script:
    """The script of a command that has TEXT, --voice, --language, --format and --profile. Raises RefusedError."""
    voices = KokoroVoices.of(settings.engine)
    voice = voices.default
    lexicon = Lexicon(settings.data_dir, languages_of(voices))
    return Script(
        text=read_text(arguments.text),
        voice=voice,
        language=arguments.language or voice.language,
        profile=Profile(arguments.profile or Profile.LATENCY),
        text_format=TextFormat(arguments.format or TextFormat.PLAIN),
        pipeline=TextPipeline(lexicon.words, partial(voice_of, voices), partial(language_of, voices)),
    )


def _something(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    if not pieces:
        raise NothingToSpeakError
    return pieces


def read_text(argument: str) -> str:
    """What TEXT stands for. Raises `RefusedError` for standard input that is no text."""
    if argument != "-":
        return argument
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise RefusedError("text", f"what came on standard input is not {error.encoding} text") from error
