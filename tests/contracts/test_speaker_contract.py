"""One suite over every speaker: what `ports.Speaker` promises."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.contracts.speaker_worlds import WORLDS, World
from tests.patient_time import patiently
from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome, Stopped

FINAL = {PlayOutcome.CONFIRMED, PlayOutcome.ASSUMED}


@pytest.fixture(params=WORLDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    return WORLDS[request.param](tmp_path)


async def ended(world: World, playing: asyncio.Task[Played]) -> Played:
    await world.bench.clock.ended(playing)
    return playing.result()


def begin(world: World, play: Play, seconds: float = 3.0) -> asyncio.Task[Played]:
    world.offer(play, seconds)
    return asyncio.ensure_future(world.speaker.play(play))


@patiently
async def test_what_was_heard_to_its_end_is_confirmed_and_was_heard(world: World) -> None:
    played = await ended(world, begin(world, world.bench.play(3.0)))
    assert played == Played(world.best)
    assert world.heard_seconds() == pytest.approx(3.0, abs=0.05)


@patiently
async def test_a_second_playback_follows_the_first(world: World) -> None:
    for seconds in (3.0, 2.0):
        played = await ended(world, begin(world, world.bench.play(seconds), seconds))
        assert played.outcome is world.best


@patiently
async def test_what_nobody_can_hear_fails_and_says_why(world: World) -> None:
    await world.become_deaf()
    played = await ended(world, begin(world, world.bench.play(3.0)))
    assert played.outcome is PlayOutcome.FAILED
    assert played.reason


@patiently
async def test_a_sound_of_unknown_length_is_played_to_its_end(world: World) -> None:
    play = world.bench.play(3.0, is_known=False)
    played = await ended(world, begin(world, play))
    assert played.outcome in FINAL
    assert world.heard_seconds() == pytest.approx(3.0, abs=0.05)


@patiently
async def test_a_playback_whose_other_side_vanishes_ends_all_the_same_and_is_not_confirmed(world: World) -> None:
    playing = begin(world, world.bench.play(5.0), 5.0)
    await world.bench.clock.until(lambda: world.heard_seconds() >= 2.0)
    await world.break_off()
    played = await ended(world, playing)
    assert played.outcome in world.breaks_as
    assert played.reason or played.outcome is PlayOutcome.ASSUMED


@patiently
async def test_a_stop_tells_how_far_it_came_or_that_it_is_impossible(world: World) -> None:
    playing = begin(world, world.bench.play(10.0), 10.0)
    await world.bench.clock.until(lambda: world.heard_seconds() >= 4.0)
    stopping = asyncio.ensure_future(world.speaker.stop())
    await world.bench.clock.ended(stopping)
    stopped = stopping.result()
    played = await ended(world, playing)
    if not world.can_stop:
        assert stopped is None
        assert played.outcome in FINAL
        return
    assert stopped is not None
    assert 2.5 <= stopped.position_seconds <= 4.3
    assert (played.outcome, played.position_seconds) == (PlayOutcome.FAILED, stopped.position_seconds)
    assert world.heard_seconds() <= 4.4


@patiently
async def test_a_stop_without_a_playback_is_at_the_beginning(world: World) -> None:
    stopping = asyncio.ensure_future(world.speaker.stop())
    await world.bench.clock.ended(stopping)
    assert stopping.result() in (Stopped(0.0), None)
    assert (await ended(world, begin(world, world.bench.play(3.0)))).outcome is world.best


@patiently
async def test_a_cancelled_playback_leaves_the_speaker_usable(world: World) -> None:
    playing = begin(world, world.bench.play(2.0), 2.0)
    await world.bench.clock.until(lambda: world.heard_seconds() >= 1.0)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await world.bench.clock.sleep(5.0)
    assert (await ended(world, begin(world, world.bench.play(3.0)))).outcome is world.best


@patiently
async def test_starting_twice_and_closing_twice_is_the_same_as_once(world: World) -> None:
    await world.speaker.start()
    assert (await ended(world, begin(world, world.bench.play(3.0)))).outcome is world.best
    await world.speaker.close()
    await world.speaker.close()


@patiently
async def test_a_speaker_whose_other_side_is_away_starts_at_once_and_fails_when_it_shall_play(world: World) -> None:
    await world.break_off()
    await world.become_deaf()
    await world.bench.clock.sleep(1.0)
    playing = begin(world, world.bench.play(3.0))
    played = await ended(world, playing)
    assert played.outcome is PlayOutcome.FAILED
    assert played.reason
