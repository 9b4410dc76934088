"""Composition root: the only module that names concrete classes; start and stop order.

Start: data directory and journal, engine (it warms up meanwhile), core, doors. Stop: the other way round, so that nobody new
comes in while what is under way ends, casts are given back, and the journal is closed last.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

from wyoming_kokoro import __version__
from wyoming_kokoro.audio.bodies import FlacBodies
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.play_links import PlayLinks
from wyoming_kokoro.core.played_reports import PlayedReports
from wyoming_kokoro.core.rooms.household import Household
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.frontends.http.secret_file import audio_links
from wyoming_kokoro.frontends.http.server import HttpServer
from wyoming_kokoro.frontends.http.waiting import WaitingDoor
from wyoming_kokoro.frontends.mqtt.feeds import Told
from wyoming_kokoro.frontends.mqtt.server import MqttServer
from wyoming_kokoro.frontends.wyoming.discovery import announced_address
from wyoming_kokoro.frontends.wyoming.server import WyomingServer
from wyoming_kokoro.journal.directory_lock import DirectoryLock
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.ids import lasting_streams
from wyoming_kokoro.ports import Clock, Engine, Log, Voices
from wyoming_kokoro.settings import Settings
from wyoming_kokoro.speakers.build import SpeakerBuilder

_LOGGER = logging.getLogger(__name__)

_DOOR_GRACE_SECONDS = 3.0
"""Answers under way may go on for so long; a supervisor gives a service ten seconds in all."""
_WORK_GRACE_SECONDS = 3.0
"""So long may the sentences under way take, and the giving back of the casts."""
_S2_PATIENCE_SECONDS = 3.0
"""An S2 that answers by then was never away."""
_AGAIN_SECONDS = 0.5
"""How long the house waits before it tries again to recover from a journal that is away."""


async def serve(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT. Raises what keeps the server from starting, or from going on."""
    stopped = _stopped_by_signal()
    async with contextlib.AsyncExitStack() as stack:
        clock = SystemClock()
        opening = asyncio.ensure_future(stack.enter_async_context(_journal(settings, clock)))
        if not await _comes_first(opening, stopped):
            return
        log = opening.result()
        voices = KokoroVoices(settings.engine.voice)
        engine = await stack.enter_async_context(_engine(settings, clock))
        warming = asyncio.create_task(engine.start(), name="engine.start")
        stack.callback(warming.cancel)
        # Where a door can't open, nobody asks any more what became of it.
        warming.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        links = PlayLinks(audio_links(settings.data_dir))
        household = await stack.enter_async_context(_household(settings, links, clock))
        house = await stack.enter_async_context(_house(settings, log, clock, engine, voices, household))
        ports = await stack.enter_async_context(_doors(settings, house, voices))
        links.lead_to(settings.http.base_url or _own_url(settings.http.host, ports["http_port"]))
        stack.enter_context(_announced(settings.data_dir, ports))
        warming.add_done_callback(_tell_ready)
        lost = await stack.enter_async_context(_mqtt(settings, house, voices, engine))
        await _first_end({stopped, house.failed, *lost}, warming)
        _LOGGER.info("stopping")


async def _comes_first(work: asyncio.Future[Log], stopped: asyncio.Future[None]) -> bool:
    """Whether it ends before the signal comes; where it does not, it is given up."""
    both: list[asyncio.Future[Any]] = [work, stopped]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    if work.done():
        return True
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    return False


async def _first_end(ends: set[asyncio.Future[None]], warming: asyncio.Task[None]) -> None:
    """Wait for the signal or the first failure, which is raised; that the engine is warm is no reason to stop."""
    while True:
        waited = ends | ({warming} if not warming.done() else set())
        done, _ = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        for future in done:
            future.result()
        if done & ends:
            return


@contextlib.asynccontextmanager
async def _journal(settings: Settings, clock: Clock) -> AsyncIterator[Log]:
    """The journal; no other server may use the data directory meanwhile."""
    async with contextlib.AsyncExitStack() as stack:
        if settings.journal.journal != "sqlite":  # which locks it itself
            stack.callback(DirectoryLock(settings.data_dir).release)
        log = await _open_journal(settings, clock)
        stack.push_async_callback(log.close)
        yield log


async def _open_journal(settings: Settings, clock: Clock) -> Log:
    match settings.journal.journal:
        case "memory":
            return MemoryLog(clock)
        case "s2":
            return await _open_s2(settings, clock)
        case _:
            return await open_sqlite(settings.data_dir, clock)


