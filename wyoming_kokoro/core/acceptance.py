"""Makes requests durable: claims, jobs, and what is begun meanwhile."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Sequence

from wyoming_kokoro.core.accepted import Accepted
from wyoming_kokoro.core.catalog import set_keep
from wyoming_kokoro.core.holdings import Unlogged
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.core.retrying import persistently
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest, JobKind, Priority
from wyoming_kokoro.model.errors import LogError, QueueFullError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, JOBS, CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import Cancel, Catalogued, Idempotency, Job, Meta, Record
from wyoming_kokoro.model.room import Announcement
from wyoming_kokoro.ports import Lost, Won
from wyoming_kokoro.settings import WorkSettings

_LOGGER = logging.getLogger(__name__)


class Acceptance:
    """Takes recipes, and live texts, into the log; or, where the log refuses, into memory."""

    def __init__(self, shop: Workshop, worker: Worker, recipes: Recipes, settings: WorkSettings) -> None:
        self._shop = shop
        self._worker = worker
        self._settings = settings
        self.recipes = recipes

    async def accept_recipe(self, recipe: Recipe, request: CastRequest, mark: Idempotency | None = None) -> Accepted:
        """Return once the request is durable, or found to be whole already; `mark` goes into its job.

        Raises `QueueFullError`, and `LogError` where the journal does not take it.
        """
        missing = await self._shop.library.missing(recipe)
        if missing is None:
            return await self._accept_hit(recipe, request, mark)
        self._check_queue()
        self._anticipate(recipe, missing)
        is_new = await self._claim(recipe, recipe.cast_id, JobKind.SPEAK, keep=request.keep)
        mark = mark and dataclasses.replace(mark, is_new=is_new)
        job = self._job(recipe.cast_id, JobKind.SPEAK, recipe, request, mark)
        ack = await self._append(JOBS, [job])
        self._shop.metrics.count(Counter.requests_total, "whole")
        _LOGGER.info("%s: accepted: cast %s, job %d, %d characters", job.source, job.cast_id, ack.start, len(recipe.text))
        return Accepted(recipe.cast_id, is_hit=False, is_new=is_new, job=ack.start)

    async def _accept_hit(self, recipe: Recipe, request: CastRequest, mark: Idempotency | None) -> Accepted:
        """The cast is whole: nothing has to be written, but that it is kept, and under which key it was asked for."""
        if request.keep:
            await set_keep(self._shop.log, recipe.cast_id, keep=True)
        if mark is not None:
            job = self._job(recipe.cast_id, JobKind.SPEAK, recipe, request, dataclasses.replace(mark, is_hit=True))
            # Nobody waits for it: its receipt is all that is to come.
            await self._append(JOBS, [dataclasses.replace(job, priority=Priority.BACKGROUND, due_ms=None)])
        self._shop.metrics.count(Counter.requests_total, "whole")
        self._shop.metrics.count(Counter.hits_total)
        _LOGGER.info("%s: a hit: cast %s", request.source, recipe.cast_id)
        return Accepted(recipe.cast_id, is_hit=True)

    async def accept_announced(self, recipe: Recipe, request: CastRequest, announcement: Announcement) -> Ack:
        """Make an announcement durable, between the recipe and the job that makes its cast; its ack is the
        acceptance: whoever plays it submits the job where that is missing. Raises as `accept_recipe` does."""
        missing = await self._shop.library.missing(recipe)
        if missing is not None:
            self._check_queue()
            self._anticipate(recipe, missing)
            await self._claim(recipe, recipe.cast_id, JobKind.SPEAK, keep=request.keep)
        ack = await self._append(ANNOUNCEMENTS, [announcement])
        self._shop.metrics.count(Counter.requests_total, "whole")
        if missing is None:
            self._shop.metrics.count(Counter.hits_total)
            return ack
        try:
            await self.submit(recipe, request)
        except LogError as error:
            _LOGGER.warning("%s: the job of cast %s is left to its room: %s", request.source, recipe.cast_id, error)
        return ack

    async def submit(self, recipe: Recipe, request: CastRequest) -> None:
        """Append one more job for the cast. Raises `LogError`."""
        ack = await self._append(JOBS, [self._job(recipe.cast_id, JobKind.SPEAK, recipe, request)])
        _LOGGER.info("%s: cast %s is job %d", request.source, recipe.cast_id, ack.start)

    async def accept_live(self, cast_id: CastId, request: CastRequest) -> None:
        """Make a live cast durable; its text follows on `in/<cast>`. Raises as `accept_recipe` does."""
        self._check_queue()
        recipe = self.recipes.live(request)
        await self._claim(recipe, cast_id, JobKind.LIVE, keep=request.keep)
        await self._append(JOBS, [self._job(cast_id, JobKind.LIVE, recipe, request)])
        self._shop.metrics.count(Counter.requests_total, "live")

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
        self._shop.metrics.count(Counter.requests_total, "unlogged")
        unlogged = Unlogged(self.recipes.live(request), text)
        self._worker.speak_unlogged(cast_id, unlogged, priority=request.priority, room=request.room, source=request.source)

    def forsake(self, cast_id: CastId) -> None:
        """Whoever asked for the live cast is gone: a worker elsewhere, which can't know it, is told to cut it."""
        feed = self._shop.feeds.get(cast_id)
        is_needless = feed is not None and (feed.is_making or feed.listeners > 0)
        if not (self._shop.log.exclusive or is_needless or self._shop.backlog.get(cast_id) is None):
            self._shop.tasks.start(self._take_back(cast_id), name=f"forsaken[{cast_id}]")

    async def _take_back(self, cast_id: CastId) -> None:
        try:
            await self._append(JOBS, [Cancel(cast_id=cast_id)])
        except LogError as error:
            _LOGGER.warning("cast %s is made though its asker is gone: %s", cast_id, error)

    def _anticipate(self, recipe: Recipe, missing: int) -> None:
        """Have the first missing sentence made while the request becomes durable; a cast under way has its worker."""
        if missing < len(recipe.sentences) and self._shop.backlog.get(recipe.cast_id) is None:
            self._shop.voicing.anticipate(recipe.utterance(recipe.sentences[missing]))

    def _check_queue(self) -> None:
        if len(self._shop.backlog) >= self._settings.max_jobs:
            raise QueueFullError(self._settings.max_jobs)

    def _job(
        self, cast_id: CastId, kind: JobKind, recipe: Recipe, request: CastRequest, mark: Idempotency | None = None
    ) -> Job:
        return Job(
            cast_id=cast_id,
            kind=kind,
            recipe=recipe,
            priority=request.priority,
            source=request.source,
            room=request.room,
            due_ms=self._shop.clock.now_ms(),
            idempotency=mark,
        )

    async def _claim(self, recipe: Recipe, cast_id: CastId, kind: JobKind, *, keep: bool) -> bool:
        """Claim the recipe's and the cast's streams side by side; returns whether the cast was nobody's before."""
        catalogued = Catalogued(recipe=recipe, keep=keep)
        meta = Meta(cast_id=cast_id, kind=kind, voice=recipe.voice, language=recipe.language)
        claimed, won = await asyncio.gather(
            self._claim_one(catalog_stream(cast_id), catalogued), self._claim_one(cast_stream(cast_id), meta)
        )
        if isinstance(claimed, Lost) and claimed.first is None:
            await self._append(catalog_stream(cast_id), [catalogued])
        elif isinstance(claimed, Lost) and keep:
            await set_keep(self._shop.log, cast_id, keep=True)
        return isinstance(won, Won)

    async def _claim_one(self, stream: str, record: Record) -> Won | Lost:
        return await persistently(self._shop.clock, lambda: self._shop.log.claim(stream, [record]))

    async def _append(self, stream: str, records: Sequence[Record]) -> Ack:
        """Append a job, a recipe or an announcement. An unknown outcome is simply repeated: jobs of one cast merge, the last
        recipe counts, and of announcements of one id the first."""
        return await persistently(self._shop.clock, lambda: self._shop.log.append(stream, records))
