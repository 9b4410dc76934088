"""The engine before everything else. Imports nothing heavy."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.engine.build import build_engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wyoming_kokoro.ports import Clock, Engine
    from wyoming_kokoro.settings import EngineSettings


class Warm(NamedTuple):
    """An engine that is coming up."""

    clock: Clock
    engine: Engine
    warming: asyncio.Task[None]
    """Done when it has spoken; carries the reason where it can't."""


@contextlib.asynccontextmanager
async def head_start(settings: EngineSettings, clock: Clock) -> AsyncIterator[Warm]:
    """The engine, whose start has begun; it is stopped in the end. Raises as `build_engine`."""
    engine = build_engine(settings, clock)
    warming = asyncio.create_task(engine.start(), name="engine.start")
    # Where a door can't open, nobody asks any more what became of it.
    warming.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
    try:
        yield Warm(clock, engine, warming)
    finally:
        warming.cancel()
        await engine.stop()
