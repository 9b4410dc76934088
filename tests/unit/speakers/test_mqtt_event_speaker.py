"""What an automation's word is worth."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.contracts.speaker_worlds import EventWorld
from tests.patient_time import patiently
from wyoming_kokoro.model.announcement import Played, PlayOutcome


@pytest.fixture
def world(tmp_path: Path) -> EventWorld:
    return EventWorld(tmp_path)


@patiently
async def test_without_a_report_a_fetched_sound_is_assumed_soon_after_its_duration(world: EventWorld) -> None:
    play = world.bench.play(20.0)
    world.bench.fetched.add(play.play_id)
    began = world.bench.clock.monotonic()
    playing = asyncio.ensure_future(world.speaker.play(play))
    await world.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.ASSUMED)
    assert 20.0 <= world.bench.clock.monotonic() - began <= 21.5


@patiently
async def test_a_sound_whose_length_is_learnt_meanwhile_is_assumed_soon_after_that(world: EventWorld) -> None:
    lengths: list[float] = []
    play = replace(
        world.bench.play(20.0), duration_seconds=None, learnt_duration_seconds=lambda: lengths[0] if lengths else None
    )
    world.bench.fetched.add(play.play_id)
    began = world.bench.clock.monotonic()
    playing = asyncio.ensure_future(world.speaker.play(play))
    await world.bench.clock.sleep(5.0)
    lengths.append(20.0)
    await world.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.ASSUMED)
    assert 20.0 <= world.bench.clock.monotonic() - began <= 21.5


@patiently
async def test_a_report_that_comes_much_too_early_confirms_nothing(world: EventWorld) -> None:
    play = world.bench.play(20.0)
    playing = asyncio.ensure_future(world.speaker.play(play))
    await world.bench.clock.sleep(2.0)
    assert world.bench.reports.report(play.play_id)
    await world.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.ASSUMED, "it was said to have been played 18.0 s too early")


@patiently
async def test_a_report_of_another_playback_is_nobodys(world: EventWorld) -> None:
    assert not world.bench.reports.report("p0")


@patiently
async def test_a_sound_that_nobody_fetched_fails_even_if_it_is_short(world: EventWorld) -> None:
    began = world.bench.clock.monotonic()
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(0.5)))
    await world.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.FAILED, "nobody fetched the sound: no automation played it")
    assert world.bench.clock.monotonic() - began >= 10