async def _open_s2(settings: Settings, clock: Clock) -> Log:
    """The journal on S2, however long it takes until that answers; meanwhile whoever asks over HTTP is told so."""
    from wyoming_kokoro.journal.s2 import open_s2, place_of  # heavy, and few need it

    place = place_of(settings.journal)
    opening = asyncio.create_task(
        open_s2(place, clock, streams=lasting_streams(room.name for room in settings.rooms), waits=True), name="s2.open"
    )
    try:
        await asyncio.wait({opening}, timeout=_S2_PATIENCE_SECONDS)
        if not opening.done():
            door = WaitingDoor(settings.http, f"the journal is away: S2 at {place} does not answer")
            await door.start()
            try:
                await asyncio.wait({opening})
            finally:
                await door.stop()
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
async def _engine(settings: Settings, clock: Clock) -> AsyncIterator[Engine]:
    engine = build_engine(settings.engine, clock)
    try:
        yield engine
    finally:
        await engine.stop()


@contextlib.asynccontextmanager
async def _house(
    settings: Settings, log: Log, clock: Clock, engine: Engine, voices: Voices, household: Household
) -> AsyncIterator[House]:
    house = await _open_house(settings, log, clock, engine, voices, household)
    try:
        yield house
    finally:
        await house.close(_WORK_GRACE_SECONDS)


async def _open_house(
    settings: Settings, log: Log, clock: Clock, engine: Engine, voices: Voices, household: Household
) -> House:
    """The house, once the journal lets it recover: one on S2 may go away again right after it was opened."""
    while True:
        try:
            return await House.open(
                log=log,
                clock=clock,
                engine=engine,
                voices=voices,
                bodies=FlacBodies(),
                settings=settings.work,
                retention=settings.retention,
                speed=settings.engine.speed,
                worker_name=_worker_name(settings.data_dir, clock),
                household=household,
            )
        except LogUnavailableError:
            if log.exclusive:
                raise
            await clock.sleep(_AGAIN_SECONDS)


@contextlib.asynccontextmanager
async def _doors(settings: Settings, house: House, voices: Voices) -> AsyncIterator[dict[str, int]]:
    """The servers, opened one after the other and closed side by side; yields their ports."""
    wyoming = WyomingServer(settings.wyoming, house.intake, house.listening, voices, instance=settings.instance)
    http = HttpServer(settings.http, house, data_dir=settings.data_dir)
    try:
        wyoming_port = await wyoming.start()
        yield {"wyoming_port": wyoming_port, "http_port": await http.start()}
    finally:
        await asyncio.gather(wyoming.stop(_DOOR_GRACE_SECONDS), http.stop(_DOOR_GRACE_SECONDS))


@contextlib.asynccontextmanager
async def _mqtt(
    settings: Settings, house: House, voices: Voices, engine: Engine
) -> AsyncIterator[tuple[asyncio.Future[None], ...]]:
    """The door to the broker, where there is one; yields what is done when it can't go on."""
    if settings.mqtt.url is None:
        yield ()
        return
    told = Told(
        house=house,
        voices=voices,
        model=engine.fingerprint,
        speed=settings.engine.speed,
        has_discovery=settings.mqtt.discovery,
        is_private=settings.privacy,
    )
    mqtt = MqttServer(settings.mqtt, told, instance=settings.instance)
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
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(facts) + "\n", encoding="ascii")
    fresh.replace(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _worker_name(data_dir: Path, clock: Clock) -> str:
    """The name of this data directory's worker: made once, so that a restarted server knows its own attempts."""
    path = data_dir / "worker"
    with contextlib.suppress(FileNotFoundError):
        if name := path.read_text(encoding="ascii").strip():
            return name
    name = clock.entropy(4).hex()
    path.write_text(name + "\n", encoding="ascii")
    return name


def _own_url(host: str, port: int) -> str:
    """Where the house reaches the HTTP door, as far as this machine can see."""
    address = announced_address(host) or "127.0.0.1"
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def _stopped_by_signal() -> asyncio.Future[None]:
    """Done at the first SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[None] = loop.create_future()

    def stop() -> None:
        if not stopped.done():
            stopped.set_result(None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    return stopped


def _tell_ready(warming: asyncio.Task[None]) -> None:
    if not warming.cancelled() and warming.exception() is None:
        _LOGGER.info("ready: the engine has spoken")
