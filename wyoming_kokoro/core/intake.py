"""Accepts requests: the way from a request to a durable job, or to a cast that is whole already."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.worker import Unlogged, Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest, JobKind
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogUnavailableError, QueueFullError
from wyoming_kokoro.model.ids import JOBS, CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.position import Ack, SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import Catalogued, Job, Meta, Record
from wyoming_kokoro.ports import Lost, Won
from wyoming_kokoro.settings import WorkSettings

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


class Intake:
    """The core's front desk."""

    def __init__(self, shop: Workshop, worker: Worker, recipes: Recipes, settings: WorkSettings) -> None:
        self._shop = shop
        self._worker = worker
        self._settings = settings
        self.recipes = recipes

    def open(self, request: CastRequest) -> IncomingText:
        """A request whose text is still to come. Raises `RefusedError`."""
        return IncomingText(self, self._shop, self._worker, self.recipes.stream(request), request, self._settings)

    async def accept(self, request: CastRequest) -> Accepted:
        """Return once the request is durable, or found to be whole already.

        Raises `RefusedError` for a request that is wrong, `QueueFullError`, and `LogError` where the journal does not take it.
        """
        return await self.accept_recipe(self.recipes.whole(request), request)

    async def accept_recipe(self, recipe: Recipe, request: CastRequest) -> Accepted:
        """As `accept`, for a request whose recipe is made already."""
        missing = await self._shop.library.missing(recipe)
        if missing is None:
            return Accepted(recipe.cast_id, is_hit=True)
        self._check_queue()
        self._anticipate(recipe, missing)
        is_new = await self._claim(recipe, recipe.cast_id, JobKind.SPEAK, keep=request.keep)
        job = await self._submit(recipe.cast_id, JobKind.SPEAK, recipe, request)
        return Accepted(recipe.cast_id, is_hit=False, is_new=is_new, job=job)

    async def accept_live(self, cast_id: CastId, request: CastRequest) -> None:
        """Make a live cast durable; its text follows on `in/<cast>`. Raises as `accept` does."""
        self._check_queue()
        recipe = self.recipes.live(request)
        await self._claim(recipe, cast_id, JobKind.LIVE, keep=request.keep)
        await self._submit(cast_id, JobKind.LIVE, recipe, request)

    async def anticipate(self, request: CastRequest) -> Recipe | None:
        """Begin with the first sentence of what has come so far, unless it was spoken already; returns what was begun."""
        recipe = self.recipes.whole(request)
        missing = await self._shop.library.missing(recipe)
        if missing is None:
            return None
        self._anticipate(recipe, missing)
        return recipe

    def speak_unlogged(self, cast_id: CastId, text: SpokenText, request: CastRequest) -> None:
        """Speak from memory what the log refused."""
        unlogged = Unlogged(self.recipes.live(request), text)
        self._worker.speak_unlogged(cast_id, unlogged, priority=request.priority, room=request.room, source=request.source)

    def _anticipate(self, recipe: Recipe, missing: int) -> None:
        """Have the first missing sentence made while the request becomes durable; a cast under way has its worker."""
        if missing < len(recipe.sentences) and self._shop.backlog.get(recipe.cast_id) is None:
            self._shop.voicing.anticipate(recipe.utterance(recipe.sentences[missing]))

    def _check_queue(self) -> None:
        if len(self._shop.backlog) >= self._settings.max_jobs:
            raise QueueFullError(self._settings.max_jobs)

    async def _submit(self, cast_id: CastId, kind: JobKind, recipe: Recipe, request: CastRequest) -> SeqNum:
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
