"""What is removed when, and what never is."""

from __future__ import annotations

import contextlib
from random import Random

import pytest

from tests.house import ask, hear, open_house, say, settled
from tests.unit.core.journal_reading import receipts, records
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.metrics import Counter, Gauge
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, CastState, JobKind, Outcome
from wyoming_kokoro.model.errors import StorageFullError
from wyoming_kokoro.model.ids import JOBS, JOBS_DEAD, PROGRESS_DONE, CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.recipe import Profile, Recipe
from wyoming_kokoro.model.records import (
    Catalogued,
    DeadLetter,
    Expired,
    Job,
    Meta,
    Receipt,
    Requeued,
)
from wyoming_kokoro.settings import RetentionSettings

DAY_SECONDS = 86_400.0


async def made(house: House, text: str, *, keep: bool = False) -> CastId:
    accepted = await house.intake.accept(CastRequest(source="test", text=text, keep=keep))
    await house.shop.clock.sleep(0.01)
    await settled(house)
    return accepted.cast_id


async def run(house: House, **settings: int) -> None:
    await house.shop.settling.commit()
    await Retention(house.shop, RetentionSettings(**settings)).run()


async def state(house: House, cast_id: CastId) -> CastState:
    return (await house.casts.get(cast_id)).state


def is_short(house: House) -> bool:
    return house.shop.log.is_short


@virtually
async def test_what_is_older_than_its_days_goes_with_its_text_and_the_rest_stays() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        old = await made(house, "This is old.")
        await clock.sleep(20 * DAY_SECONDS)
        young = await made(house, "This is young.")
        await run(house, retention_days=30)
        assert await state(house, old) is CastState.DONE
        await clock.sleep(11 * DAY_SECONDS)
        await run(house, retention_days=30)
        assert (await state(house, old), await state(house, young)) == (CastState.EXPIRED, CastState.DONE)
        assert records(storage, catalog_stream(old), Catalogued) == []
        assert [job.cast_id for job in records(storage, JOBS, Job)] == [young]
        assert [view.cast_id for view in (await house.casts.newest())[0]] == [young]
        assert house.metrics.counted(Counter.casts_total, "expired") == 1
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE, Outcome.DONE, Outcome.EXPIRED]


@virtually
async def test_an_expired_cast_is_made_anew_when_it_is_asked_for_and_is_young_again() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock)
    async with open_house(None, engine, clock=clock) as house:
        cast_id = await made(house, "Dinner is ready.")
        await clock.sleep(31 * DAY_SECONDS)
        await run(house)
        again, pieces = await say(house, "Dinner is ready.")
        assert (again, len(pieces), len(engine.spoken)) == (cast_id, 1, 2)
        await settled(house)
        await clock.sleep(20 * DAY_SECONDS)
        await run(house)
        assert await state(house, cast_id) is CastState.DONE


@virtually
async def test_a_kept_cast_outlives_everything_and_a_keep_on_a_hit_counts() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        first = await made(house, "Keep this.", keep=True)
        second = await made(house, "Keep this, too.")
        third = await made(house, "This may go.")
        assert (await house.intake.accept(CastRequest(source="test", text="Keep this, too.", keep=True))).is_hit
        await clock.sleep(100 * DAY_SECONDS)
        await run(house, retention_bytes=1)
        assert [await state(house, cast) for cast in (first, second, third)] == [
            CastState.DONE, CastState.DONE, CastState.EXPIRED,
        ]  # fmt: skip
        assert len(await hear(house, first)) == 1


@virtually
async def test_a_cast_that_somebody_listens_to_or_waits_for_is_never_removed() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(None, engine, clock=clock) as house:
        heard, kept_waiting = await made(house, "Somebody listens."), "Nobody is in a hurry. This takes its time."
        with house.shop.feeds.listening(heard):
            client = ask(house, kept_waiting)
            while not client.pieces:
                await clock.sleep(0.1)
            await run(house, retention_days=0, retention_bytes=1)
            assert await state(house, heard) is CastState.DONE
            assert len((await client.done()).pieces) == 2
        await settled(house)
        await clock.sleep(1)
        await run(house, retention_days=0)
        assert await state(house, heard) is CastState.EXPIRED


