"""Old announcements and their events go, settings stay, and nothing goes that a room still has to play."""

from __future__ import annotations

from tests.room_house import all_over, announce, doomed_house_with_rooms, events, house_with_rooms, room
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastState
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, room_control_stream
from wyoming_kokoro.settings import RetentionSettings

DAY = 24 * 3600.0


def retention(house: House, **settings: int) -> Retention:
    """The house's own, with other limits."""
    house.retention._settings = RetentionSettings(**settings)
    return house.retention


@virtually
async def test_what_is_old_and_has_ended_goes_with_its_events() -> None:
    async with house_with_rooms(room("kitchen", "office")) as house:
        old = await announce(house, "Old.")
        await all_over(house)
        await pass_time(2 * DAY)
        new = await announce(house, "New.")
        await all_over(house)
        await pass_time(5)
        await retention(house, retention_days=1).run()
        assert {event.announcement_id for event in await events(house, "kitchen")} == {new}
        left = [view.announcement_id for view in (await house.announcements.newest())[0]]
        assert (old in left, new in left) == (False, True)
        again = await announce(house, "Again.")
        await all_over(house)
        assert (await house.announcements.get(again)).is_over


@virtually
async def test_nothing_goes_that_a_room_still_holds() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers) as house:
        await house.rooms.set("kitchen", dnd=True)
        held = await announce(house, "Held.", expires_in_seconds=7 * DAY)
        await pass_time(3 * DAY)
        await retention(house, retention_days=1).run()
        cast = (await house.announcements.get(held)).cast_id
        assert (await house.casts.get(cast)).state is CastState.DONE
        assert (await house.shop.log.read(ANNOUNCEMENTS, 0))[0].seq_num == 0
        await house.rooms.set("kitchen", dnd=False)
        await all_over(house)
    assert len(speakers["kitchen"][0].air.hearings) == 1


@virtually
async def test_of_a_rooms_control_only_the_settings_stay() -> None:
    clock, storage, speakers = VirtualClock(), MemoryStorage(), room("kitchen")
    async with doomed_house_with_rooms(storage, clock, speakers, engine=ToneEngine(clock)) as house:
        for number in range(120):
            await house.rooms.set("kitchen", volume=number / 200)
        await house.rooms.set("kitchen", dnd=True)
        await pass_time(5)
        await retention(house).run()
        assert len(await house.shop.log.read(room_control_stream("kitchen"), 0)) <= 4
        await house.rooms.set("kitchen", speed=1.1)
    async with house_with_rooms(speakers, log=MemoryLog(clock, storage=storage), clock=clock) as house:
        view = house.rooms.view("kitchen")
        assert (view.volume, view.dnd, view.speed) == (119 / 200, True, 1.1)
