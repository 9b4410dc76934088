"""A house with rooms on a memory log, the tone engine and pretended speakers, in virtual time."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from random import Random
from typing import Any

from tests.pretend_speaker import PretendSpeaker
from tests.virtual_time import Process, VirtualClock, pass_time
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.play_links import PlayLinks
from wyoming_kokoro.core.rooms.household import Household
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import room_stream
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind
from wyoming_kokoro.ports import Clock, Engine, Log, Speaker
from wyoming_kokoro.settings import RoomSettings, WorkSettings

LONG = "This is the first sentence of a long report. Here comes the second one of it. The third one follows. A fourth ends it."


@contextlib.asynccontextmanager
async def house_with_rooms(
    speakers: Mapping[str, Sequence[Speaker]],
    *,
    log: Log | None = None,
    engine: Engine | None = None,
    clock: Clock | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    played: Callable[[str], object] | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    """A running house with a room for each key; what is not given is made."""
    clock = VirtualClock() if clock is None else clock
    household = household_of(speakers, options)
    if played is not None:
        household = dataclasses.replace(household, played=played)
    house = await _open(household, MemoryLog(clock) if log is None else log, engine, clock, settings)
    try:
        yield house
    finally:
        await house.close(5)


@contextlib.asynccontextmanager
async def doomed_house_with_rooms(
    storage: MemoryStorage,
    clock: Clock,
    speakers: Mapping[str, Sequence[Speaker]],
    *,
    engine: Engine | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> AsyncIterator[House]:
    """One that is killed at the end; the storage stays, and so does what the speakers do without it."""
    log, process = FaultyLog(MemoryLog(clock, storage=storage), Random(0), clock), Process("doomed")
    with process.inside():
        yield await _open(household_of(speakers, options), log, engine, clock, {})
    log.away = True
    await process.kill()


async def _open(household: Household, log: Log, engine: Engine | None, clock: Clock, settings: dict[str, Any]) -> House:
    return await House.open(
        log=log,
        clock=clock,
        engine=ToneEngine(clock) if engine is None else engine,
        voices=KokoroVoices("af_heart"),
        bodies=PcmBodies(),
        settings=WorkSettings(**settings),
        worker_name="w1",
        household=household,
    )


def household_of(
    speakers: Mapping[str, Sequence[Speaker]], options: Mapping[str, Mapping[str, Any]] | None = None
) -> Household:
    """A room for each key, with the options of that name."""
    return Household(
        rooms=[RoomSettings(name=name, **(options or {}).get(name, {})) for name in speakers],
        speakers=speakers,
        links=PlayLinks(AudioLinks("secret"), "http://house:10210"),
    )


async def announce(house: House, text: str, *rooms: str, **request: Any) -> str:
    """Announce it and return its id; `id` and `priority` (by its label) as a user would write them."""
    priority = Priority.from_label(request.pop("priority", "normal"))
    announcement_id = request.pop("id", None)
    accepted = await house.announcements.accept(
        AnnouncementRequest(
            text=text, source="test", rooms=rooms, announcement_id=announcement_id, priority=priority, **request
        )
    )
    return accepted.announcement_id


async def events(house: House, room: str, announcement_id: str | None = None) -> list[RoomEvent]:
    """What stands in the room's stream, of one announcement or of all."""
    records = [each.record for each in await house.shop.log.read(room_stream(room), 0)]
    return [record for record in records if isinstance(record, RoomEvent) and announcement_id in (None, record.announcement_id)]


async def kinds(house: House, room: str, announcement_id: str | None = None) -> list[str]:
    """Their kinds, without the sentences."""
    found = await events(house, room, announcement_id)
    return [event.event.value for event in found if event.event is not RoomEventKind.SENTENCE]


async def all_over(house: House, within_seconds: float = 3600.0) -> House:
    """Return once every announcement has ended everywhere."""
    waited, step = 0.0, 0.05
    while not all(view.is_over for view in (await house.announcements.newest(limit=1000))[0]):
        assert waited < within_seconds, "the rooms never come to rest"
        await pass_time(step)
        waited, step = waited + step, min(1.2 * step, 1.0)
    return house


def room(*names: str, **speaker: Any) -> dict[str, list[PretendSpeaker]]:
    """Rooms of those names, each with one speaker."""
    return {name: [PretendSpeaker(f"speaker.{name}", **speaker)] for name in names}
