"""One synthesis for all who want the same sentence, and what they are told when it fails."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.simulation.faulty_engine import FaultyEngine
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.reuse import SpokenSentences
from wyoming_kokoro.core.voicing import Voicing
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.errors import EngineDiedError, SynthesisCancelledError
from wyoming_kokoro.model.recipe import Boundary, Utterance
from wyoming_kokoro.ports import Engine


def _voicing(engine: Engine, clock: VirtualClock) -> Voicing:
    return Voicing(engine, PcmBodies(), SpokenSentences(MemoryLog(clock)))


def _utterance(spoken: str) -> Utterance:
    return Utterance(
        spoken=spoken,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="tone-1",
    )


@virtually
async def test_equal_sentences_at_one_time_are_one_synthesis() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=1.0)
    voicing = _voicing(engine, clock)
    voiced = await asyncio.gather(*(voicing.voice(_utterance("The kettle is on.")) for _ in range(5)))
    assert len(engine.started) == 1
    assert len({each.pcm for each in voiced}) == 1


@virtually
async def test_what_was_begun_early_is_not_made_again() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=1.0)
    voicing = _voicing(engine, clock)
    voicing.anticipate(_utterance("The kettle is on."))
    await clock.sleep(10)
    assert not (await voicing.voice(_utterance("The kettle is on."))).is_reused
    assert len(engine.started) == 1


@virtually
async def test_who_asks_again_for_what_was_stopped_has_it_made_anew_though_another_was_not_told_yet() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=1.0)
    voicing = _voicing(engine, clock)
    utterance, stops = _utterance("The kettle is on."), 0

    async def insist() -> bytes:
        nonlocal stops
        while True:
            try:
                return (await voicing.voice(utterance)).pcm
            except SynthesisCancelledError:
                stops += 1
                assert stops < 10

    both = asyncio.gather(insist(), insist())
    await clock.sleep(0.1)
    engine.cancel(utterance)
    first, second = await both
    assert first == second
    assert stops == 2
    assert len(engine.started) == 2


@virtually
async def test_a_death_under_a_sentence_begun_early_is_told_to_the_job_that_wants_it() -> None:
    clock = VirtualClock()
    deaths: list[Utterance] = []
    engine = FaultyEngine(ToneEngine(clock), Random(0), died=deaths.append)
    voicing = _voicing(engine, clock)
    voicing.anticipate(_utterance("This is poison indeed."))
    await clock.sleep(1)
    with pytest.raises(EngineDiedError):
        await voicing.voice(_utterance("This is poison indeed."))
    assert len(deaths) == 1


@virtually
async def test_only_a_handful_of_sentences_begun_early_is_kept() -> None:
    clock = VirtualClock()
    voicing = _voicing(ToneEngine(clock), clock)
    for number in range(30):
        voicing.anticipate(_utterance(f"The kettle is on, {number}."))
        await clock.sleep(1)
    assert len(voicing._works) <= 8
    await voicing.close()
