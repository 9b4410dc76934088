"""A whole server in this process: memory log, tone engine, core, and the HTTP door on a real socket, with a client for it."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from tests.house import open_house
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.core.rooms.household import Household
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.frontends.http.limits import Limits
from wyoming_kokoro.frontends.http.server import HttpServer
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.audio import Speech
from wyoming_kokoro.model.errors import SynthesisError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.ports import Log
from wyoming_kokoro.settings import HttpSettings

PATIENCE_SECONDS = 20.0
TOKEN = "a-token-for-tests-only"


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    seq_num: int
    name: str
    data: str


@dataclass(frozen=True)
class HttpHouse:
    """What a test asks, and what it looks into."""

    port: int
    server: HttpServer
    engine: ToneEngine
    log: Log
    house: House
    data_dir: Path
    client: aiohttp.ClientSession
    headers: dict[str, str] = field(default_factory=lambda: {"Authorization": f"Bearer {TOKEN}"})

    def url(self, path: str) -> str:
        """A path of this server."""
        return path if path.startswith("http") else f"http://127.0.0.1:{self.port}{path}"

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """A request with the token; a context manager."""
        headers = {**self.headers, **options.pop("headers", {})}
        return self.client.request(method, self.url(path), headers=headers, **options)

    async def answer(self, method: str, path: str, **options: Any) -> tuple[int, dict[str, Any]]:
        """Status and JSON of a request with the token."""
        async with asyncio.timeout(PATIENCE_SECONDS), self.ask(method, path, **options) as response:
            return response.status, await response.json()

    async def submit(self, text: str, **fields: Any) -> dict[str, Any]:
        """What is answered to a text that is accepted."""
        status, document = await self.answer("POST", "/api/casts", json={"text": text, **fields})
        assert status in (200, 201), document
        return document

    async def fetch(self, path: str, **options: Any) -> tuple[aiohttp.ClientResponse, bytes]:
        """An answer and its body, without the token."""
        async with asyncio.timeout(PATIENCE_SECONDS), self.client.get(self.url(path), **options) as response:
            return response, await response.read()

    async def finished(self, text: str, **fields: Any) -> dict[str, Any]:
        """A cast that is whole."""
        document = await self.submit(text, **fields)
        async for _ in self.events(document["events"]):
            pass
        return (await self.answer("GET", f"/api/casts/{document['id']}"))[1]

    async def listened_to(self, cast_id: str, listeners: int = 1) -> None:
        """Return once somebody listens to the cast."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.house.shop.feeds.listeners(CastId(cast_id)) < listeners:  # noqa: ASYNC110 - the feeds have no event for it
                await asyncio.sleep(0)

    async def events(self, path: str, **headers: str) -> AsyncIterator[Event]:
        """The events of a stream to its end."""
        async with asyncio.timeout(PATIENCE_SECONDS), self.ask("GET", path, headers=headers) as response:
            assert response.status == 200, await response.text()
            async for event in read_events(response):
                yield event

    def spoken(self) -> list[str]:
        """What the engine was asked to say, in order."""
        return [utterance.spoken for utterance in self.engine.spoken]


class ShyEngine(ToneEngine):
    """Can't say one word until it dares to."""

    word = "unspeakable"

    def dare(self) -> None:
        """Say everything from now on."""
        self.word = ""

    async def synthesize(self, utterance: Utterance) -> Speech:
        """See `ToneEngine`. Raises `SynthesisError` at the word."""
        if self.word and self.word in utterance.spoken:
            raise SynthesisError("it can't be said")
        return await super().synthesize(utterance)


async def read_events(response: aiohttp.ClientResponse) -> AsyncIterator[Event]:
    """The events of an answer to its end; comments are passed over."""
    fields: dict[str, str] = {}
    async for line in response.content:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            fields[name] = value
        elif "event" in fields:
            yield Event(int(fields["id"]), fields["event"], fields["data"])
            fields = {}


@contextlib.asynccontextmanager
async def open_http_house(
    work: dict[str, Any] | None = None,
    *,
    log: Log | None = None,
    engine: ToneEngine | None = None,
    limits: Limits | None = None,
    household: Household | None = None,
    **settings: Any,
) -> AsyncIterator[HttpHouse]:
    """Serving; `settings` are those of the door, `work` those of the core."""
    clock = SystemClock()
    engine, log = engine or ToneEngine(clock), log or MemoryLog(clock)
    with tempfile.TemporaryDirectory() as folder:
        lexicon = Lexicon(Path(folder))
        async with (
            open_house(log, engine, household=household, lexicon=lexicon, **work or {}) as house,
            aiohttp.ClientSession() as client,
        ):
            chosen = HttpSettings(**{"host": "127.0.0.1", "port": 0, "api_token": TOKEN, **settings})
            server = HttpServer(chosen, house, data_dir=Path(folder), limits=limits)
            port = await server.start()
            try:
                yield HttpHouse(port, server, engine, log, house, Path(folder), client)
            finally:
                engine.release()
                await server.stop(0)
