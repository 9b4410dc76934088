"""What the server counts, and what its log never says."""

from __future__ import annotations

import logging
from random import Random

import pytest

from tests.house import ask, open_house, settled
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.core.metrics import Counter, Gauge, Histogram, Metrics
from wyoming_kokoro.engine.melody import melody_seconds
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.audio import Speech
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import EngineDiedError, StorageFullError, VoiceOfAHouseError
from wyoming_kokoro.model.recipe import Utterance

TEXT = "Dinner is ready. The soup is hot."


def numbers(metrics: Metrics) -> dict[str, float]:
    """Every number by its name and labels, as a page of text would show it."""
    found: dict[str, float] = {}
    for family in metrics.snapshot():
        for suffix, labels, value in family.samples:
            shown = ",".join(f"{name}={text}" for name, text in labels)
            found[f"{family.name}{suffix}" + (f"{{{shown}}}" if shown else "")] = value
    return found


def test_every_number_is_there_from_the_beginning_with_a_name_a_kind_and_a_meaning() -> None:
    families = Metrics().snapshot()
    assert {family.name for family in families} == {each.name for each in (*Counter, *Histogram)}
    assert all(family.meaning and family.samples for family in families)
    assert all(family.name.endswith("_total") == (family.kind == "counter") for family in families)


def test_a_histogram_adds_up_and_its_buckets_contain_each_other() -> None:
    metrics = Metrics()
    for seconds in (0.005, 0.01, 0.2, 99.0):
        metrics.observe(Histogram.first_audio_seconds, seconds)
    found = numbers(metrics)
    assert found["first_audio_seconds_bucket{le=0.01}"] == 2
    assert found["first_audio_seconds_bucket{le=0.1}"] == 2
    assert found["first_audio_seconds_bucket{le=0.2}"] == 3
    assert found["first_audio_seconds_bucket{le=30}"] == 3
    assert found["first_audio_seconds_bucket{le=+Inf}"] == found["first_audio_seconds_count"] == 4
    assert found["first_audio_seconds_sum"] == pytest.approx(99.215)


@virtually
async def test_one_cast_and_its_hit_leave_the_right_numbers() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=2.0)
    async with open_house(None, engine, clock=clock) as house:
        client = ask(house, TEXT)
        while not client.pieces:
            await clock.sleep(0.05)
        during = numbers(house.metrics)
        assert (during["listeners"], during["queue_length"], during["open_casts"]) == (2, 1, 1)
        await client.done()
        await settled(house)
        await ask(house, TEXT).done()
        await ask(house, "The soup is hot. It is late.").done()
        await settled(house)
        found = numbers(house.metrics)
        seconds = sum(map(melody_seconds, engine.spoken))
        assert found["requests_total{kind=whole}"] == 3
        assert found["hits_total"] == 1
        assert found["casts_total{outcome=done}"] == 2
        assert found["sentences_total{how=synthesised}"] == len(engine.spoken)
        assert found["audio_seconds_total{how=synthesised}"] == pytest.approx(seconds, abs=0.1)
        assert found["generation_seconds_total"] > 0
        assert found["realtime_factor"] == pytest.approx(2.0, rel=0.05)
        assert (found["listeners"], found["queue_length"], found["open_casts"]) == (0, 0, 0)
        assert found["shelved_casts"] == 2
        assert found["first_audio_seconds_count"] == 3


@virtually
async def test_a_sentence_that_is_copied_counts_as_reused() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        await ask(house, "It is late. The soup is hot. Good night.").done()
        await settled(house)
        await ask(house, "It is late. The soup is hot. Good morning.").done()
        await settled(house)
        assert house.metrics.counted(Counter.sentences_total, "reused") == 2
        assert house.metrics.counted(Counter.sentences_total, "synthesised") == 4


@virtually
async def test_what_goes_wrong_is_counted() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)

    class Deadly(ToneEngine):
        async def synthesize(self, utterance: Utterance) -> Speech:
            if "poison" in utterance.spoken:
                raise EngineDiedError("it died")
            return await super().synthesize(utterance)

    async with open_house(log, Deadly(clock), clock=clock) as house:
        with pytest.raises(VoiceOfAHouseError):
            await ask(house, "A drop of poison.").done()
        await settled(house)
        await ask(house, "Hello there.", voice="nobody", any_voice=True).done()
        log.full = True
        with pytest.raises(StorageFullError):
            await house.intake.accept(CastRequest(source="test", text="No room."))
        await ask(house, "From memory.").done()
        found = numbers(house.metrics)
        assert found["engine_deaths_total"] == 2
        assert found["casts_total{outcome=dead}"] == 1
        assert found["voice_fallbacks_total"] == 1
        assert found["log_refusals_total{reason=full}"] >= 2
        assert found["requests_total{kind=unlogged}"] == 1
        assert found["storage_short"] == 1
        log.full = False
        await settled(house)


@virtually
async def test_the_log_names_casts_and_never_what_they_say() -> None:
    clock = VirtualClock()
    records: list[logging.LogRecord] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            records.append(record)

    logger, handler = logging.getLogger("wyoming_kokoro"), Kept(logging.INFO)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        async with open_house(clock=clock) as house:
            client = await ask(house, "A very private matter. It is nobody's business.").done()
            await settled(house)
            cast_id = client.cast_id
            assert cast_id is not None
            await ask(house, "A very private matter. It is nobody's business.").done()
            await house.casts.cancel(cast_id)
            await house.casts.delete(cast_id)
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    said = [record.getMessage() for record in records]
    assert not [line for line in said if "private" in line or "business" in line]
    for word in ("accepted", "is done", "a hit", "is cancelled", "is expired"):
        assert [line for line in said if word in line and cast_id in line], word


def test_no_two_numbers_have_one_name() -> None:
    names = [each.name for each in (*Counter, *Gauge, *Histogram)]
    assert len(names) == len(set(names))
