"""A request that is repeated under its key counts once."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.house import ask, open_house, settled
from tests.unit.core.journal_reading import receipts, records
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, CastState, Outcome
from wyoming_kokoro.model.errors import IdempotencyMismatchError, LogError, StorageFullError
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.records import Job

DINNER = CastRequest(source="http:1", text="Dinner is ready.")
DOORBELL = CastRequest(source="http:1", text="Somebody is at the door.")
HOUR_SECONDS = 3600.0


@virtually
async def test_the_same_request_is_accepted_once_and_answered_the_same() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        first = await house.intake.accept(DINNER, idempotency_key="k")
        again = await house.intake.accept(DINNER, idempotency_key="k")
        await clock.sleep(0.01)
        await settled(house)
        later = await house.intake.accept(CastRequest(source="http:2", text="Dinner is ready."), idempotency_key="k")
        assert first == again == later
        assert first.is_new
        other = await house.intake.accept(DINNER, idempotency_key="another")
        assert (other.cast_id, other.is_hit) == (first.cast_id, True)
        await settled(house)
    assert len(records(storage, JOBS, Job)) == 2


@virtually
async def test_another_request_under_the_same_key_is_refused_by_name() -> None:
    async with open_house(clock=VirtualClock()) as house:
        await house.intake.accept(DINNER, idempotency_key="k")
        for other in (DOORBELL, CastRequest(source="http:1", text=DINNER.text, voice="bf_emma")):
            with pytest.raises(IdempotencyMismatchError) as refused:
                await house.intake.accept(other, idempotency_key="k")
            assert refused.value.code == "idempotency_mismatch"
        await house.intake.accept(DOORBELL, idempotency_key="fresh")
        await settled(house)


@virtually
async def test_a_key_outlives_a_restart_for_new_casts_known_ones_and_hits() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        first = await house.intake.accept(DINNER, idempotency_key="new")
        await clock.sleep(0.01)
        await settled(house)
        hit = await house.intake.accept(DINNER, idempotency_key="hit")
        await settled(house)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        again = await house.intake.accept(DINNER, idempotency_key="new")
        assert again == first
        assert hit.is_hit
        assert (await house.intake.accept(DINNER, idempotency_key="hit")).is_hit
        for key in ("new", "hit"):
            with pytest.raises(IdempotencyMismatchError):
                await house.intake.accept(DOORBELL, idempotency_key=key)


@virtually
async def test_a_hit_under_a_key_never_touches_the_engine_and_moves_nothing() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        dinner = await house.intake.accept(DINNER)
        await house.intake.accept(DOORBELL)
        await clock.sleep(0.01)
        await settled(house)
        before = [view.cast_id for view in (await house.casts.newest())[0]]
        assert (await house.intake.accept(DINNER, idempotency_key="k")).is_hit
        await clock.sleep(0.01)
        await settled(house)
        assert len(engine.spoken) == 2
        assert [view.cast_id for view in (await house.casts.newest())[0]] == before
        assert (await house.casts.get(dinner.cast_id)).state is CastState.DONE
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE] * 3


@virtually
async def test_after_its_time_a_key_means_nothing_any_more() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        await house.intake.accept(DINNER, idempotency_key="k")
        await settled(house)
        await clock.sleep(23 * HOUR_SECONDS)
        with pytest.raises(IdempotencyMismatchError):
            await house.intake.accept(DOORBELL, idempotency_key="k")
        await clock.sleep(2 * HOUR_SECONDS)
        await house.intake.accept(DOORBELL, idempotency_key="k")
        await settled(house)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        with pytest.raises(IdempotencyMismatchError):
            await house.intake.accept(DINNER, idempotency_key="k")


@virtually
async def test_simultaneous_repeats_are_one_job() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        answers = await asyncio.gather(*(house.intake.accept(DINNER, idempotency_key="k") for _ in range(5)))
        assert len(set(answers)) == 1
        await settled(house)
    assert len(records(storage, JOBS, Job)) == 1


@virtually
async def test_a_request_that_was_refused_is_not_remembered() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)
    async with open_house(log, clock=clock) as house:
        log.full = True
        with pytest.raises(StorageFullError):
            await house.intake.accept(DINNER, idempotency_key="k")
        log.full = False
        assert (await house.intake.accept(DOORBELL, idempotency_key="k")).job is not None
        await settled(house)


@virtually
async def test_a_request_whose_outcome_nobody_knows_is_found_by_its_key_after_a_restart() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = FaultyLog(MemoryLog(clock, storage=storage), Random(0), clock)
    async with open_house(log, clock=clock, grace_seconds=0) as house:
        await house.shop.shelf.ready()
        log.faults = Faults(lose_reply=1.0)
        with pytest.raises(LogError):
            await house.intake.accept(DINNER, idempotency_key="k")
        log.faults = Faults()
    job = records(storage, JOBS, Job)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        if job:
            with pytest.raises(IdempotencyMismatchError):
                await house.intake.accept(DOORBELL, idempotency_key="k")
        accepted = await house.intake.accept(DINNER, idempotency_key="k")
        client = await ask(house, DINNER.text).done()
        assert client.cast_id == accepted.cast_id
        await settled(house)