@virtually
async def test_above_its_size_the_journal_loses_its_oldest_casts_and_not_more_than_it_must() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        casts = [await made(house, f"This is number {number}.") for number in range(10)]
        used_bytes = (await house.shop.log.usage()).used_bytes
        await run(house, retention_bytes=round(0.72 * used_bytes))
        states = [await state(house, cast) for cast in casts]
        gone = states.count(CastState.EXPIRED)
        assert states == [CastState.EXPIRED] * gone + [CastState.DONE] * (10 - gone)
        assert 3 <= gone <= 4
        assert (await house.shop.log.usage()).used_bytes <= 0.72 * used_bytes


@virtually
async def test_what_was_asked_for_and_never_became_a_job_goes_after_a_day() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        cast_id = CastId("abcdefghij234567")
        recipe = Recipe(text="t", sentences=(), voice="v", speed=1.0, language="l", profile=Profile.LATENCY, model="m",
                        text_version=1)  # fmt: skip
        await house.shop.log.append(catalog_stream(cast_id), [Catalogued(recipe=recipe)])
        meta = Meta(cast_id=cast_id, kind=JobKind.SPEAK, voice="v", language="l")
        await house.shop.log.append(cast_stream(cast_id), [meta])
        await clock.sleep(DAY_SECONDS / 2)
        await run(house)
        assert await state(house, cast_id) is CastState.FAILED
        await clock.sleep(DAY_SECONDS)
        await run(house)
        assert await state(house, cast_id) is CastState.EXPIRED
        tail = await house.shop.log.check_tail(PROGRESS_DONE)
        await run(house)
        assert await house.shop.log.check_tail(PROGRESS_DONE) == tail


@virtually
async def test_jobs_are_not_trimmed_above_the_watermark_nor_over_and_over() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        await made(house, "One.")
        await clock.sleep(40 * DAY_SECONDS)
        await Retention(house.shop, RetentionSettings()).run()
        await run(house)
        tail = await house.shop.log.check_tail(JOBS)
        assert tail == 2
        await clock.sleep(40 * DAY_SECONDS)
        await run(house)
        assert await house.shop.log.check_tail(JOBS) == tail
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        assert len(house.shop.backlog) == 0
        assert len((await say(house, "Two."))[1]) == 1


@virtually
async def test_dead_letters_go_with_their_age() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        recipe = Recipe(text="t", sentences=(), voice="v", speed=1.0, language="l", profile=Profile.LATENCY, model="m",
                        text_version=1)  # fmt: skip
        cast_id = CastId("abcdefghij234567")
        letter = DeadLetter(cast_id=cast_id, jobs=(1,), reason="r", kind=JobKind.SPEAK, recipe=recipe)
        await house.shop.log.append(JOBS_DEAD, [letter])
        await house.shop.log.append(JOBS_DEAD, [Requeued(cast_id=cast_id, letters=(0,))])
        await clock.sleep(20 * DAY_SECONDS)
        await house.shop.log.append(JOBS_DEAD, [letter])
        await run(house)
        assert len(await house.shop.log.read(JOBS_DEAD, 0)) == 3
        await clock.sleep(11 * DAY_SECONDS)
        await run(house)
        assert records(storage, JOBS_DEAD, DeadLetter) == [letter]
        assert len(await house.casts.dead()) == 1


@virtually
async def test_old_receipts_are_compacted_and_those_of_casts_that_are_there_stay_in_their_order() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        kept = [await made(house, f"Keep number {number}.", keep=True) for number in range(3)]
        gone = Receipt(cast_id=CastId("abcdefghij234567"), jobs=(), outcome=Outcome.EXPIRED)
        for _ in range(3):
            await house.shop.settling.append([gone] * 700)
        kept.append(await made(house, "Keep the last.", keep=True))
        await run(house)
        left = await house.shop.log.read(PROGRESS_DONE, 0)
        assert left[0].seq_num >= 2000
        before = [(view.cast_id, view.receipt) for view in (await house.casts.newest())[0]]
        assert [cast for cast, _ in before] == kept[::-1]
        assert all(receipt is not None and receipt.outcome is Outcome.DONE for _, receipt in before)
        await house.shop.settling.commit()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        assert [view.cast_id for view in (await house.casts.newest())[0]] == kept[::-1]
        assert len(house.shop.backlog) == 0


