"""What people reported of other servers' queues, by the number of the report."""

from __future__ import annotations

import asyncio
import itertools

from tests.http_house import ShyEngine
from tests.pretend_speaker import PretendSpeaker
from tests.room_house import LONG, all_over, announce, events, house_with_rooms, kinds, room
from tests.unit.core.journal_reading import rot
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.announcement import PlayOutcome


def in_order(speaker: PretendSpeaker) -> bool:
    """Whether nothing was heard over something else."""
    pairs = itertools.pairwise(speaker.air.hearings)
    return all(one.ended_at is not None and one.ended_at <= other.begun_at for one, other in pairs)


@virtually
async def test_p014_two_a_moment_apart_are_both_spoken_in_order() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first = await announce(house, "The first one.", "kitchen")
        await pass_time(0.1)
        second = await announce(house, "The second one.", "kitchen")
        await all_over(house)
    assert speakers["kitchen"][0].air.names == [first, second]
    assert in_order(speakers["kitchen"][0])


@virtually
async def test_p019_three_at_once_are_three_in_order_without_overlap() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        told = await asyncio.gather(*(announce(house, f"Number {number}.", "kitchen") for number in range(3)))
        await all_over(house)
    assert sorted(speakers["kitchen"][0].air.names) == sorted(told)
    assert in_order(speakers["kitchen"][0])


@virtually
async def test_p034_every_one_of_a_hundred_plays_the_sound_of_its_own_text() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers, max_queue_per_room=100) as house:
        texts = {await announce(house, f"Text number {number}.", "kitchen"): number for number in range(100)}
        await all_over(house)
        for hearing in speakers["kitchen"][0].air.hearings:
            assert (await house.casts.get(hearing.play.cast_id)).text == f"Text number {texts[hearing.name]}."
    assert len(speakers["kitchen"][0].air.hearings) == 100


@virtually
async def test_p040_the_second_message_is_not_the_first_again() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await announce(house, "One.", "kitchen")
        await announce(house, "Two.", "kitchen")
        await all_over(house)
    one, two = speakers["kitchen"][0].air.hearings
    assert one.play.cast_id != two.play.cast_id
    assert one.play.urls["mp3"].partition("?")[0] != two.play.urls["mp3"].partition("?")[0]


@virtually
async def test_p050_a_damaged_record_is_found_and_made_again_and_blocks_nothing() -> None:
    clock, storage, speakers = VirtualClock(), MemoryStorage(), room("kitchen")
    async with house_with_rooms(speakers, log=MemoryLog(clock, storage=storage), clock=clock) as house:
        tea = await announce(house, "Tea is ready.", "kitchen")
        await all_over(house)
        rot(storage, (await house.announcements.get(tea)).cast_id, 0)
        again = await announce(house, "Tea is ready.", "kitchen")
        later = await announce(house, "Next.", "kitchen")
        await all_over(house)
        assert [(await kinds(house, "kitchen", each))[-1] for each in (again, later)] == ["finished", "finished"]
        assert [utterance.spoken for utterance in house.shop.engine.spoken].count("Tea is ready.") == 2
    assert speakers["kitchen"][0].air.names == [tea, again, later]


@virtually
async def test_p055_a_cast_that_broke_off_is_kept_nowhere_and_made_anew() -> None:
    speakers, engine = room("kitchen"), ShyEngine(VirtualClock())
    async with house_with_rooms(speakers, engine=engine) as house:
        text = "This is fine. This is unspeakable."
        broken = await announce(house, text, "kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", broken))[-1] == "failed"
        engine.dare()
        whole = await announce(house, text, "kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", whole))[-1] == "finished"


@virtually
async def test_p071_cancelling_all_silences_the_room_at_once_and_empties_the_queue() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, text, "kitchen") for text in (LONG, "Two.", "Three.")]
        await pass_time(2)
        asked_at = asyncio.get_running_loop().time()
        await house.rooms.stop("kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", told[1]))[-1] == (await kinds(house, "kitchen", told[2]))[-1] == "cancelled"
        assert house.rooms.view("kitchen").queue == ()
    ended_at = speakers["kitchen"][0].air.hearings[0].ended_at
    assert ended_at is not None
    assert ended_at - asked_at < 0.3


@virtually
async def test_p076_one_message_for_two_rooms_is_one_synthesis_and_two_deliveries() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers) as house:
        await announce(house, "Dinner.", "kitchen", "office")
        await all_over(house)
        assert len(house.shop.engine.spoken) == 1
    assert len({speakers[name][0].air.hearings[0].play.cast_id for name in speakers}) == 1


@virtually
async def test_p091_texts_that_differ_in_a_figure_are_both_spoken() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, f"Freezer is {degrees}", "kitchen") for degrees in (-15, -2)]
        await all_over(house)
    assert speakers["kitchen"][0].air.names == told


@virtually
async def test_p097_of_one_event_the_newer_text_is_heard_never_the_older_alone() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await announce(house, LONG, "kitchen")
        await announce(house, "Door open.", "kitchen", topic="door")
        await pass_time(5)
        closed = await announce(house, "Door closed.", "kitchen", topic="door")
        await all_over(house)
        assert (await kinds(house, "kitchen", closed))[-1] == "finished"
    assert speakers["kitchen"][0].air.names[-1] == closed


@virtually
async def test_p107_a_satellite_that_is_busy_gets_the_second_one_after_the_first() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.CONFIRMED, PlayOutcome.BUSY]
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, text, "kitchen") for text in ("One.", "Two.")]
        await all_over(house)
        assert [(await kinds(house, "kitchen", each))[-1] for each in told] == ["finished", "finished"]
    assert speakers["kitchen"][0].air.names == told


@virtually
async def test_p112_what_is_stale_by_the_time_the_queue_moves_is_not_spoken() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].hangs = True
    async with house_with_rooms(speakers) as house:
        await announce(house, "Blocks the queue.", "kitchen")
        stale = await announce(house, "Stale.", "kitchen", expires_in_seconds=30)
        await pass_time(60)
        assert (await events(house, "kitchen", stale))[-1].event.value == "expired"
        await all_over(house)
    assert stale not in speakers["kitchen"][0].air.names
