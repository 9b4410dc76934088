"""What is announced is heard: in order, by priority, in each room by itself, and each ends in one receipt."""

from __future__ import annotations

import itertools

from tests.pretend_speaker import PretendSpeaker
from tests.room_house import LONG, all_over, announce, events, house_with_rooms, kinds, room
from tests.virtual_time import pass_time, virtually
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.recipe import Profile
from wyoming_kokoro.model.room import RoomEventKind


@virtually
async def test_an_announcement_is_queued_started_and_finished() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        tea = await announce(house, "Tea is ready.", "kitchen")
        await all_over(house)
        assert await kinds(house, "kitchen", tea) == ["queued", "started", "finished"]
        started, finished = (await events(house, "kitchen"))[1], (await events(house, "kitchen"))[-1]
        assert started.urls[0][1].startswith("http://house:10210/audio/")
        assert f"play={started.play_id}" in started.urls[0][1]
        assert finished.speakers[0].outcome is PlayOutcome.CONFIRMED
        view = await house.announcements.get(tea)
        assert (view.text, view.rooms["kitchen"].event) == ("Tea is ready.", RoomEventKind.FINISHED)
    assert speakers["kitchen"][0].air.names == [tea]


@virtually
async def test_several_are_heard_one_after_the_other_in_the_order_of_acceptance() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, f"Number {number}.", "kitchen") for number in range(4)]
        await all_over(house)
    hearings = speakers["kitchen"][0].air.hearings
    assert [hearing.name for hearing in hearings] == told
    assert all(first.ended_at <= second.begun_at for first, second in itertools.pairwise(hearings))


@virtually
async def test_the_more_urgent_one_is_heard_first() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first = await announce(house, LONG, "kitchen")
        await pass_time(1)
        low = await announce(house, "Low.", "kitchen", priority="low")
        normal = await announce(house, "Normal.", "kitchen")
        high = await announce(house, "High.", "kitchen", priority="high")
        await all_over(house)
    assert speakers["kitchen"][0].air.names == [first, high, normal, low]


@virtually
async def test_one_synthesis_serves_several_rooms_but_the_excluded_one() -> None:
    speakers = room("kitchen", "office", "nursery")
    async with house_with_rooms(speakers) as house:
        dinner = await announce(house, "Dinner.", exclude=("nursery",))
        await all_over(house)
        assert len(house.shop.engine.spoken) == 1
        view = await house.announcements.get(dinner)
        assert list(view.rooms) == ["kitchen", "office"]
    casts = [speakers[name][0].air.hearings[0].play.cast_id for name in ("kitchen", "office")]
    assert casts[0] == casts[1]
    assert not speakers["nursery"][0].air.hearings


@virtually
async def test_a_critical_one_interrupts_and_the_other_returns_at_its_sentence() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        report = await announce(house, LONG, "kitchen", profile=Profile.BALANCED)
        await pass_time(5)
        alarm = await announce(house, "Smoke!", "kitchen", priority="critical")
        await all_over(house)
        assert await kinds(house, "kitchen", report) == ["queued", "started", "interrupted", "started", "finished"]
        interrupted = next(e for e in await events(house, "kitchen", report) if e.event is RoomEventKind.INTERRUPTED)
    hearings = speakers["kitchen"][0].air.hearings
    assert [hearing.name for hearing in hearings] == [report, alarm, report]
    assert hearings[2].first_index == interrupted.index
    assert interrupted.index > 0


@virtually
async def test_where_a_speaker_cannot_be_stopped_the_critical_one_is_next() -> None:
    speakers = room("kitchen", can_stop=False)
    async with house_with_rooms(speakers) as house:
        report = await announce(house, LONG, "kitchen")
        later = await announce(house, "Later.", "kitchen")
        await pass_time(2)
        alarm = await announce(house, "Smoke!", "kitchen", priority="critical")
        await all_over(house)
        assert "warning" in await kinds(house, "kitchen", report)
    assert speakers["kitchen"][0].air.names == [report, alarm, later]


