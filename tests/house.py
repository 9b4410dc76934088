"""A whole core on a memory log and the tone engine, for tests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.virtual_time import Process
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.lexicon import NO_LEXICON, Lexicon
from wyoming_kokoro.core.rooms.household import Household
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.ports import Clock, Engine, Log, Voices
from wyoming_kokoro.settings import WorkSettings


@contextlib.asynccontextmanager
async def open_house(
    log: Log | None = None,
    engine: Engine | None = None,
    *,
    clock: Clock | None = None,
    worker_name: str = "w1",
    grace_seconds: float = 5,
    household: Household | None = None,
    lexicon: Lexicon = NO_LEXICON,
    voices: Voices | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """A running house; what is not given is made."""
    house = await _open(
        log, engine, SystemClock() if clock is None else clock, worker_name, settings, household, lexicon, voices
    )
    try:
        yield house
    finally:
        await house.close(grace_seconds)


@contextlib.asynccontextmanager
async def doomed_house(
    storage: MemoryStorage,
    clock: Clock,
    engine: Engine | None = None,
    *,
    worker_name: str = "w1",
    exclusive: bool = True,
    **settings: Any,
) -> AsyncIterator[House]:
    """A house in virtual time that is killed at the end, with all that was started meanwhile; the storage stays."""
    log = FaultyLog(MemoryLog(clock, storage=storage, exclusive=exclusive), Random(0), clock)
    process = Process("doomed")
    with process.inside():
        yield await _open(log, engine, clock, worker_name, settings)
    log.away = True
    await process.kill()


async def _open(
    log: Log | None,
    engine: Engine | None,
    clock: Clock,
    worker_name: str,
    settings: dict[str, Any],
    household: Household | None = None,
    lexicon: Lexicon = NO_LEXICON,
    voices: Voices | None = None,
) -> House:
    return await House.open(
        log=log if log is not None else MemoryLog(clock),
        clock=clock,
        engine=engine if engine is not None else ToneEngine(clock),
        voices=KokoroVoices("af_heart") if voices is None else voices,
        bodies=PcmBodies(),
        settings=WorkSettings(**settings),
        worker_name=worker_name,
        household=household,
        lexicon=lexicon,
    )


async def settled(house: House) -> House:
    """The house, once it has nothing left to do; for virtual time."""
    shop = house.shop
    while len(shop.backlog) or len(shop.scheduler):
        await shop.clock.sleep(0.01)
    return house


async def hear(house: House, cast_id: CastId) -> list[Piece]:
    """The whole cast, once it is there."""
    async with contextlib.aclosing(house.listening.listen(cast_id)) as pieces:
        return [piece async for piece in pieces]


async def say(house: House, text: str, **request: Any) -> tuple[CastId, list[Piece]]:
    """Ask for a whole text as a door does, and hear it."""
    async with asking(house, text, **request) as cast_id:
        return cast_id, await hear(house, cast_id)


@contextlib.asynccontextmanager
async def asking(house: House, text: str, **request: Any) -> AsyncIterator[CastId]:
    """Ask for a whole text as a door does; the asker is there as long as the context is."""
    incoming = house.intake.open(CastRequest(**{"source": "test", **request}))
    incoming.feed(text)
    incoming.end()
    try:
        cast_id = await incoming.cast_id()
        assert cast_id is not None
        yield cast_id
    finally:
        await incoming.abandon()


@dataclass(slots=True)
class Client:
    """Somebody who asks for a text and hears it in the background."""

    asked_at: float
    pieces: list[Piece] = field(default_factory=list)
    heard_at: list[float] = field(default_factory=list)
    """When each sentence came, in seconds of the loop."""
    cast_id: CastId | None = None
    error: VoiceOfAHouseError | None = None
    task: asyncio.Task[None] | None = None

    @property
    def waited_seconds(self) -> float:
        """From asking to the first sound."""
        return self.heard_at[0] - self.asked_at

    @property
    def is_done(self) -> bool:
        """Whether it has heard all, or can't."""
        return self.task is not None and self.task.done()

    async def done(self) -> Client:
        """Return when it has heard all; raises what went wrong."""
        assert self.task is not None
        await self.task
        if self.error is not None:
            raise self.error
        return self

    async def leave(self) -> None:
        """Go away at once."""
        assert self.task is not None
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def ask(house: House, text: str, **request: Any) -> Client:
    """Ask for a whole text and hear it in the background."""
    loop = asyncio.get_running_loop()
    client = Client(loop.time())

    async def listen() -> None:
        try:
            async with asking(house, text, **request) as cast_id:
                client.cast_id = cast_id
                async with contextlib.aclosing(house.listening.listen(cast_id)) as pieces:
                    async for piece in pieces:
                        client.pieces.append(piece)
                        client.heard_at.append(loop.time())
        except VoiceOfAHouseError as error:
            client.error = error

    client.task = loop.create_task(listen())
    return client
