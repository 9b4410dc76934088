"""A whole server in this process: memory log, tone engine, core, and the Wyoming door on a real socket."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from tests.house import open_house
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.settings import WyomingSettings


@dataclass(frozen=True)
class WyomingHouse:
    """What a test looks into."""

    port: int
    server: WyomingServer
    engine: ToneEngine
    log: MemoryLog
    house: House

    def spoken(self) -> list[str]:
        """What the engine was asked to say, in order."""
        return [utterance.spoken for utterance in self.engine.spoken]


@contextlib.asynccontextmanager
async def open_wyoming_house(work: dict[str, Any] | None = None, **settings: Any) -> AsyncIterator[WyomingHouse]:
    """Serving; `settings` are those of the door, `work` those of the core."""
    clock = SystemClock()
    engine, log = ToneEngine(clock), MemoryLog(clock)
    async with open_house(log, engine, **work or {}) as house:
        chosen = WyomingSettings(**{"uri": "tcp://127.0.0.1:0", "zeroconf": False, **settings})
        server = WyomingServer(chosen, house.intake, house.listening, KokoroVoices("af_heart"))
        port = await server.start()
        try:
            yield WyomingHouse(port, server, engine, log, house)
        finally:
            engine.release()
            await server.stop(0)
