"""Accepts requests: the way from a request to a durable job, or to a cast that is whole already."""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from dataclasses import dataclass

from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.worker import Unlogged, Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest, JobKind
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    LanguageNotInstalledError,
    LogUnavailableError,
    NothingToSpeakError,
    QueueFullError,
    RefusedError,
    UnknownVoiceError,
)
from wyoming_kokoro.model.ids import JOBS, CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.position import Ack, SeqNum
from wyoming_kokoro.model.recipe import Recipe, Sentence
from wyoming_kokoro.model.records import Catalogued, Job, Meta, Record
from wyoming_kokoro.model.voice import Voice
from wyoming_kokoro.ports import Lost, Voices, Won
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import TEXT_VERSION, TextPipeline

_LOGGER = logging.getLogger(__name__)

_SPEEDS = (0.5, 2.0)
_TRIES = 3
"""How often an accepting append is tried before the asker is told."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The request is durable, or was answered before."""

    cast_id: CastId
    is_hit: bool
    is_new: bool = False
    """Whether this request was the first ever to ask for the cast."""
    job: SeqNum | None = None


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request wants to be spoken, checked and in canonical form."""

    voice: str
    speed: float
    language: str


class Intake:
    """The core's front desk."""

    def __init__(
        self, shop: Workshop, worker: Worker, voices: Voices, text: TextPipeline, settings: WorkSettings, *, speed: float
    ) -> None:
        self._shop = shop
        self._worker = worker
        self._voices = voices
        self._text = text
        self._settings = settings
        self._speed = speed

    # -- whole texts ---------------------------------------------------------------------------------------------------

    async def accept(self, request: CastRequest) -> Accepted:
        """Return once the request is durable, or found to be whole already.

        Raises `RefusedError` for a request that is wrong, `QueueFullError`, and `LogError` where the journal does not take it.
        """
        recipe = self.recipe(request)
        if await self._shop.library.has(recipe):
            return Accepted(recipe.cast_id, is_hit=True)
        self._check_queue()
        self._shop.voicing.anticipate(recipe.utterance(recipe.sentences[0]))
        is_new = await self._claim(recipe, recipe.cast_id, JobKind.SPEAK, keep=request.keep)
        job = await self.submit(recipe.cast_id, JobKind.SPEAK, recipe, request)
        return Accepted(recipe.cast_id, is_hit=False, is_new=is_new, job=job)

    def recipe(self, request: CastRequest) -> Recipe:
        """All that determines the audio of a request with its whole text."""
        manner = self.manner(request)
        text = unicodedata.normalize("NFC", request.text).strip()
        self.check_length(len(text))
        sentences = self._text.cut(text, language=manner.language, profile=request.profile, text_format=request.text_format)
        if not sentences:
            raise NothingToSpeakError
        return self._recipe(request, manner, text, sentences)

    # -- texts that arrive ---------------------------------------------------------------------------------------------

    def open(self, request: CastRequest) -> IncomingText:
        """A request whose text is still to come. Raises `RefusedError`."""
        manner = self.manner(request)
        stream = self._text.stream(language=manner.language, profile=request.profile, text_format=request.text_format)
        return IncomingText(self, self._shop, self._worker, stream, request, self._settings)

    def live_recipe(self, request: CastRequest) -> Recipe:
        """The recipe of a cast whose text is not known yet."""
        return self._recipe(request, self.manner(request), "", ())

    async def anticipate(self, request: CastRequest) -> None:
        """Begin with the first sentence of what has come so far, unless that text is whole already."""
        recipe = self.recipe(request)
        if not await self._shop.library.has(recipe):
            self._shop.voicing.anticipate(recipe.utterance(recipe.sentences[0]))

    async def accept_live(self, cast_id: CastId, recipe: Recipe, request: CastRequest) -> None:
        """Make a live cast durable; its text follows on `in/<cast>`."""
        self._check_queue()
        await self._claim(recipe, cast_id, JobKind.LIVE, keep=request.keep)
        await self.submit(cast_id, JobKind.LIVE, recipe, request)

    def speak_unlogged(self, cast_id: CastId, recipe: Recipe, text: SpokenText, request: CastRequest) -> None:
        """Speak from memory what the log refused."""
        unlogged = Unlogged(recipe, text)
        self._worker.speak_unlogged(cast_id, unlogged, priority=request.priority, room=request.room, source=request.source)

    # -- parts ---------------------------------------------------------------------------------------------------------

    def manner(self, request: CastRequest) -> Manner:
        """Check how the request wants to be spoken. Raises `RefusedError`."""
        voice = self._voice(request)
        if not voice.installed and voice.extra is not None:
            raise LanguageNotInstalledError(voice.language, voice.extra)
        speed = self._speed if request.speed is None else request.speed
        slowest, fastest = _SPEEDS
        if not slowest <= speed <= fastest:
            raise RefusedError("speed", f"{speed:g} is not between {slowest:g} and {fastest:g}")
        return Manner(voice.name, round(speed, 2), request.language or voice.language)

    def check_length(self, length: int) -> None:
        """Refuse a text of that many characters if it is too long."""
        limit = self._settings.max_text_chars
        if length > limit:
            raise RefusedError("text", f"it has {length:,} characters or more; at most {limit:,} are taken at once")

    async def submit(self, cast_id: CastId, kind: JobKind, recipe: Recipe, request: CastRequest) -> SeqNum:
        """Append the job. An unknown outcome is simply repeated: jobs of one cast merge."""
        job = Job(
            cast_id=cast_id,
            kind=kind,
            recipe=recipe,
            priority=request.priority,
            source=request.source,
            room=request.room,
            due_ms=self._shop.clock.now_ms(),
        )
        return (await self._append(JOBS, [job])).start

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

    def _recipe(self, request: CastRequest, manner: Manner, text: str, sentences: tuple[Sentence, ...]) -> Recipe:
        return Recipe(
            text=text,
            sentences=sentences,
            voice=manner.voice,
            speed=manner.speed,
            language=manner.language,
            profile=request.profile,
            model=self._shop.engine.fingerprint,
            text_version=TEXT_VERSION,
        )

    def _check_queue(self) -> None:
        if len(self._shop.backlog) >= self._settings.max_jobs:
            raise QueueFullError(self._settings.max_jobs)

    async def _claim(self, recipe: Recipe, cast_id: CastId, kind: JobKind, *, keep: bool) -> bool:
        """Claim the recipe's and the cast's streams side by side; returns whether the cast was nobody's before."""
        catalogued = Catalogued(recipe=recipe, keep=keep)
        meta = Meta(cast_id=cast_id, kind=kind, voice=recipe.voice, language=recipe.language)
        claimed, won = await asyncio.gather(
            self._claim_one(catalog_stream(cast_id), catalogued), self._claim_one(cast_stream(cast_id), meta)
        )
        if isinstance(claimed, Lost) and claimed.first is None:
            await self._append(catalog_stream(cast_id), [catalogued])
        return isinstance(won, Won)

    async def _claim_one(self, stream: str, record: Record) -> Won | Lost:
        backoff = Backoff(self._shop.clock)
        while True:
            try:
                return await self._shop.log.claim(stream, [record])
            except (AppendOutcomeUnknownError, LogUnavailableError):
                if backoff.tries >= _TRIES:
                    raise
                await backoff.wait()

    async def _append(self, stream: str, records: list[Record]) -> Ack:
        backoff = Backoff(self._shop.clock)
        while True:
            try:
                return await self._shop.log.append(stream, records)
            except (AppendOutcomeUnknownError, LogUnavailableError):
                if backoff.tries >= _TRIES:
                    raise
                await backoff.wait()
