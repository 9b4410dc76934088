"""What a room is told: stop, skip, clear, replay, played, and its settings; all of it survives a kill."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

import pytest

from tests.room_house import LONG, all_over, announce, doomed_house_with_rooms, events, house_with_rooms, kinds, room
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.core.rooms.view import RoomState
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.errors import RefusedError, RoomNotFoundError
from wyoming_kokoro.model.room import RoomEventKind


def hours_from_now(begin: float, end: float) -> str:
    """Quiet hours, counted from the clock of a test that begins."""
    start = datetime.fromtimestamp(1_750_000_000)
    return "-".join(f"{start + timedelta(hours=each):%H:%M}" for each in (begin, end))


@virtually
async def test_stop_silences_the_room_and_drops_what_waits() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        told = [await announce(house, text, "kitchen") for text in (LONG, "Two.", "Three.")]
        await pass_time(3)
        await house.rooms.stop("kitchen")
        await pass_time(0.3)
        assert house.rooms.view("kitchen").state is RoomState.IDLE
        later = await announce(house, "Later.", "kitchen")
        await all_over(house)
        assert [(await events(house, "kitchen", each))[-1].event for each in told] == [RoomEventKind.CANCELLED] * 3
        assert (await kinds(house, "kitchen", later))[-1] == "finished"
        assert (await events(house, "kitchen", told[0]))[-1].position_seconds > 2
    assert speakers["kitchen"][0].air.names == [told[0], later]


@virtually
async def test_skip_ends_what_is_heard_and_goes_on_with_the_next() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first, second = [await announce(house, text, "kitchen") for text in (LONG, "Two.")]
        await pass_time(3)
        await house.rooms.skip("kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", first))[-1] == "cancelled"
        assert (await kinds(house, "kitchen", second))[-1] == "finished"


@virtually
async def test_skip_with_nothing_to_hear_skips_nothing_later() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await house.rooms.skip("kitchen")
        heard = await announce(house, "Two.", "kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", heard))[-1] == "finished"


@virtually
async def test_clear_drops_what_waits_and_spares_what_is_heard() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first, second = [await announce(house, text, "kitchen") for text in (LONG, "Two.")]
        await pass_time(3)
        await house.rooms.clear("kitchen")
        await all_over(house)
        assert (await kinds(house, "kitchen", first))[-1] == "finished"
        assert await kinds(house, "kitchen", second) == ["queued", "cancelled"]


@virtually
async def test_a_stop_that_a_speaker_cannot_obey_is_told_and_the_end_is_true() -> None:
    speakers = room("kitchen", can_stop=False)
    async with house_with_rooms(speakers) as house:
        heard = await announce(house, LONG, "kitchen")
        await pass_time(3)
        await house.rooms.stop("kitchen")
        await all_over(house)
        assert await kinds(house, "kitchen", heard) == ["queued", "started", "warning", "finished"]


@virtually
async def test_replay_plays_again_what_was_heard_last_once() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers) as house:
        await announce(house, "One.")
        two = await announce(house, "Two.")
        await all_over(house)
        await house.rooms.replay("kitchen")
        await pass_time(1)
        await all_over(house)
        newest = (await house.announcements.newest(limit=1))[0][0]
        assert (newest.replay_of, newest.text, list(newest.rooms)) == (two, "Two.", ["kitchen"])
    assert len(speakers["kitchen"][0].air.hearings) == 3
    assert len(speakers["office"][0].air.hearings) == 2


@virtually
async def test_who_was_away_hears_all_that_ended_meanwhile_the_newest_of_each_topic() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await announce(house, "Before.", "kitchen")
        await all_over(house)
        left_at = house.rooms.view("kitchen").tail
        await announce(house, "Door open.", "kitchen", topic="door")
        await all_over(house)
        await announce(house, "Door closed.", "kitchen", topic="door")
        await announce(house, "Stale.", "kitchen", expires_in_seconds=0.001)
        await all_over(house)
        await house.rooms.replay("kitchen", since=left_at)
        await pass_time(1)
        await all_over(house)
        replayed = [view.text for view in (await house.announcements.newest())[0] if view.replay_of]
    assert list(reversed(replayed)) == ["Door closed.", "Stale."]


@virtually
async def test_do_not_disturb_holds_everything_but_what_is_critical_and_lets_it_go_afterwards() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        await house.rooms.set("kitchen", dnd=True)
        held = await announce(house, "Held.", "kitchen")
        alarm = await announce(house, "Smoke!", "kitchen", priority="critical")
        await pass_time(30)
        assert await kinds(house, "kitchen", held) == ["queued", "held"]
        assert (await kinds(house, "kitchen", alarm))[-1] == "finished"
        assert house.rooms.view("kitchen").state is RoomState.HELD
        await house.rooms.set("kitchen", dnd=None)
        await all_over(house)
        assert await kinds(house, "kitchen", held) == ["queued", "held", "started", "finished"]


@virtually
async def test_quiet_hours_hold_and_at_their_end_the_newest_of_each_topic_is_heard_that_has_not_expired() -> None:
    speakers, options = room("kitchen"), {"kitchen": {"quiet_hours": hours_from_now(-1, 2)}}
    async with house_with_rooms(speakers, options=options) as house:
        hour = 3600
        stale = await announce(house, "Stale.", "kitchen")
        old = await announce(house, "Washing at ten.", "kitchen", topic="washing", expires_in_seconds=9 * hour)
        new = await announce(house, "Washing at eleven.", "kitchen", topic="washing", expires_in_seconds=9 * hour)
        await pass_time(1.9 * hour)
        assert not speakers["kitchen"][0].air.hearings
        await all_over(house)
        assert (await kinds(house, "kitchen", stale))[-1] == "expired"
        assert (await kinds(house, "kitchen", old))[-1] == "superseded"
        assert await kinds(house, "kitchen", new) == ["queued", "held", "started", "finished"]
    assert speakers["kitchen"][0].air.names == [new]


@virtually
async def test_the_volume_is_the_announcements_or_the_rooms_and_limited_at_night() -> None:
    speakers = room("day", "night")
    options = {
        "day": {"volume": 0.6, "night_volume": 0.2, "night_hours": hours_from_now(3, 4)},
        "night": {"volume": 0.6, "night_volume": 0.2, "night_hours": hours_from_now(-1, 1)},
    }
    async with house_with_rooms(speakers, options=options) as house:
        await announce(house, "Usual.")
        await announce(house, "Loud.", volume=0.9)
        await announce(house, "Soft.", volume=0.1)
        await announce(house, "Smoke!", volume=0.9, priority="critical")
        await all_over(house)
    volumes = {name: {h.play.volume for h in speakers[name][0].air.hearings} for name in speakers}
    assert volumes == {"day": {0.6, 0.9, 0.1}, "night": {0.2, 0.1, 0.9}}


@virtually
async def test_chime_and_silence_are_the_rooms_own_unless_the_announcement_says_otherwise() -> None:
    speakers, options = room("kitchen"), {"kitchen": {"chime": "bell", "lead_ms": 300}}
    async with house_with_rooms(speakers, options=options) as house:
        await announce(house, "One.", "kitchen")
        await announce(house, "Two.", "kitchen", chime="", lead_ms=0, repeat=2)
        await all_over(house)
    shown = [hearing.play.presentation for hearing in speakers["kitchen"][0].air.hearings]
    assert [(each.chime, each.lead_ms, each.repeat) for each in shown] == [("bell", 300, 1), ("", 0, 2)]
    one, two = (hearing.play for hearing in speakers["kitchen"][0].air.hearings)
    assert two.duration_seconds > one.duration_seconds - 1.4 + 1


@virtually
async def test_settings_and_commands_survive_a_kill() -> None:
    clock, storage, speakers = VirtualClock(), MemoryStorage(), room("kitchen")
    async with doomed_house_with_rooms(storage, clock, speakers) as house:
        await house.rooms.set("kitchen", dnd=True, volume=0.3, voice="bf_emma", speed=1.2)
        held = await announce(house, "Held.", "kitchen")
        await pass_time(1)
        await house.rooms.stop("kitchen")
    async with house_with_rooms(speakers, log=MemoryLog(clock, storage=storage), clock=clock) as house:
        view = house.rooms.view("kitchen")
        assert (view.dnd, view.volume, view.voice, view.speed) == (True, 0.3, "bf_emma", 1.2)
        await all_over(house)
        assert (await kinds(house, "kitchen", held))[-1] == "cancelled"
        assert (await kinds(house, "kitchen")).count("cancelled") == 1


@virtually
async def test_the_rooms_voice_speaks_unless_the_announcement_names_one_or_rooms_differ() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers, options={"kitchen": {"voice": "bf_emma"}}) as house:
        here = await announce(house, "Here.", "kitchen")
        named = await announce(house, "Named.", "kitchen", voice="am_adam")
        both = await announce(house, "Both.")
        voices = [(await house.announcements.get(each)).voice for each in (here, named, both)]
        assert voices == ["bf_emma", "am_adam", "af_heart"]
        await all_over(house)


@virtually
async def test_wrong_settings_and_rooms_are_refused_by_name() -> None:
    async with house_with_rooms(room("kitchen")) as house:
        wrong = {"volume": 1.5, "speed": 9, "dnd": "yes", "voice": "nobody", "loudness": 1}
        for name, value in wrong.items():
            with pytest.raises(RefusedError) as refused:
                await house.rooms.set("kitchen", **{name: value})
            assert refused.value.field == name
        with pytest.raises(RoomNotFoundError, match="did you mean kitchen"):
            await house.rooms.stop("kitchem")


@virtually
async def test_a_report_that_a_playback_has_ended_reaches_whoever_waits_for_it() -> None:
    reported: list[str] = []
    speakers = room("kitchen")
    async with house_with_rooms(speakers, played=reported.append) as house:
        await house.rooms.played("kitchen", "play-1")
        await pass_time(0.1)
    assert reported == ["play-1"]


@virtually
async def test_a_withdrawn_announcement_is_not_heard_or_not_to_its_end() -> None:
    speakers = room("kitchen")
    async with house_with_rooms(speakers) as house:
        first, second = [await announce(house, text, "kitchen") for text in (LONG, "Two.")]
        await pass_time(3)
        await house.announcements.cancel(second)
        await house.announcements.cancel(first)
        await all_over(house)
        assert await kinds(house, "kitchen", second) == ["queued", "cancelled"]
        assert (await events(house, "kitchen", first))[-1].position_seconds > 2


@virtually
async def test_what_happens_in_a_room_and_that_it_changes_can_be_watched() -> None:
    speakers = room("kitchen", "office")
    async with house_with_rooms(speakers) as house:
        await pass_time(1)
        async with contextlib.aclosing(house.rooms.changes()) as changes:
            assert {await anext(changes), await anext(changes)} == {"kitchen", "office"}
            await announce(house, "Tea.", "office")
            assert [await anext(changes) for _ in range(3)] == ["office"] * 3
        async with contextlib.aclosing(house.rooms.events("office", start=0)) as seen:
            kinds_seen = []
            async for sequenced in seen:
                kinds_seen.append(sequenced.record.event.value)
                if kinds_seen[-1] == "finished":
                    break
        assert kinds_seen == ["queued", "started", "sentence", "finished"]
