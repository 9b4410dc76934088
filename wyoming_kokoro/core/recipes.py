"""From a request to its recipe: voice, pace and text, checked and in canonical form."""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from wyoming_kokoro.core.languages import language_of
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import (
    LanguageNotInstalledError,
    NothingToSpeakError,
    RefusedError,
    UnknownVoiceError,
)
from wyoming_kokoro.model.recipe import FASTEST, SLOWEST, Profile, Recipe, Sentence, TextFormat
from wyoming_kokoro.model.voice import Voice
from wyoming_kokoro.ports import Voices
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import TEXT_VERSION, SentenceStream, TextPipeline

_LOGGER = logging.getLogger(__name__)

_REMEMBERED = 256
_REMEMBERED_CHARS = 10_000
"""Longest text whose recipe is remembered: what a household says again is shorter."""

_SLICE_CHARS = 1000
"""So much text is cut at a time: some ten milliseconds."""

_Key = tuple[str, str | None, float | None, str | None, Profile, TextFormat]


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request wants to be spoken."""

    voice: str
    speed: float
    language: str


class Recipes:
    """Makes recipes for the engine at hand."""

    def __init__(
        self, voices: Voices, text: TextPipeline, settings: WorkSettings, *, model: Callable[[], str], speed: float
    ) -> None:
        """`model` tells the fingerprint of the model that will speak, `speed` the pace where none is asked for."""
        self._voices = voices
        self._text = text
        self._settings = settings
        self._model = model
        self._speed = speed
        self._remembered: OrderedDict[_Key, Recipe] = OrderedDict()
        self._words = text.words()

    def whole(self, request: CastRequest) -> Recipe:
        """The recipe of a request with its whole text. Raises `RefusedError`."""
        known = self.known(request)
        if known is not None:
            return known
        manner = self.manner(request)
        self.check_length(len(request.text))
        sentences = self._text.cut(
            request.text, language=manner.language, profile=request.profile, text_format=request.text_format
        )
        return self.of(request, sentences)

    async def whole_in_slices(self, request: CastRequest) -> Recipe:
        """As `whole`; others have their turn while a long text is cut."""
        if len(request.text) <= _SLICE_CHARS or self.known(request) is not None:
            return self.whole(request)
        self.check_length(len(request.text))
        stream = self.stream(request)
        sentences: list[Sentence] = []
        for start in range(0, len(request.text), _SLICE_CHARS):
            sentences += stream.feed(request.text[start : start + _SLICE_CHARS])
            await asyncio.sleep(0)
        return self.of(request, (*sentences, *stream.finish()))

    def of(self, request: CastRequest, sentences: tuple[Sentence, ...]) -> Recipe:
        """The recipe of a text that was cut already. Raises `NothingToSpeakError`."""
        if not sentences:
            raise NothingToSpeakError
        text = unicodedata.normalize("NFC", request.text).strip()
        recipe = self._recipe(request, text, sentences)
        if len(text) <= _REMEMBERED_CHARS:
            self._remembered[_key(request)] = recipe
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return recipe

    def known(self, request: CastRequest) -> Recipe | None:
        """The recipe of a text that was cut a while ago."""
        words = self._text.words()
        if words is not self._words:  # the household's words have changed, and with them what is said for any text
            self._remembered.clear()
            self._words = words
        recipe = self._remembered.get(_key(request))
        if recipe is None or recipe.model != self._model():
            return None
        self._remembered.move_to_end(_key(request))
        return recipe

    def live(self, request: CastRequest) -> Recipe:
        """The recipe of a cast whose text is not known yet."""
        return self._recipe(request, "", ())

    def stream(self, request: CastRequest) -> SentenceStream:
        """Cuts the text of a request as it arrives. Raises `RefusedError` for what is wrong with the rest of it."""
        manner = self.manner(request)
        return self._text.stream(language=manner.language, profile=request.profile, text_format=request.text_format)

    def manner(self, request: CastRequest) -> Manner:
        """Check how the request wants to be spoken. Raises `RefusedError`."""
        voice = self._voice(request)
        if not voice.installed and voice.extra is not None:
            raise LanguageNotInstalledError(voice.language, voice.extra)
        speed = self._speed if request.speed is None else request.speed
        if not SLOWEST <= speed <= FASTEST:
            raise RefusedError("speed", f"{speed:g} is not between {SLOWEST:g} and {FASTEST:g}")
        return Manner(
            voice.name,
            round(speed, 2),
            voice.language if request.language is None else language_of(self._voices, request.language),
        )

    def falls_back(self, request: CastRequest) -> bool:
        """Whether the default voice speaks because the one that is named is not there."""
        if request.voice is None or not request.any_voice:
            return False
        try:
            self._voices.resolve(request.voice)
        except UnknownVoiceError:
            return True
        except RefusedError:
            return False
        return False

    def check_length(self, length: int) -> None:
        """Refuse a text of that many characters if it is too long."""
        limit = self._settings.max_text_chars
        if length > limit:
            raise RefusedError("text", f"it has {length:,} characters or more; at most {limit:,} are taken at once")

    def _voice(self, request: CastRequest) -> Voice:
        if request.voice is None:
            return self._voices.default
        try:
            return self._voices.resolve(request.voice)
        except UnknownVoiceError as error:
            if not request.any_voice:
                raise
            _LOGGER.warning("%s; %s is spoken by %s", error, request.source, self._voices.default.name)
            return self._voices.default

    def _recipe(self, request: CastRequest, text: str, sentences: tuple[Sentence, ...]) -> Recipe:
        manner = self.manner(request)
        return Recipe(
            text=text,
            sentences=sentences,
            voice=manner.voice,
            speed=manner.speed,
            language=manner.language,
            profile=request.profile,
            model=self._model(),
            text_version=TEXT_VERSION,
        )


def _key(request: CastRequest) -> _Key:
    return (request.text, request.voice, request.speed, request.language, request.profile, request.text_format)
