"""What is particular about Snapcast: the sound that arrives, groups that are switched and given back, servers that hang."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncGenerator
from pathlib import Path

import numpy as np
import pytest

from tests.contracts.speaker_worlds import LEVEL, SnapcastWorld
from tests.fake_snapserver import SOURCE
from tests.patient_time import patiently
from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome
from wyoming_kokoro.model.errors import CastFailedError


@pytest.fixture
def world(tmp_path: Path) -> SnapcastWorld:
    return SnapcastWorld(tmp_path)


async def played(world: SnapcastWorld, play: Play) -> Played:
    playing = asyncio.ensure_future(world.speaker.play(play))
    await world.bench.clock.ended(playing)
    return playing.result()


async def rebuilt(world: SnapcastWorld, **changes: object) -> None:
    await world.speaker.close()
    world.speaker = world.build(**changes)
    await world.speaker.start()


def samples(world: SnapcastWorld, channels: int = 2) -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    return np.frombuffer(bytes(world.server.received[-1]), "<i2").reshape(-1, channels)


@patiently
async def test_a_tenth_of_a_second_of_silence_and_then_the_whole_sound_on_both_channels(world: SnapcastWorld) -> None:
    assert await played(world, world.bench.play(2.0)) == Played(PlayOutcome.CONFIRMED)
    left, right = samples(world).T
    assert (left == right).all()
    assert not left[:4800].any()
    assert len(left) == pytest.approx(4800 + 96_000, abs=960)
    assert abs(int(left[50_000]) - LEVEL) <= 2


@patiently
async def test_the_shape_of_the_source_is_asked_of_the_server(world: SnapcastWorld) -> None:
    world.server.sample_format = "44100:16:1"
    await played(world, world.bench.play(2.0))
    assert len(samples(world, 1)) == pytest.approx(4410 + 88_200, abs=882)


@patiently
async def test_the_volume_is_a_gain_so_that_nothing_has_to_be_given_back(world: SnapcastWorld) -> None:
    await played(world, world.bench.play(2.0, volume=0.5))
    assert abs(int(samples(world)[50_000][0]) - LEVEL / 2) <= 2


@patiently
async def test_the_group_hears_the_source_meanwhile_and_its_own_stream_afterwards(world: SnapcastWorld) -> None:
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(2.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() > 1)
    assert world.server.group["stream_id"] == SOURCE
    await world.bench.clock.ended(playing)
    assert world.server.group["stream_id"] == "music"


@pytest.mark.parametrize("name", ["Kitchen", "g1", "c1", "pi-kitchen"])
@patiently
async def test_a_group_is_found_by_its_name_its_id_or_one_of_its_clients(world: SnapcastWorld, name: str) -> None:
    await rebuilt(world, group=name)
    assert await played(world, world.bench.play(1.0)) == Played(PlayOutcome.CONFIRMED)


@patiently
async def test_after_a_crash_the_next_process_gives_the_group_its_stream_back(world: SnapcastWorld) -> None:
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(20.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() > 1)
    notes = (world.bench.folder / "speakers.json").read_bytes()
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    world.server.group["stream_id"] = SOURCE
    (world.bench.folder / "speakers.json").write_bytes(notes)
    await rebuilt(world)
    await world.bench.clock.until(lambda: world.server.group["stream_id"] == "music")


@patiently
async def test_a_group_that_somebody_switched_meanwhile_is_left_alone(world: SnapcastWorld) -> None:
    world.server.streams.add("radio")
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(2.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() > 1)
    world.server.group["stream_id"] = "radio"
    await world.bench.clock.ended(playing)
    assert world.server.group["stream_id"] == "radio"
    assert playing.result().outcome is PlayOutcome.UNKNOWN


@patiently
async def test_a_stop_returns_the_group_at_once_and_counts_what_its_buffer_had_not_played(world: SnapcastWorld) -> None:
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(20.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() >= 5)
    stopping = asyncio.ensure_future(world.speaker.stop())
    await world.bench.clock.ended(stopping)
    stopped = stopping.result()
    assert stopped is not None
    assert stopped.position_seconds == pytest.approx(world.heard_seconds() - 1.0, abs=0.001)
    assert world.server.group["stream_id"] == "music"
    await world.bench.clock.ended(playing)
    assert playing.result() == Played(PlayOutcome.FAILED, "it was stopped", stopped.position_seconds)


@patiently
async def test_a_group_that_always_hears_the_source_is_muted_at_a_stop_until_its_buffer_is_empty(world: SnapcastWorld) -> None:
    world.server.group["stream_id"] = SOURCE
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(20.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() >= 5)
    stopping = asyncio.ensure_future(world.speaker.stop())
    await world.bench.clock.ended(stopping)
    assert world.server.group["muted"]
    await world.bench.clock.ended(playing)
    await world.bench.clock.until(lambda: not world.server.group["muted"], most_seconds=1.5)
    assert await played(world, world.bench.play(1.0)) == Played(PlayOutcome.CONFIRMED)


@patiently
async def test_a_server_that_takes_nothing_any_more_is_given_up(world: SnapcastWorld) -> None:
    playing = asyncio.ensure_future(world.speaker.play(world.bench.play(200.0)))
    await world.bench.clock.until(lambda: world.heard_seconds() >= 1)
    world.server.stall()
    await world.bench.clock.ended(playing)
    assert playing.result().outcome is PlayOutcome.FAILED
    assert playing.result().reason == "the Snapcast source has taken nothing for 5 s"


@patiently
async def test_an_unknown_group_a_muted_one_and_a_missing_source_fail_in_words(world: SnapcastWorld) -> None:
    world.server.group["muted"] = True
    assert (await played(world, world.bench.play())).reason == "no client of Kitchen is connected and not muted"
    await rebuilt(world, group="Attic")
    assert (await played(world, world.bench.play())).reason == "the Snapcast server has no group or client Attic"
    await rebuilt(world, port=1)
    assert (await played(world, world.bench.play())).reason == "the Snapcast server has no TCP source on port 1"


@patiently
async def test_without_a_group_a_server_without_control_is_played_to_and_assumed(world: SnapcastWorld) -> None:
    await rebuilt(world, group=None, control_port=1)
    outcome = await played(world, world.bench.play(2.0))
    assert outcome.outcome is PlayOutcome.ASSUMED
    assert "control at 127.0.0.1:1 is not reached" in outcome.reason
    assert world.heard_seconds() == pytest.approx(2.0, abs=0.02)


@patiently
async def test_with_a_group_a_server_without_control_fails(world: SnapcastWorld) -> None:
    await rebuilt(world, control_port=1)
    outcome = await played(world, world.bench.play(2.0))
    assert outcome.outcome is PlayOutcome.FAILED
    assert world.server.received == []


@patiently
async def test_a_cast_that_fails_in_the_middle_fails_here_with_its_reason(world: SnapcastWorld) -> None:
    whole = world.bench.play(2.0)

    async def pcm() -> AsyncGenerator[bytes, None]:
        async for piece in whole.pcm():
            yield piece
        raise CastFailedError("the engine could not speak it")

    outcome = await played(world, dataclasses.replace(whole, pcm=pcm))
    assert (outcome.outcome, outcome.reason) == (PlayOutcome.FAILED, "the engine could not speak it")
    assert outcome.position_seconds == pytest.approx(0.96, abs=0.05)
    assert world.server.group["stream_id"] == "music"
