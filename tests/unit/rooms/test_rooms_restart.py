"""A room after a kill: nothing accepted is lost, nothing that was heard is repeated, and each ends in one receipt."""

from __future__ import annotations

from typing import Any

from tests.pretend_speaker import PretendSpeaker
from tests.room_house import LONG, all_over, announce, doomed_house_with_rooms, events, house_with_rooms, kinds, room
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.announcement import AnnouncementRequest, PlayOutcome
from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, JOBS, room_place_stream, room_stream
from wyoming_kokoro.model.recipe import Profile
from wyoming_kokoro.model.records import Fence, Job
from wyoming_kokoro.model.room import Announcement, RoomEvent, RoomEventKind, RoomPlace


class Disk:
    """What outlives a house: its journal and its clock."""

    def __init__(self) -> None:
        self.clock, self.storage = VirtualClock(), MemoryStorage()

    def doomed(self, speakers: Any, **options: Any) -> Any:
        return doomed_house_with_rooms(self.storage, self.clock, speakers, **options)

    def house(self, speakers: Any, **options: Any) -> Any:
        return house_with_rooms(speakers, log=self.log, clock=self.clock, **options)

    @property
    def log(self) -> MemoryLog:
        return MemoryLog(self.clock, storage=self.storage)


@virtually
async def test_what_waited_is_heard_after_a_kill_in_the_same_order() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.doomed(speakers, engine=ToneEngine(disk.clock, realtime_factor=0.5)) as house:
        told = [await announce(house, text, "kitchen", priority=p) for text, p in (("One.", "low"), ("Two.", "high"))]
    async with disk.house(speakers) as house:
        await all_over(house)
        assert (await kinds(house, "kitchen")).count("queued") == 2
    assert speakers["kitchen"][0].air.names == [told[1], told[0]]


@virtually
async def test_a_speaker_that_plays_on_without_us_is_waited_for_and_not_asked_again() -> None:
    disk, speakers = Disk(), room("kitchen", outlives_us=True)
    async with disk.doomed(speakers) as house:
        heard = await announce(house, LONG, "kitchen")
        await pass_time(3)
    begun = disk.clock.monotonic()
    async with disk.house(speakers) as house:
        later = await announce(house, "Later.", "kitchen")
        await all_over(house)
        last = (await events(house, "kitchen", heard))[-1]
        assert (last.event, last.speakers[0].outcome) == (RoomEventKind.FINISHED, PlayOutcome.ASSUMED)
    first, second = speakers["kitchen"][0].air.hearings
    assert (first.name, second.name) == (heard, later)
    assert second.begun_at >= first.ended_at > begun


@virtually
async def test_a_speaker_that_stops_with_us_goes_on_at_the_sentence_that_was_due() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.doomed(speakers) as house:
        heard = await announce(house, LONG, "kitchen", profile=Profile.BALANCED)
        await pass_time(6)
        due = [event.index for event in await events(house, "kitchen") if event.event is RoomEventKind.SENTENCE][-1]
    async with disk.house(speakers) as house:
        await all_over(house)
        assert (await kinds(house, "kitchen", heard)) == ["queued", "started", "started", "finished"]
    first, second = speakers["kitchen"][0].air.hearings
    assert (first.first_index, second.first_index) == (0, due)
    assert due > 0


@virtually
async def test_of_two_speakers_only_the_one_that_stopped_goes_on() -> None:
    disk = Disk()
    lasting, ending = PretendSpeaker("lasting", outlives_us=True), PretendSpeaker("ending")
    async with disk.doomed({"kitchen": [lasting, ending]}) as house:
        heard = await announce(house, LONG, "kitchen", profile=Profile.BALANCED)
        await pass_time(6)
    async with disk.house({"kitchen": [lasting, ending]}) as house:
        await all_over(house)
        assert (await kinds(house, "kitchen", heard))[-1] == "finished"
    assert (len(lasting.air.hearings), len(ending.air.hearings)) == (1, 2)
    assert ending.air.hearings[1].first_index > 0


@virtually
async def test_what_has_ended_is_not_heard_again_even_if_the_rooms_place_is_lost() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.doomed(speakers) as house:
        heard = await announce(house, "Tea.", "kitchen")
        await all_over(house)
    await disk.log.append(room_place_stream("kitchen"), [RoomPlace(announcements=0, events=0, control=0)])
    async with disk.house(speakers) as house:
        await pass_time(10)
        assert await kinds(house, "kitchen", heard) == ["queued", "started", "finished"]
    assert len(speakers["kitchen"][0].air.hearings) == 1