@virtually
async def test_a_busy_speaker_is_tried_again_and_the_order_stays() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.BUSY, PlayOutcome.BUSY]
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, f"Number {number}.", "kitchen") for number in range(2)]
        await all_over(house)
        assert await kinds(house, "kitchen", told[0]) == [
            "queued", "started", "warning", "started", "warning", "started", "finished",
        ]  # fmt: skip
    assert speakers["kitchen"][0].air.names == told


@virtually
async def test_only_the_speaker_that_failed_is_tried_again() -> None:
    good, bad = PretendSpeaker("good"), PretendSpeaker("bad")
    good.outcomes, bad.outcomes = [PlayOutcome.UNKNOWN], [PlayOutcome.FAILED]
    async with house_with_rooms({"kitchen": [good, bad]}) as house:
        tea = await announce(house, "Tea.", "kitchen")
        await all_over(house)
        finished = (await events(house, "kitchen", tea))[-1]
    assert finished.event is RoomEventKind.FINISHED
    assert {each.speaker: each.outcome for each in finished.speakers} == {
        "good": PlayOutcome.UNKNOWN,
        "bad": PlayOutcome.CONFIRMED,
    }
    assert len(good.air.hearings) == len(bad.air.hearings) == 1


@virtually
async def test_what_one_speaker_has_played_is_not_tried_again_on_another() -> None:
    good, bad = PretendSpeaker("good"), PretendSpeaker("bad")
    bad.outcomes = [PlayOutcome.FAILED]
    async with house_with_rooms({"kitchen": [good, bad]}) as house:
        tea = await announce(house, "Tea.", "kitchen")
        await all_over(house)
        assert await kinds(house, "kitchen", tea) == ["queued", "started", "finished"]


@virtually
async def test_an_unknown_end_is_never_tried_again() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.UNKNOWN]
    async with house_with_rooms(speakers) as house:
        tea = await announce(house, "Tea.", "kitchen")
        await all_over(house)
        assert await kinds(house, "kitchen", tea) == ["queued", "started", "failed"]
        assert (await events(house, "kitchen", tea))[-1].speakers[0].outcome is PlayOutcome.UNKNOWN
    assert len(speakers["kitchen"][0].air.hearings) == 1


@virtually
async def test_a_speaker_that_fails_until_the_time_is_over_makes_a_failure_that_says_why() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.FAILED] * 100
    async with house_with_rooms(speakers) as house:
        tea = await announce(house, "Tea.", "kitchen", expires_in_seconds=60)
        await all_over(house)
        last = (await events(house, "kitchen", tea))[-1]
        assert (last.event, last.reason) == (RoomEventKind.FAILED, "speaker.kitchen: it is failed")
        assert (await kinds(house, "kitchen", tea)).count("warning") > 2


@virtually
async def test_a_speaker_that_hangs_for_ever_disturbs_no_other_room() -> None:
    speakers = room("kitchen", "office")
    speakers["kitchen"][0].hangs = True
    async with house_with_rooms(speakers) as house:
        stuck = await announce(house, "Stuck.", "kitchen")
        await pass_time(1)
        heard = await announce(house, "Heard.", "office")
        await pass_time(10)
        assert await kinds(house, "office", heard) == ["queued", "started", "finished"]
        assert await kinds(house, "kitchen", stuck) == ["queued", "started"]
        await all_over(house)
        assert (await events(house, "kitchen", stuck))[-1].speakers[0].outcome is PlayOutcome.UNKNOWN


@virtually
async def test_what_has_expired_is_dropped_and_says_so() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await announce(house, LONG, "kitchen")
        stale = await announce(house, "Stale.", "kitchen", expires_in_seconds=3)
        await all_over(house)
        assert await kinds(house, "kitchen", stale) == ["queued", "expired"]


@virtually
async def test_a_newer_one_of_a_topic_supersedes_what_was_not_heard_yet() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first = await announce(house, LONG, "kitchen")
        await pass_time(1)
        old = await announce(house, "The door is open.", "kitchen", topic="door")
        new = await announce(house, "The door is closed.", "kitchen", topic="door")
        await all_over(house)
        assert await kinds(house, "kitchen", old) == ["queued", "superseded"]
        assert new in (await events(house, "kitchen", old))[-1].reason
    assert speakers["kitchen"][0].air.names == [first, new]
