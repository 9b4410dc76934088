"""The core as one thing: put together from its ports, started and stopped in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from wyoming_kokoro.core.announcements.announcements import Announcements
from wyoming_kokoro.core.casts import Casts
from wyoming_kokoro.core.feeds import Feeds
from wyoming_kokoro.core.fetches import Fetches
from wyoming_kokoro.core.guarded_log import GuardedLog
from wyoming_kokoro.core.idempotency import IdempotencyKeys
from wyoming_kokoro.core.intake import Intake
from wyoming_kokoro.core.known_model import KnownModel
from wyoming_kokoro.core.languages import gain_of, language_of, voice_of
from wyoming_kokoro.core.lexicon import NO_LEXICON, Lexicon
from wyoming_kokoro.core.library import Library
from wyoming_kokoro.core.listening import Listening
from wyoming_kokoro.core.metrics import Gauge, Metrics
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.core.reuse import SpokenSentences
from wyoming_kokoro.core.rooms.household import Household, open_rooms
from wyoming_kokoro.core.rooms.rooms import Rooms
from wyoming_kokoro.core.scheduler import Scheduler
from wyoming_kokoro.core.settling import Settling, recover
from wyoming_kokoro.core.shelf import Shelf
from wyoming_kokoro.core.voicing import Voicing
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.ports import Bodies, Clock, Engine, Log, Voices
from wyoming_kokoro.settings import RetentionSettings, WorkSettings
from wyoming_kokoro.text.pipeline import TextPipeline


@dataclass(frozen=True, slots=True)
class House:
    """What the doors need: a place to ask, and a place to listen."""

    intake: Intake
    listening: Listening
    casts: Casts
    lexicon: Lexicon
    announcements: Announcements
    rooms: Rooms
    fetches: Fetches
    retention: Retention
    metrics: Metrics
    worker: Worker
    shop: Workshop

    @classmethod
    async def open(
        cls,
        *,
        log: Log,
        clock: Clock,
        engine: Engine,
        voices: Voices,
        bodies: Bodies,
        settings: WorkSettings,
        retention: RetentionSettings | None = None,
        speed: float = 1.0,
        worker_name: str,
        household: Household | None = None,
        lexicon: Lexicon = NO_LEXICON,
    ) -> House:
        """Recover from the log and begin to work; the engine may still be warming up. Raises `LogError`.

        Without `retention` nothing is ever removed but by a command; without a household there are no rooms.
        """
        shop = await _workshop(log, clock, engine, bodies, settings, worker_name, partial(gain_of, voices))
        limits = retention or RetentionSettings()
        keys, worker, listening = IdempotencyKeys(shop.log, clock, limits.dedupe_hours), Worker(shop), Listening(shop)
        intake = Intake(shop, worker, _recipes(shop, voices, lexicon, settings, speed), settings, keys)
        announced = open_rooms(
            household or Household(), shop, worker, intake.acceptance, listening, voices, settings, limits.dedupe_hours
        )
        house = cls(
            intake=intake,
            listening=listening,
            casts=Casts(shop),
            lexicon=lexicon,
            announcements=announced.announcements,
            rooms=announced.rooms,
            fetches=announced.fetches,
            retention=Retention(shop, limits, is_announced=announced.shelf.is_open, shortening=announced.shortening),
            metrics=shop.metrics,
            worker=worker,
            shop=shop,
        )
        return await house._start(keys, removes=retention is not None)

    async def _start(self, keys: IdempotencyKeys, *, removes: bool) -> House:
        """Begin to work: with what the log holds first."""
        tasks = self.shop.tasks
        tasks.start(self.shop.shelf.rebuild(self.shop.backlog.watermark.done_tail), name="shelf.rebuild")
        self.worker.start()
        tasks.start(self.shop.spoken.rebuild(), name="spoken.rebuild")
        tasks.start(keys.rebuild(), name="keys.rebuild")
        await self.rooms.start()
        if removes:
            tasks.start(self.retention.work(), name="retention", lasting=True)
        return self

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the core can't go on; carries why."""
        return self.worker.failed

    async def close(self, grace_seconds: float) -> None:
        """Leave the rooms, finish the sentences under way, give the casts back; log and engine are the caller's to close."""
        await self.rooms.close()
        await self.worker.stop(grace_seconds)


def _recipes(shop: Workshop, voices: Voices, lexicon: Lexicon, settings: WorkSettings, speed: float) -> Recipes:
    """Recipes for the model that will speak, as far as that is known."""
    model = KnownModel(shop.log, shop.engine, shop.tasks)
    shop.settling.watch(model.take_in)
    shop.tasks.start(model.rebuild(), name="model.rebuild")
    text = TextPipeline(lexicon.words, partial(voice_of, voices), partial(language_of, voices))
    return Recipes(voices, text, settings, model=model.fingerprint, speed=speed)


async def _workshop(
    journal: Log,
    clock: Clock,
    engine: Engine,
    bodies: Bodies,
    settings: WorkSettings,
    worker_name: str,
    gain_db: Callable[[str], float],
) -> Workshop:
    """What the parts of the house share, as the log leaves it."""
    metrics = Metrics()
    log = GuardedLog(journal, metrics)
    backlog, feeds, spoken = await recover(log), Feeds(), SpokenSentences(log)
    shop = Workshop(
        name=worker_name,
        log=log,
        clock=clock,
        engine=engine,
        bodies=bodies,
        voicing=Voicing(engine, bodies, spoken),
        spoken=spoken,
        library=Library(log),
        feeds=feeds,
        backlog=backlog,
        settling=Settling(log, clock, backlog, feeds),
        scheduler=Scheduler(max_open=settings.max_open_casts, ahead_seconds=settings.ahead_seconds, slots=engine.slots),
        shelf=Shelf(log, clock),
        metrics=metrics,
        gain_db=gain_db,
    )
    shop.settling.watch(shop.shelf.take_in)
    shop.settling.watch(shop.forget_expired)
    metrics.gauge(Gauge.realtime_factor, lambda: metrics.realtime_factor)
    metrics.gauge(Gauge.queue_length, lambda: len(backlog))
    metrics.gauge(Gauge.open_casts, lambda: shop.scheduler.open_count)
    metrics.gauge(Gauge.listeners, lambda: feeds.all_listeners)
    metrics.gauge(Gauge.shelved_casts, lambda: len(shop.shelf))
    metrics.gauge(Gauge.storage_short, lambda: log.is_short)
    return shop
