"""All but the engine, which warms up meanwhile.

Start: data directory and journal, core, doors. Stop: the other way round, so that nobody new comes in while what is under way
ends, casts are given back, and the journal is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from wyoming_kokoro import __version__
from wyoming_kokoro.app.head_start import Warm
from wyoming_kokoro.app.in_app import inside_app, within_house
from wyoming_kokoro.audio.bodies import FlacBodies
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.keepsake import bring_back
from wyoming_kokoro.core.languages import languages_of
from wyoming_kokoro.core.lexicon import Lexicon
from wyoming_kokoro.core.lifetime import comes_first, first_end
from wyoming_kokoro.core.play_links import PlayLinks
from wyoming_kokoro.core.played_reports import PlayedReports
from wyoming_kokoro.core.rooms.household import Household
from wyoming_kokoro.core.whole_text import write_whole
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.frontends.http.secret_file import audio_links
from wyoming_kokoro.frontends.http.server import HttpServer
from wyoming_kokoro.frontends.http.waiting import WaitingDoor
from wyoming_kokoro.frontends.mqtt.feeds import Told
from wyoming_kokoro.frontends.mqtt.found_door import FoundDoor
from wyoming_kokoro.frontends.mqtt.server import MqttServer
from wyoming_kokoro.frontends.wyoming.discovery import announced_address
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.journal.directory_lock import DirectoryLock
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.worker_name import worker_name
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.ids import lasting_streams
from wyoming_kokoro.ports import Clock, Engine, Log, Voices
from wyoming_kokoro.settings import MqttSettings, RetentionSettings, Settings
from wyoming_kokoro.settings.supervised import Supervised
from wyoming_kokoro.speakers.build import SpeakerBuilder
from wyoming_kokoro.supervisor.api import SupervisorApi
from wyoming_kokoro.supervisor.broker import follow_broker

_LOGGER = logging.getLogger(__name__)

_DOOR_GRACE_SECONDS = 3.0
"""Answers under way may go on for so long; a supervisor gives a service ten seconds in all."""
_WORK_GRACE_SECONDS = 3.0
"""So long may the sentences under way take, and the giving back of the casts."""
_S2_PATIENCE_SECONDS = 3.0
"""An S2 that answers by then was never away."""
_AGAIN_SECONDS = 0.5
"""How long the house waits before it tries again to recover from a journal that is away."""


class _Bench(NamedTuple):
    """What a worker needs, with or without doors before it."""

    log: Log
    clock: Clock
    engine: Engine
    voices: Voices
    warming: asyncio.Task[None]


async def serve(chosen: Settings, warm: Warm, stopped: asyncio.Future[None], supervised: Supervised | None) -> None:
    """Serve until `stopped`. Raises what keeps the server from starting, or from going on."""
    settings = chosen if supervised is None else inside_app(chosen)
    api = None if supervised is None else SupervisorApi(supervised)
    async with contextlib.AsyncExitStack() as stack:
        bench = await _bench(stack, settings, warm, stopped, has_doors=True)
        if bench is None:
            return
        links = PlayLinks(audio_links(settings.data_dir))
        household = await stack.enter_async_context(_household(settings, links, bench.clock))
        house = await stack.enter_async_context(_house(settings, bench, household, settings.retention))
        ports, http = await stack.enter_async_context(_doors(settings, house, bench.voices))
        links.lead_to(settings.http.base_url or _own_url(settings.http.host, ports["http_port"]))
        if api is not None:
            await stack.enter_async_context(within_house(api, bench.clock, chosen, ports, http, links))
        stack.enter_context(_announced(settings.data_dir, ports))
        lost = await stack.enter_async_context(_mqtt(settings, house, bench, api))
        await _until_the_end(bench, {stopped, house.failed, *lost})


async def work(settings: Settings, warm: Warm, stopped: asyncio.Future[None]) -> None:
    """Make the casts that others are asked for until `stopped`. Raises as `serve`."""
    async with contextlib.AsyncExitStack() as stack:
        bench = await _bench(stack, settings, warm, stopped, has_doors=False)
        if bench is None:
            return
        house = await stack.enter_async_context(_house(settings, bench, Household(), None))
        _LOGGER.info("worker %s is at work on %s", house.shop.name, settings.journal.s2_basin)
        await _until_the_end(bench, {stopped, house.failed})


async def _bench(
    stack: contextlib.AsyncExitStack, settings: Settings, warm: Warm, stopped: asyncio.Future[None], *, has_doors: bool
) -> _Bench | None:
    """The journal beside the engine; None where the signal came before the journal was there."""
    opening = asyncio.ensure_future(stack.enter_async_context(_journal(settings, warm.clock, has_doors=has_doors)))
    if not await comes_first(opening, stopped):
        return None
    voices = KokoroVoices.of(settings.engine)
    return _Bench(opening.result(), warm.clock, warm.engine, voices, warm.warming)


async def _until_the_end(bench: _Bench, ends: set[asyncio.Future[None]]) -> None:
    speaker = "the engine has spoken" if bench.engine.slots else "workers on the journal speak"
    bench.warming.add_done_callback(lambda warming: _tell_ready(warming, speaker))
    await first_end(ends, bench.warming)
    _LOGGER.info("stopping")


@contextlib.asynccontextmanager
async def _journal(settings: Settings, clock: Clock, *, has_doors: bool) -> AsyncIterator[Log]:
    """The journal; no other server may use the data directory meanwhile."""
    async with contextlib.AsyncExitStack() as stack:
        if settings.journal.journal != "sqlite":  # which locks it itself
            stack.callback(DirectoryLock(settings.data_dir).release)
        log = await _open_journal(settings, clock, has_doors=has_doors)
        stack.push_async_callback(log.close)
        yield log


async def _open_journal(settings: Settings, clock: Clock, *, has_doors: bool) -> Log:
    match settings.journal.journal:
        case "memory":
            return MemoryLog(clock)
        case "s2":
            return await _open_s2(settings, clock, has_doors=has_doors)
        case _:
            return await open_sqlite(settings.data_dir, clock)


async def _open_s2(settings: Settings, clock: Clock, *, has_doors: bool) -> Log:
    """The journal on S2, however long it takes until that answers; meanwhile whoever asks over HTTP is told so."""
    from wyoming_kokoro.journal.s2 import open_s2, place_of  # heavy, and few need it

    place = place_of(settings.journal)
    opening = asyncio.create_task(
        open_s2(place, clock, streams=lasting_streams(room.name for room in settings.rooms), waits=True), name="s2.open"
    )
    try:
        await asyncio.wait({opening}, timeout=_S2_PATIENCE_SECONDS)
        if not opening.done() and has_doors:
            door = WaitingDoor(settings.http, f"the journal is away: S2 at {place} does not answer")
            await door.start()
            try:
                await asyncio.wait({opening})
            finally:
                await door.stop()
        await asyncio.wait({opening})
        return opening.result()
    finally:
        opening.cancel()


@contextlib.asynccontextmanager
async def _household(settings: Settings, links: PlayLinks, clock: Clock) -> AsyncIterator[Household]:
    """The rooms with their speakers; these are begun by the rooms, and let go of when nobody plays on them any more."""
    reports = PlayedReports()
    builder = SpeakerBuilder(settings.home_assistant, os.environ, clock, reports, settings.data_dir)
    speakers = {room.name: builder.build(room.speakers) for room in settings.rooms}
    try:
        yield Household(rooms=settings.rooms, speakers=speakers, links=links, played=reports.report)
    finally:
        await asyncio.gather(*(speaker.close() for those in speakers.values() for speaker in those))


@contextlib.asynccontextmanager
async def _house(
    settings: Settings, bench: _Bench, household: Household, retention: RetentionSettings | None
) -> AsyncIterator[House]:
    house = await _open_house(settings, bench, household, retention)
    try:
        yield house
    finally:
        await house.close(_WORK_GRACE_SECONDS)


async def _open_house(settings: Settings, bench: _Bench, household: Household, retention: RetentionSettings | None) -> House:
    """The house, once the journal lets it recover: one on S2 may go away again right after it was opened."""
    lexicon = Lexicon(settings.data_dir, languages_of(bench.voices))
    while True:
        try:
            await bring_back(settings.data_dir, bench.log, lexicon)
            return await House.open(
                log=bench.log,
                clock=bench.clock,
                engine=bench.engine,
                voices=bench.voices,
                bodies=FlacBodies(),
                settings=settings.work,
                retention=retention,
                speed=settings.engine.speed,
                worker_name=worker_name(settings.data_dir, bench.clock),
                household=household,
                lexicon=lexicon,
            )
        except LogUnavailableError:
            if bench.log.exclusive:
                raise
            await bench.clock.sleep(_AGAIN_SECONDS)


@contextlib.asynccontextmanager
async def _doors(settings: Settings, house: House, voices: Voices) -> AsyncIterator[tuple[dict[str, int], HttpServer]]:
    """The servers, opened one after the other and closed side by side; yields their ports, and the one for HTTP."""
    wyoming = WyomingServer(settings.wyoming, house.intake, house.listening, voices, instance=settings.instance)
    http = HttpServer(settings.http, house, data_dir=settings.data_dir)
    try:
        wyoming_port = await wyoming.start()
        yield {"wyoming_port": wyoming_port, "http_port": await http.start()}, http
    finally:
        await asyncio.gather(wyoming.stop(_DOOR_GRACE_SECONDS), http.stop(_DOOR_GRACE_SECONDS))


@contextlib.asynccontextmanager
async def _mqtt(
    settings: Settings, house: House, bench: _Bench, api: SupervisorApi | None
) -> AsyncIterator[tuple[asyncio.Future[None], ...]]:
    """The door to the broker of the settings, else of the Supervisor, where there is one; yields what is done when it can't
    go on."""
    told = Told(
        house=house,
        voices=bench.voices,
        model=bench.engine.fingerprint,
        speed=settings.engine.speed,
        has_discovery=settings.mqtt.discovery,
        is_private=settings.privacy,
    )

    def make(broker: MqttSettings) -> MqttServer:
        return MqttServer(broker, told, instance=settings.instance)

    if settings.mqtt.url is None and api is None:
        yield ()
        return
    mqtt: MqttServer | FoundDoor
    if settings.mqtt.url is None and api is not None:
        brokers = follow_broker(api, bench.clock, settings.mqtt)
        mqtt = FoundDoor(brokers, make, grace_seconds=_DOOR_GRACE_SECONDS)
    else:
        mqtt = make(settings.mqtt)
    try:
        await mqtt.start()
        yield (mqtt.failed,)
    finally:
        await mqtt.stop(_DOOR_GRACE_SECONDS)


@contextlib.contextmanager
def _announced(data_dir: Path, ports: Mapping[str, int]) -> Iterator[None]:
    """`server.json` in the data directory names the real ports while the server runs."""
    path = data_dir / "server.json"
    facts = {"version": __version__, "pid": os.getpid(), **ports}
    write_whole(path, json.dumps(facts) + "\n")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _own_url(host: str, port: int) -> str:
    """Where the house reaches the HTTP door, as far as this machine can see."""
    address = announced_address(host) or "127.0.0.1"
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def _tell_ready(warming: asyncio.Task[None], speaker: str) -> None:
    if not warming.cancelled() and warming.exception() is None:
        _LOGGER.info("ready: %s", speaker)
