"""A whole core on a memory log and the tone engine, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.ports import Engine, Log
from wyoming_kokoro.settings import WorkSettings


@contextlib.asynccontextmanager
async def open_house(
    log: Log | None = None, engine: Engine | None = None, *, worker_name: str = "w1", **settings: Any
) -> AsyncIterator[House]:
    """A running house; what is not given is made."""
    clock = SystemClock()
    house = await House.open(
        log=log if log is not None else MemoryLog(clock),
        clock=clock,
        engine=engine if engine is not None else ToneEngine(clock),
        voices=KokoroVoices("af_heart"),
        bodies=PcmBodies(),
        settings=WorkSettings(**settings),
        worker_name=worker_name,
    )
    try:
        yield house
    finally:
        await house.close(grace_seconds=5)


async def hear(house: House, cast_id: CastId) -> list[Piece]:
    """The whole cast, once it is there."""
    return [piece async for piece in house.listening.listen(cast_id)]


async def say(house: House, text: str, **request: Any) -> tuple[CastId, list[Piece]]:
    """Ask for a whole text as a door does, and hear it."""
    incoming = house.intake.open(CastRequest(source="test", **request))
    incoming.feed(text)
    incoming.end()
    try:
        cast_id = await incoming.cast_id()
        assert cast_id is not None
        return cast_id, await hear(house, cast_id)
    finally:
        await incoming.abandon()
