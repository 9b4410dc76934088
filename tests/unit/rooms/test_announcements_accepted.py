"""How announcements are accepted: ids, limits, times, and what goes wrong with their casts."""

from __future__ import annotations

import asyncio

import pytest

from tests.http_house import ShyEngine
from tests.room_house import LONG, all_over, announce, events, house_with_rooms, kinds, room
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.audio.chime import FAILURE
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.errors import (
    AnnouncementNotFoundError,
    IdempotencyMismatchError,
    NothingToSpeakError,
    QueueFullError,
    RefusedError,
    RoomNotFoundError,
)
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, JOBS
from wyoming_kokoro.model.records import Job
from wyoming_kokoro.model.room import Announcement, RoomEventKind


@virtually
async def test_of_many_simultaneous_requests_under_one_id_one_is_accepted() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        request = AnnouncementRequest(text="Tea.", source="test", announcement_id="tea")
        answers = await asyncio.gather(*(house.announcements.accept(request) for _ in range(10)))
        assert sorted(answer.is_new for answer in answers) == [False] * 9 + [True]
        assert {answer.announcement_id for answer in answers} == {"tea"}
        await all_over(house)


@virtually
async def test_another_request_under_a_known_id_is_refused_until_the_id_is_forgotten() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        await announce(house, "Open.", "kitchen", id="door")
        with pytest.raises(IdempotencyMismatchError) as refused:
            await announce(house, "Closed.", "kitchen", id="door")
        assert refused.value.field == "id"
        await pass_time(25 * 3600)
        await announce(house, "Closed.", "kitchen", id="door")
        await all_over(house)
        assert (await house.announcements.get("door")).text == "Closed."


@virtually
async def test_a_full_queue_refuses_but_not_what_is_critical() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers, max_queue_per_room=3) as house:
        for number in range(3):
            await announce(house, f"{number}. {LONG}", "kitchen")
        with pytest.raises(QueueFullError) as refused:
            await announce(house, "One too many.")
        assert (refused.value.field, "kitchen" in refused.value.message) == ("rooms", True)
        await announce(house, "Elsewhere.", "office")
        await announce(house, "Smoke!", "kitchen", priority="critical")
        await house.rooms.stop("kitchen")
        await pass_time(1)
        await announce(house, "Room again.", "kitchen")
        await all_over(house)


@virtually
async def test_simultaneous_requests_share_what_room_is_left() -> None:
    async with house_with_rooms(room("kitchen"), max_queue_per_room=2) as house:
        asked = (announce(house, f"Number {number}.", "kitchen") for number in range(6))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert sum(isinstance(answer, QueueFullError) for answer in answers) == 4
        await all_over(house)


@virtually
async def test_more_jobs_than_may_wait_are_refused_before_anything_is_written() -> None:
    engine = ToneEngine(VirtualClock())
    engine.hold()
    async with house_with_rooms(room("kitchen"), engine=engine, max_jobs=1) as house:
        await announce(house, "One.", "kitchen")
        with pytest.raises(QueueFullError):
            await announce(house, "Two.", "kitchen")
        assert await house.shop.log.check_tail(ANNOUNCEMENTS) == 1
        engine.release()
        await all_over(house)


@virtually
async def test_it_expires_from_when_it_was_sent_and_usually_after_ten_minutes_or_two() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        now_ms = house.shop.clock.now_ms()
        for name, request in {
            "usual": {}, "critical": {"priority": "critical"}, "own": {"expires_in_seconds": 5.0},
            "sent": {"sent_at_ms": now_ms - 60_000}, "ahead": {"sent_at_ms": now_ms + 60_000},
        }.items():  # fmt: skip
            await announce(house, "Tea.", "kitchen", id=name, **request)
        records = [each.record for each in await house.shop.log.read(ANNOUNCEMENTS, 0)]
        lasts = {r.announcement_id: r.expires_ms - now_ms for r in records if isinstance(r, Announcement)}
        assert lasts == {"usual": 600_000, "critical": 120_000, "own": 5_000, "sent": 540_000, "ahead": 600_000}
        await all_over(house)


