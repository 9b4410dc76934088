"""Accepting: hits, merged jobs, limits, and what is asked again after a bad end."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from tests.house import ask, hear, open_house, say, settled
from tests.simulation.faulty_engine import FaultyEngine
from tests.unit.core.journal_reading import receipts, starts
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, JobKind, Outcome, Priority
from wyoming_kokoro.model.errors import CastCutError, CastFailedError, CastNotFoundError, QueueFullError
from wyoming_kokoro.model.ids import JOBS, cast_stream, catalog_stream
from wyoming_kokoro.model.records import Cancel, Expired, Job, Trim

TEXT = "The kettle is on. The garden door is open."


@virtually
async def test_what_is_whole_is_heard_again_with_identical_bytes_and_without_the_engine() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    first_engine, second_engine = ToneEngine(clock), ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), first_engine, clock=clock) as house:
        cast_id, first = await say(house, TEXT)
        same_id, second = await say(house, TEXT)
        assert len(first_engine.started) == 2
    async with open_house(MemoryLog(clock, storage=storage), second_engine, clock=clock) as house:
        after_restart, third = await say(house, TEXT)
    assert {cast_id, same_id, after_restart} == {cast_id}
    assert [piece.pcm for piece in first] == [piece.pcm for piece in second] == [piece.pcm for piece in third]
    assert not second_engine.started
    assert len(storage.stream(JOBS).records) == 1


@virtually
async def test_many_who_ask_for_the_same_text_at_once_share_one_cast_and_one_synthesis() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = ToneEngine(clock, realtime_factor=5.0)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        clients = [ask(house, TEXT, source=f"client {number}") for number in range(12)]
        heard = [(await client.done()).pieces for client in clients]
        await settled(house)
    assert len({client.cast_id for client in clients}) == 1
    assert {tuple(piece.text for piece in pieces) for pieces in heard} == {("The kettle is on. ", "The garden door is open.")}
    assert len(engine.started) == 2
    settled_jobs = sorted(job for receipt in receipts(storage) for job in receipt.jobs)
    assert settled_jobs == list(range(storage.stream(JOBS).state.tail))


@virtually
async def test_only_the_first_of_those_who_ask_at_once_is_told_that_the_cast_is_new() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        request = CastRequest(source="test", text=TEXT)
        accepted = await asyncio.gather(*(house.intake.accept(request) for _ in range(5)))
        assert sum(answer.is_new for answer in accepted) == 1
        assert not any(answer.is_hit for answer in accepted)
        await settled(house)
        assert (await house.intake.accept(request)).is_hit


@virtually
async def test_a_job_that_comes_when_the_cast_is_whole_already_gets_a_receipt_of_its_own() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = MemoryLog(clock, storage=storage)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        cast_id, _ = await say(house, TEXT)
        await settled(house)
        recipe = house.intake.recipes.whole(CastRequest(source="test", text=TEXT))
        job = Job(cast_id=cast_id, kind=JobKind.SPEAK, recipe=recipe, priority=Priority.NORMAL, source="late")
        ack = await log.append(JOBS, [job])
        await clock.sleep(1)
        await settled(house)
    assert [(receipt.jobs, receipt.outcome) for receipt in receipts(storage)] == [
        ((0,), Outcome.DONE),
        ((ack.start,), Outcome.DONE),
    ]
    assert len(engine.started) == 2


@virtually
async def test_a_cast_that_failed_is_tried_again_when_it_is_asked_for_again() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = FaultyEngine(ToneEngine(clock), Random(0))
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        for _ in range(2):
            client = ask(house, "This is unspeakable indeed.")
            with pytest.raises(CastFailedError, match="no way to say"):
                await client.done()
        await settled(house)
    assert client.cast_id is not None
    assert [start.attempt for start in starts(storage, client.cast_id)] == [1, 2]
    assert [(receipt.jobs, receipt.outcome) for receipt in receipts(storage)] == [((0,), Outcome.DEAD), ((1,), Outcome.DEAD)]


@virtually
async def test_a_cast_that_has_expired_is_made_again() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = MemoryLog(clock, storage=storage)
    async with open_house(log, clock=clock) as house:
        cast_id, first = await say(house, TEXT)
        await settled(house)
    for stream in (cast_stream(cast_id), catalog_stream(cast_id)):
        tail = await log.check_tail(stream)
        await log.append(stream, [Expired(), Trim(tail)])
    engine = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        again, second = await say(house, TEXT)
    assert again == cast_id
    assert [piece.pcm for piece in second] == [piece.pcm for piece in first]
    assert [start.next_index for start in starts(storage, cast_id)] == [0]
    assert len(storage.stream(catalog_stream(cast_id)).records) >= 1


@virtually
async def test_too_many_waiting_requests_are_refused_and_later_ones_taken_again() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock)
    async with open_house(engine=engine, clock=clock, max_jobs=2) as house:
        engine.hold()
        for number in range(2):
            await house.intake.accept(CastRequest(source="test", text=f"This is text {number}."))
        await clock.sleep(1)
        refused = ask(house, "One more.")
        with pytest.raises(QueueFullError, match="2 requests"):
            await refused.done()
        engine.release()
        await settled(house)
        assert len((await ask(house, "One more.").done()).pieces) == 1


@virtually
async def test_a_cancelled_cast_is_cut_and_only_when_no_other_job_wants_it() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = MemoryLog(clock, storage=storage)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        engine.hold()
        one, other = ask(house, TEXT), ask(house, TEXT)
        await clock.sleep(1)
        assert one.cast_id is not None
        await log.append(JOBS, [Cancel(cast_id=one.cast_id, job=0)])
        await clock.sleep(1)
        assert [(receipt.jobs, receipt.outcome) for receipt in receipts(storage)] == [((0, 2), Outcome.CANCELLED)]
        engine.release()
        assert len((await other.done()).pieces) == 2
        await settled(house)
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.CANCELLED, Outcome.DONE]


@virtually
async def test_a_cancel_that_comes_while_the_cast_ends_is_settled_too() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    delays: list[str] = []

    async def slow(stream: str) -> None:
        if stream == "progress/done":
            delays.append(stream)
            await clock.sleep(2)

    log = MemoryLog(clock, storage=storage, delay=slow)
    async with open_house(log, clock=clock) as house:
        cast_id, pieces = await say(house, TEXT)
        await clock.sleep(1)
        assert delays
        await log.append(JOBS, [Cancel(cast_id=cast_id)])
        await settled(house)
        assert len(house.shop.backlog) == 0
        assert len(await hear(house, cast_id)) == len(pieces)
    assert house.shop.backlog.watermark.jobs == 2


@virtually
async def test_who_joins_a_cast_that_was_cancelled_before_it_began_is_told_so() -> None:
    clock = VirtualClock()
    log = MemoryLog(clock)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock, max_open_casts=1) as house:
        engine.hold()
        await house.intake.accept(CastRequest(source="test", text="This is in the way.", priority=Priority.HIGH))
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        await log.append(JOBS, [Cancel(cast_id=accepted.cast_id)])
        await clock.sleep(1)
        with pytest.raises(CastCutError, match="nobody makes"):
            await hear(house, accepted.cast_id)
        engine.release()
        await settled(house)


@virtually
async def test_a_cast_that_nobody_ever_asked_for_is_not_found() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        with pytest.raises(CastNotFoundError, match="there is no cast"):
            await hear(house, house.intake.recipes.whole(CastRequest(source="test", text=TEXT)).cast_id)


@virtually
async def test_a_cancel_takes_back_what_was_asked_before_it_and_nothing_that_comes_after() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = MemoryLog(clock, storage=storage)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        engine.hold()
        before = ask(house, TEXT)
        await clock.sleep(1)
        assert before.cast_id is not None
        await log.append(JOBS, [Cancel(cast_id=before.cast_id)])
        await clock.sleep(1)
        after = ask(house, TEXT)
        await clock.sleep(1)
        engine.release()
        await settled(house)
        with pytest.raises(CastCutError):
            await before.done()
        assert len((await after.done()).pieces) == 2
    assert [(receipt.jobs, receipt.outcome) for receipt in receipts(storage)] == [
        ((0, 1), Outcome.CANCELLED),
        ((2,), Outcome.DONE),
    ]


@virtually
async def test_a_job_that_comes_while_a_cancelled_cast_is_being_cut_is_made_all_the_same() -> None:
    clock, storage = VirtualClock(), MemoryStorage()

    async def slow(stream: str) -> None:
        if stream.startswith("pub/"):
            await clock.sleep(1)

    log = MemoryLog(clock, storage=storage, delay=slow)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        engine.hold()
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        await clock.sleep(3)
        await log.append(JOBS, [Cancel(cast_id=accepted.cast_id)])
        await clock.sleep(0.5)
        assert not receipts(storage)
        recipe = house.intake.recipes.whole(CastRequest(source="test", text=TEXT))
        again = Job(
            cast_id=accepted.cast_id, kind=JobKind.SPEAK, recipe=recipe, priority=Priority.NORMAL, source="test", due_ms=None
        )
        await log.append(JOBS, [again])
        engine.release()
        await settled(house)
        assert len(await hear(house, accepted.cast_id)) == 2
    assert [(receipt.jobs, receipt.outcome) for receipt in receipts(storage)] == [
        ((0, 1), Outcome.CANCELLED),
        ((2,), Outcome.DONE),
    ]


@virtually
async def test_who_listens_to_a_cast_that_is_cut_is_told_though_somebody_asks_for_it_at_once() -> None:
    clock = VirtualClock()
    log = MemoryLog(clock)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        engine.hold()
        before = ask(house, TEXT)
        await clock.sleep(1)
        assert before.cast_id is not None
        await log.append(JOBS, [Cancel(cast_id=before.cast_id)])
        after = ask(house, TEXT)
        with pytest.raises(CastCutError):
            await before.done()
        engine.release()
        assert len((await after.done()).pieces) == 2
        await settled(house)