@virtually
async def test_a_clock_that_went_back_removes_nothing_and_one_that_lags_is_not_believed() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        old = await made(house, "This is old.")
        await clock.sleep(30.5 * DAY_SECONDS)
        await made(house, "This is new.")

    class Lagging(VirtualClock):
        lag_seconds = 0.75 * DAY_SECONDS

        def now_ms(self) -> int:
            return super().now_ms() - round(1000 * self.lag_seconds)

    lagging = Lagging()
    async with open_house(MemoryLog(lagging, storage=storage), clock=lagging) as house:
        lagging.lag_seconds = 100 * DAY_SECONDS
        await run(house)
        assert await state(house, old) is CastState.DONE
        lagging.lag_seconds = 0.75 * DAY_SECONDS
        await run(house)
        assert await state(house, old) is CastState.EXPIRED


@virtually
async def test_a_removal_that_was_interrupted_is_finished_by_the_next_run() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        cast_id = await made(house, "Half removed.")
        tail = await house.shop.log.check_tail(cast_stream(cast_id))
        await house.shop.log.append(cast_stream(cast_id), [Expired()], match_seq_num=tail)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        await house.shop.shelf.ready()
        assert cast_id in house.shop.shelf
        await clock.sleep(31 * DAY_SECONDS)
        await run(house)
        assert records(storage, catalog_stream(cast_id), Catalogued) == []
        assert cast_id not in house.shop.shelf


@virtually
async def test_a_full_journal_takes_nothing_new_and_all_is_well_once_there_is_room() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)
    async with open_house(log, clock=clock) as house:
        heard = await made(house, "This is stored.")
        log.full = True
        for text in ("This is not.", "Nor is this."):
            with pytest.raises(StorageFullError):
                await house.intake.accept(CastRequest(source="test", text=text))
        assert is_short(house)
        assert house.metrics.counted(Counter.log_refusals_total, "full") >= 2
        assert (await house.intake.accept(CastRequest(source="test", text="This is stored."))).is_hit
        client = await ask(house, "This is spoken all the same.").done()
        assert len(client.pieces) == 1
        assert house.metrics.counted(Counter.requests_total, "unlogged") == 1
        log.full = False
        assert (await house.intake.accept(CastRequest(source="test", text="This is not."))).job is not None
        assert not is_short(house)
        assert len(await hear(house, heard)) == 1


@virtually
async def test_while_room_is_made_nobody_else_gets_it() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        cast_id = await made(house, "This may go.")
        async with house.shop.log.relief():
            with pytest.raises(StorageFullError):
                await house.intake.accept(CastRequest(source="test", text="This must wait."))
            await house.casts.cancel(cast_id)
            await house.retention.run()
        assert (await house.intake.accept(CastRequest(source="test", text="This must wait."))).job is not None


@virtually
async def test_the_task_runs_by_itself_and_relieves_a_full_journal() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)
    async with open_house(log, clock=clock) as house:
        retention = Retention(house.shop, RetentionSettings(retention_days=2))
        task = house.shop.tasks.start(retention.work(), name="retention")
        cast_id = await made(house, "This is old in three days.")
        await clock.sleep(DAY_SECONDS)
        assert await state(house, cast_id) is CastState.DONE
        await clock.sleep(2 * DAY_SECONDS)
        assert await state(house, cast_id) is CastState.EXPIRED
        log.full = True
        with pytest.raises(StorageFullError):
            await house.intake.accept(CastRequest(source="test", text="No room for this."))
        await clock.sleep(3600)
        assert is_short(house)
        log.full = False
        await clock.sleep(20)
        assert not is_short(house)
        gauges = {family.name: family.samples[0].value for family in house.metrics.snapshot() if family.kind == "gauge"}
        assert gauges[Gauge.journal_used_bytes.name] > 0
        log.away = True
        await clock.sleep(7200)
        log.away = False
        await clock.sleep(7200)
        assert not task.done()
        task.cancel()
        with contextlib.suppress(BaseException):
            await task


@virtually
async def test_a_deletion_works_on_a_full_journal_too() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)
    async with open_house(log, clock=clock) as house:
        cast_id = await made(house, "This may go.")
        log.full = True
        with pytest.raises(StorageFullError):
            await house.casts.delete(cast_id)
        log.full = False
        await house.casts.delete(cast_id)
        assert await state(house, cast_id) is CastState.EXPIRED
        assert not is_short(house)
