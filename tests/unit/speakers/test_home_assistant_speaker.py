"""What is particular about speakers of Home Assistant: calls, volume, errors, connections that break."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.contracts.speaker_worlds import HomeWorld, media_player, music_assistant, satellite
from tests.fake_home_assistant import VOLUME_SET, CallError, Entity, Sound
from tests.patient_time import patiently
from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome, Stopped
from wyoming_kokoro.settings.speakers import HomeAssistantSpeaker


@pytest.fixture
def kitchen(tmp_path: Path) -> HomeWorld:
    return media_player(tmp_path)


@pytest.fixture
def hall(tmp_path: Path) -> HomeWorld:
    return satellite(tmp_path)


@pytest.fixture
def music(tmp_path: Path) -> HomeWorld:
    return music_assistant(tmp_path)


@pytest.fixture
def sonos(tmp_path: Path) -> HomeWorld:
    return HomeWorld(tmp_path, Entity("media_player.sonos", platform="sonos", shows_states=False), can_stop=False)


def begin(world: HomeWorld, play: Play, seconds: float = 3.0) -> asyncio.Task[Played]:
    world.offer(play, seconds)
    return asyncio.ensure_future(world.speaker.play(play))


async def played(world: HomeWorld, play: Play, seconds: float = 3.0) -> Played:
    playing = begin(world, play, seconds)
    await world.bench.clock.ended(playing)
    return playing.result()


def services(world: HomeWorld) -> list[str]:
    return [service for service, _, _ in world.home.calls]


@patiently
async def test_a_media_player_is_told_to_announce_the_address_in_its_format(kitchen: HomeWorld) -> None:
    play = kitchen.bench.play()
    await played(kitchen, play)
    data = {"media_content_id": play.urls["mp3"], "media_content_type": "music", "announce": True}
    assert kitchen.home.calls == [("media_player.play_media", "media_player.kitchen", data)]


@patiently
async def test_a_satellite_is_told_to_announce_without_its_own_chime(hall: HomeWorld) -> None:
    play = hall.bench.play()
    await played(hall, play)
    data = {"media_id": play.urls["mp3"], "preannounce": False}
    assert hall.home.calls == [("assist_satellite.announce", "assist_satellite.hall", data)]


@patiently
async def test_a_player_of_music_assistant_is_given_its_own_announcement_with_the_volume(music: HomeWorld) -> None:
    play = music.bench.play(volume=0.4)
    assert await played(music, play) == Played(PlayOutcome.CONFIRMED)
    data = {"url": play.urls["mp3"], "use_pre_announce": False, "announce_volume": 40}
    assert music.home.calls == [("music_assistant.play_announcement", "media_player.ma", data)]


@patiently
async def test_a_sonos_gets_the_volume_with_the_call_and_is_assumed_as_it_shows_no_states(sonos: HomeWorld) -> None:
    outcome = await played(sonos, sonos.bench.play(volume=0.4))
    assert outcome == Played(PlayOutcome.ASSUMED, "the player did not say that it played")
    assert [data["extra"] for _, _, data in sonos.home.calls] == [{"volume": 40}]


@patiently
async def test_the_volume_is_set_for_the_sound_and_restored_after_it(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, volume_level=0.2)
    assert await played(kitchen, kitchen.bench.play(volume=0.6)) == Played(PlayOutcome.CONFIRMED)
    assert [heard.volume for heard in kitchen.entity.heard] == [0.6]
    assert kitchen.entity.attributes["volume_level"] == 0.2
    assert services(kitchen) == ["media_player.volume_set", "media_player.play_media", "media_player.volume_set"]


@patiently
async def test_a_volume_that_somebody_turned_meanwhile_is_left_alone(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, volume_level=0.2)
    playing = begin(kitchen, kitchen.bench.play(volume=0.6))
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 1)
    kitchen.home.set_state(kitchen.entity, volume_level=0.9)
    await kitchen.bench.clock.ended(playing)
    assert kitchen.entity.attributes["volume_level"] == 0.9


@patiently
async def test_after_a_crash_the_next_process_restores_the_volume_when_the_sound_has_ended(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, volume_level=0.2)
    playing = begin(kitchen, kitchen.bench.play(volume=0.6))
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 1)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await kitchen.speaker.close()
    builder = kitchen.bench.builder(kitchen.home.url)
    [kitchen.speaker] = builder.build([HomeAssistantSpeaker(entity="media_player.kitchen")])
    await kitchen.connect()
    assert kitchen.entity.attributes["volume_level"] == 0.6
    await kitchen.bench.clock.until(lambda: kitchen.entity.attributes["volume_level"] == 0.2)
    assert [heard.is_whole for heard in kitchen.entity.heard] == [True]


async def restarted_in_the_middle(world: HomeWorld) -> None:
    """A process ends in the middle of ten seconds; the next one has begun."""
    playing = begin(world, world.bench.play(10.0), 10.0)
    await world.bench.clock.until(lambda: world.heard_seconds() >= 3)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await world.speaker.close()
    [world.speaker] = world.bench.builder(world.home.url).build([HomeAssistantSpeaker(entity=world.entity.entity_id)])
    await world.connect()


@patiently
async def test_what_an_earlier_process_began_can_be_stopped(kitchen: HomeWorld) -> None:
    await restarted_in_the_middle(kitchen)
    stopped = await kitchen.bench.clock.ended(kitchen.speaker.stop())
    assert stopped.position_seconds == pytest.approx(3.0, abs=0.5)
    assert kitchen.entity.state == "idle"
    assert await kitchen.bench.clock.ended(kitchen.speaker.stop()) == Stopped(0.0)


@patiently
async def test_what_an_earlier_process_began_on_a_satellite_can_not_be_stopped(hall: HomeWorld) -> None:
    await restarted_in_the_middle(hall)
    assert await hall.bench.clock.ended(hall.speaker.stop()) is None
    await hall.bench.clock.sleep(10)
    assert await hall.bench.clock.ended(hall.speaker.stop()) == Stopped(0.0)


@patiently
async def test_somebodys_music_is_not_stopped_where_nothing_of_ours_plays(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, "playing", media_content_id="spotify:evening")
    await kitchen.bench.clock.sleep(0.1)
    assert await kitchen.bench.clock.ended(kitchen.speaker.stop()) == Stopped(0.0)
    assert kitchen.entity.state == "playing"


@patiently
async def test_a_player_without_a_volume_plays_all_the_same_and_the_receipt_says_so(kitchen: HomeWorld) -> None:
    features = kitchen.entity.attributes["supported_features"]
    kitchen.home.set_state(kitchen.entity, supported_features=features & ~VOLUME_SET)
    outcome = await played(kitchen, kitchen.bench.play(volume=0.6))
    assert outcome == Played(PlayOutcome.CONFIRMED, "its volume can't be set")


@patiently
async def test_a_satellite_that_speaks_already_is_busy(hall: HomeWorld) -> None:
    hall.home.set_state(hall.entity, "responding")
    assert await played(hall, hall.bench.play()) == Played(PlayOutcome.BUSY, "the satellite is speaking already")


@patiently
async def test_a_satellite_that_is_not_connected_fails_with_home_assistants_words(hall: HomeWorld) -> None:
    hall.home.fails["assist_satellite.announce"] = CallError("home_assistant_error", "Satellite is not connected")
    outcome = await played(hall, hall.bench.play())
    assert outcome == Played(PlayOutcome.FAILED, "Home Assistant says: Satellite is not connected")


@patiently
async def test_a_satellite_that_is_done_too_early_has_not_been_heard(hall: HomeWorld) -> None:
    hall.entity.plays_share = 0.3
    outcome = await played(hall, hall.bench.play(10.0), 10.0)
    assert (outcome.outcome, outcome.reason) == (PlayOutcome.FAILED, "it was done after 3.0 of 10.0 s")


@patiently
async def test_an_entity_that_is_not_there_fails_by_name(kitchen: HomeWorld) -> None:
    kitchen.home.remove(kitchen.entity)
    await kitchen.bench.clock.sleep(0.1)
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome == Played(PlayOutcome.FAILED, "Home Assistant has no entity media_player.kitchen")
    assert kitchen.home.calls == []


@patiently
async def test_an_unavailable_entity_fails_by_name(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, "unavailable")
    await kitchen.bench.clock.sleep(0.1)
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome == Played(PlayOutcome.FAILED, "media_player.kitchen is unavailable in Home Assistant")


@patiently
async def test_an_entity_that_can_not_play_fails_with_home_assistants_words(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, supported_features=0)
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome.outcome is PlayOutcome.FAILED
    assert "does not support action media_player.play_media" in outcome.reason


@patiently
async def test_a_wrong_token_fails_in_words_and_is_not_tried_often(kitchen: HomeWorld) -> None:
    await kitchen.speaker.close()
    kitchen.home.token = "another"
    [kitchen.speaker] = kitchen.bench.builder(kitchen.home.url).build([HomeAssistantSpeaker(entity="media_player.kitchen")])
    await kitchen.speaker.start()
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome.outcome is PlayOutcome.FAILED
    assert outcome.reason.startswith("Home Assistant does not accept home_assistant_token: Invalid access token")
    await kitchen.bench.clock.sleep(240)
    assert kitchen.home.refused_tokens == 1


@patiently
async def test_two_speakers_share_one_connection(kitchen: HomeWorld) -> None:
    await kitchen.speaker.close()
    before = kitchen.home.connections
    other = Entity("media_player.bedroom")
    kitchen.home.entities["media_player.bedroom"] = other
    builder = kitchen.bench.builder(kitchen.home.url)
    speakers = builder.build(
        [HomeAssistantSpeaker(entity="media_player.kitchen"), HomeAssistantSpeaker(entity="media_player.bedroom")]
    )
    [kitchen.speaker, bedroom] = speakers
    await kitchen.connect()
    await bedroom.start()
    play = kitchen.bench.play()
    kitchen.offer(play)
    playing = asyncio.ensure_future(bedroom.play(play))
    await kitchen.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.CONFIRMED)
    assert kitchen.home.connections == before + 1
    await bedroom.close()


@patiently
async def test_after_home_assistants_restart_it_plays_again(kitchen: HomeWorld) -> None:
    await kitchen.home.stop()
    await kitchen.bench.clock.sleep(1.0)
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome.outcome is PlayOutcome.FAILED
    assert outcome.reason.startswith("Home Assistant is not reached at 127.0.0.1:")
    await kitchen.home.start()
    await kitchen.bench.clock.until(lambda: kitchen.home.connections == 2)
    assert await played(kitchen, kitchen.bench.play()) == Played(PlayOutcome.CONFIRMED)


@patiently
async def test_a_player_that_goes_on_while_the_connection_is_broken_is_assumed_and_heard_once(kitchen: HomeWorld) -> None:
    playing = begin(kitchen, kitchen.bench.play(20.0), 20.0)
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 5)
    await kitchen.home.hang_up()
    await kitchen.bench.clock.ended(playing)
    assert playing.result().outcome is PlayOutcome.ASSUMED
    assert services(kitchen) == ["media_player.play_media"]
    assert [heard.is_whole for heard in kitchen.entity.heard] == [True]


@patiently
async def test_a_player_that_was_silenced_while_nobody_saw_it_has_not_been_heard(
    kitchen: HomeWorld,
) -> None:
    playing = begin(kitchen, kitchen.bench.play(60.0), 60.0)
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 5)
    await kitchen.home.stop()
    await kitchen.home.silence(kitchen.entity)
    await kitchen.home.start()
    await kitchen.bench.clock.ended(playing)
    assert playing.result().outcome is PlayOutcome.FAILED


@patiently
async def test_a_call_that_is_never_answered_is_unknown_and_made_once(kitchen: HomeWorld) -> None:
    kitchen.home.hangs.add("media_player.play_media")
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome == Played(PlayOutcome.UNKNOWN, "Home Assistant has not answered for 30 s")
    assert services(kitchen) == ["media_player.play_media"]


@patiently
async def test_a_player_that_ends_in_the_middle_fails_with_its_position(kitchen: HomeWorld) -> None:
    kitchen.entity.plays_share = 0.25
    outcome = await played(kitchen, kitchen.bench.play(20.0), 20.0)
    assert (outcome.outcome, outcome.reason) == (PlayOutcome.FAILED, "it was done after 5.0 of 20.0 s")
    assert outcome.position_seconds == pytest.approx(5.0)


@patiently
async def test_a_player_that_becomes_unavailable_in_the_middle_is_unknown(kitchen: HomeWorld) -> None:
    playing = begin(kitchen, kitchen.bench.play(20.0), 20.0)
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 5)
    kitchen.entity.shows_states = False
    kitchen.home.set_state(kitchen.entity, "unavailable")
    await kitchen.bench.clock.ended(playing)
    assert playing.result().outcome is PlayOutcome.UNKNOWN


@patiently
async def test_who_does_not_fetch_the_sound_is_told_not_to_begin_any_more(kitchen: HomeWorld) -> None:
    kitchen.entity.fetches = False
    outcome = await played(kitchen, kitchen.bench.play())
    assert outcome == Played(PlayOutcome.FAILED, "it did not fetch the whole sound: can it reach the address in base_url?")
    assert services(kitchen) == ["media_player.play_media", "media_player.media_stop"]


@patiently
async def test_a_player_that_does_not_obey_can_not_be_stopped(kitchen: HomeWorld) -> None:
    kitchen.entity.ignores_stop = True
    playing = begin(kitchen, kitchen.bench.play(10.0), 10.0)
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 3)
    stopping = asyncio.ensure_future(kitchen.speaker.stop())
    await kitchen.bench.clock.ended(stopping)
    assert stopping.result() is None
    await kitchen.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.CONFIRMED)


@patiently
async def test_somebodys_music_is_not_stopped_with_the_announcement(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, "playing", media_content_id="spotify:evening")
    playing = begin(kitchen, kitchen.bench.play(10.0), 10.0)
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 3)
    assert await kitchen.speaker.stop() is None
    await kitchen.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.CONFIRMED)
    assert "media_player.media_stop" not in services(kitchen)


@patiently
async def test_a_stop_that_comes_before_the_call_lets_nothing_be_heard(kitchen: HomeWorld) -> None:
    kitchen.home.set_state(kitchen.entity, volume_level=0.2)
    playing = begin(kitchen, kitchen.bench.play(volume=0.6))
    await asyncio.sleep(0)
    assert await kitchen.speaker.stop() == Stopped(0.0)
    await kitchen.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.FAILED, "it was stopped", 0.0)
    assert kitchen.entity.heard == []
    assert kitchen.entity.attributes["volume_level"] == 0.2


@patiently
async def test_a_flicker_of_the_state_at_the_beginning_is_no_end(kitchen: HomeWorld) -> None:
    kitchen.entity.shows_states = False
    play = kitchen.bench.play(5.0)
    kitchen.home.sounds[play.urls["mp3"]] = Sound(5.0, lambda: kitchen.bench.fetched.add(play.play_id))
    playing = asyncio.ensure_future(kitchen.speaker.play(play))
    await kitchen.bench.clock.until(lambda: kitchen.heard_seconds() >= 0.2)
    for state in ("playing", "idle", "playing"):
        kitchen.home.set_state(kitchen.entity, state)
        await kitchen.bench.clock.sleep(0.5)
    await kitchen.bench.clock.sleep(4.0)
    kitchen.home.set_state(kitchen.entity, "idle")
    await kitchen.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.CONFIRMED)