@virtually
async def test_a_place_above_the_log_counts_as_its_beginning() -> None:
    disk, speakers = Disk(), room("kitchen")
    await disk.log.append(room_place_stream("kitchen"), [RoomPlace(announcements=99, events=99, control=99)])
    async with disk.house(speakers) as house:
        heard = await announce(house, "Tea.", "kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", heard))[-1] == "finished"


@virtually
async def test_after_a_kill_the_room_reads_on_from_its_place() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.doomed(speakers) as house:
        await announce(house, "Tea.", "kitchen")
        await all_over(house)
        await pass_time(5)
        place = (await house.shop.log.read_back(room_place_stream("kitchen"), limit=2))[1].record
        assert isinstance(place, RoomPlace)
        assert place.announcements == await house.shop.log.check_tail(ANNOUNCEMENTS)
        assert place.events == await house.shop.log.check_tail(room_stream("kitchen"))


@virtually
async def test_a_room_asks_once_for_a_cast_that_nobody_makes() -> None:
    disk, speakers = Disk(), room("kitchen", "office")
    async with disk.house({}) as house:
        recipe = house.intake.recipes.whole(CastRequest(text="Tea.", source="test"))
    record = Announcement(
        announcement_id="a", recipe=recipe, rooms=("kitchen", "office"), priority=Priority.NORMAL, source="test",
        expires_ms=disk.clock.now_ms() + 600_000, asked="",
    )  # fmt: skip
    await disk.log.append(ANNOUNCEMENTS, [record])
    async with disk.house(speakers) as house:
        await all_over(house)
        jobs = [each for each in await house.shop.log.read(JOBS, 0) if isinstance(each.record, Job)]
        assert 1 <= len(jobs) <= 2
        assert (await kinds(house, "office", "a"))[-1] == "finished"


@virtually
async def test_a_second_record_with_a_known_id_is_ignored() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.doomed(speakers) as house:
        await announce(house, "Tea.", "kitchen", id="tea")
        await all_over(house)
        first = (await house.shop.log.read(ANNOUNCEMENTS, 0))[0].record
    await disk.log.append(ANNOUNCEMENTS, [first])
    async with disk.house(speakers) as house:
        await pass_time(10)
        assert await kinds(house, "kitchen") == ["queued", "started", "finished"]


@virtually
async def test_a_room_that_another_server_has_taken_is_left_alone() -> None:
    disk, speakers = Disk(), room("kitchen")
    async with disk.house(speakers) as house:
        await pass_time(1)
        await disk.log.append(room_stream("kitchen"), [Fence("somebody else")])
        await announce(house, "Tea.", "kitchen")
        await pass_time(10)
        assert house.rooms.view("kitchen").state == "away"
        assert await kinds(house, "kitchen") == []
    assert not speakers["kitchen"][0].air.hearings


@virtually
async def test_a_redelivered_message_is_the_first_one_also_after_a_kill_but_not_for_ever() -> None:
    disk, speakers = Disk(), room("kitchen")
    message = AnnouncementRequest(text="Tea.", source="mqtt", announcement_id="one", digest="d1")
    again = AnnouncementRequest(text="Tea.", source="mqtt", announcement_id="two", digest="d1", is_redelivered=True)
    async with disk.doomed(speakers) as house:
        assert (await house.announcements.accept(message)).is_new
    async with disk.house(speakers) as house:
        known = await house.announcements.accept(again)
        assert (known.announcement_id, known.is_new) == ("one", False)
        await pass_time(11 * 60)
        assert (await house.announcements.accept(again)).announcement_id == "two"
        await all_over(house)


@virtually
async def test_events_of_the_room_say_everything_once() -> None:
    disk, speakers = Disk(), room("kitchen")
    for _ in range(3):
        async with disk.doomed(speakers) as house:
            await announce(house, LONG, "kitchen")
            await pass_time(4)
    async with disk.house(speakers) as house:
        await all_over(house)
        found = [each.record for each in await house.shop.log.read(room_stream("kitchen"), 0)]
        finals = [event.order for event in found if isinstance(event, RoomEvent) and event.event.is_final]
        assert sorted(finals) == sorted(set(finals))
        assert len(finals) == 3