@virtually
async def test_one_that_was_sent_too_long_ago_is_accepted_and_told_to_have_expired() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        old = await announce(house, "Old.", "kitchen", sent_at_ms=house.shop.clock.now_ms() - 3_600_000)
        await all_over(house)
        assert await kinds(house, "kitchen", old) == ["queued", "expired"]
        assert (await events(house, "kitchen", old))[-1].field == "expires_in"


@virtually
async def test_what_is_wrong_is_refused_by_name() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        with pytest.raises(RoomNotFoundError) as refused:
            await announce(house, "Tea.", "kitchen", "garden")
        assert refused.value.field == "rooms"
        with pytest.raises(RoomNotFoundError) as refused:
            await announce(house, "Tea.", exclude=("garden",))
        assert refused.value.field == "exclude"
        with pytest.raises(RefusedError, match="no room left"):
            await announce(house, "Tea.", exclude=("kitchen",))
        with pytest.raises(NothingToSpeakError):
            await announce(house, "...", "kitchen")
        with pytest.raises(AnnouncementNotFoundError):
            await house.announcements.get("nothing")
        with pytest.raises(AnnouncementNotFoundError):
            await house.announcements.cancel("nothing")
    async with house_with_rooms({}) as house:
        with pytest.raises(RefusedError, match="no room"):
            await announce(house, "Tea.")


@virtually
async def test_a_room_without_speakers_says_so() -> None:
    async with house_with_rooms({"kitchen": []}) as house:
        tea = await announce(house, "Tea.", "kitchen")
        await all_over(house)
        assert (await events(house, "kitchen", tea))[-1].reason == "the room has no speakers"


@virtually
async def test_a_hit_needs_no_job() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        for _ in range(3):
            await announce(house, "Tea.", "kitchen")
            await all_over(house)
        jobs = [each for each in await house.shop.log.read(JOBS, 0) if isinstance(each.record, Job)]
        assert len(jobs) == len(house.shop.engine.spoken) == 1


@virtually
async def test_where_a_cast_fails_tones_are_heard_and_the_receipt_says_why() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers, engine=ShyEngine(VirtualClock())) as house:
        failed = await announce(house, "This is unspeakable.", "kitchen")
        fine = await announce(house, "This is fine.", "kitchen")
        await all_over(house)
        last = (await events(house, "kitchen", failed))[-1]
        assert (last.event, last.reason) == (RoomEventKind.FAILED, "it can't be said")
    hearings = speakers["kitchen"][0].air.hearings
    assert [hearing.name for hearing in hearings] == [failed, fine]
    assert (hearings[0].play.presentation.chime, hearings[0].play.presentation.repeat) == (FAILURE, 0)


@virtually
async def test_a_cast_whose_making_is_cancelled_ends_in_a_failure() -> None:
    engine = ToneEngine(VirtualClock())
    engine.hold()
    async with house_with_rooms(room("kitchen"), engine=engine) as house:
        tea = await announce(house, "Tea.", "kitchen")
        await pass_time(1)
        await house.casts.cancel((await house.announcements.get(tea)).cast_id)
        engine.release()
        await all_over(house)
        assert (await events(house, "kitchen", tea))[-1].reason == "its making was cancelled"


@virtually
async def test_a_progressive_room_begins_while_the_speech_is_being_made() -> None:
    speakers = room("kitchen", "office")
    clock = VirtualClock()
    async with house_with_rooms(
        speakers, clock=clock, engine=ToneEngine(clock, realtime_factor=2), options={"kitchen": {"progressive": True}}
    ) as house:
        await announce(house, LONG)
        await all_over(house)
    early, late = (speakers[name][0].air.hearings[0] for name in ("kitchen", "office"))
    assert early.play.duration_seconds is None
    assert early.play.known_duration_seconds == late.play.duration_seconds is not None
    assert early.begun_at < late.begun_at


@virtually
async def test_announcements_are_listed_newest_first_in_pages() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        told = [await announce(house, f"Number {number}.", "kitchen") for number in range(5)]
        page, token = await house.announcements.newest(limit=2)
        rest, end = await house.announcements.newest(limit=9, before=token)
        assert [view.announcement_id for view in (*page, *rest)] == list(reversed(told))
        assert end is None
        with pytest.raises(RefusedError):
            await house.announcements.newest(before="x")
        await all_over(house)
