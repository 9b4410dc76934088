"""The core as one thing: put together from its ports, started and stopped in order."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from wyoming_kokoro.core.casts import Casts
from wyoming_kokoro.core.feeds import Feeds
from wyoming_kokoro.core.intake import Intake
from wyoming_kokoro.core.library import Library
from wyoming_kokoro.core.listening import Listening
from wyoming_kokoro.core.recipes import Recipes
from wyoming_kokoro.core.reuse import SpokenSentences
from wyoming_kokoro.core.scheduler import Scheduler
from wyoming_kokoro.core.settling import Settling, recover
from wyoming_kokoro.core.shelf import Shelf
from wyoming_kokoro.core.voicing import Voicing
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.ports import Bodies, Clock, Engine, Log, Voices
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import TextPipeline


@dataclass(frozen=True, slots=True)
class House:
    """What the doors need: a place to ask, and a place to listen."""

    intake: Intake
    listening: Listening
    casts: Casts
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
        speed: float = 1.0,
        worker_name: str,
    ) -> House:
        """Recover from the log and begin to work; the engine may still be warming up. Raises `LogError`."""
        backlog, feeds = await recover(log), Feeds()
        spoken, shelf = SpokenSentences(log), Shelf(log, clock)
        settling, shelved = Settling(log, clock, backlog, feeds), backlog.watermark.done_tail
        settling.watch(shelf.take_in)
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
            settling=settling,
            shelf=shelf,
            scheduler=Scheduler(max_open=settings.max_open_casts, ahead_seconds=settings.ahead_seconds, slots=engine.slots),
        )
        worker = Worker(shop)
        recipes = Recipes(voices, TextPipeline(), settings, model=engine.fingerprint, speed=speed)
        house = cls(
            intake=Intake(shop, worker, recipes, settings),
            listening=Listening(shop),
            casts=Casts(shop),
            worker=worker,
            shop=shop,
        )
        worker.start()
        shop.tasks.start(spoken.rebuild(), name="spoken.rebuild")
        shop.tasks.start(shelf.rebuild(shelved), name="shelf.rebuild")
        return house

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the core can't go on; carries why."""
        return self.worker.failed

    async def close(self, grace_seconds: float) -> None:
        """Finish the sentences under way, give the casts back; the log and the engine are the caller's to close."""
        await self.worker.stop(grace_seconds)
