"""Rotten records, deadly sentences, crashes and restarts: what is made again, and what is never."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

import pytest

from tests.house import ask, doomed_house, hear, open_house, say, settled
from tests.simulation.faulty_engine import FaultyEngine
from tests.unit.core.journal_reading import dead_letters, indexes, receipts, records, rot, starts
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, Outcome, Priority
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, CastFailedError
from wyoming_kokoro.model.ids import JOBS, cast_stream
from wyoming_kokoro.model.records import Alive, Eos, Fail, Start

TEXT = "The kettle is on. The garden door is open. The lamp is old. The window is near."
POISONED = "The kettle is on. This is poison indeed. The lamp is old."


@virtually
async def test_a_rotten_sentence_is_made_again_and_the_listener_hears_everything() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        cast_id, first = await say(house, TEXT)
        await settled(house)
    rot(storage, cast_id, 2)
    engine = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        again = await hear(house, cast_id)
        await settled(house)
        assert [piece.pcm for piece in again] == [piece.pcm for piece in first]
        assert indexes(storage, cast_id) == [0, 1, 2, 3, 2, 3]
        assert [start.next_index for start in starts(storage, cast_id)] == [0, 2]
        assert [utterance.spoken for utterance in engine.spoken] == ["The lamp is old."]
        assert (await house.intake.accept(CastRequest(source="test", text=TEXT))).is_hit


@virtually
async def test_a_sentence_that_rots_behind_a_slow_listeners_back_is_made_again_for_it() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        pieces = house.listening.listen(accepted.cast_id)
        heard = [await anext(pieces)]
        await clock.sleep(5)
        rot(storage, accepted.cast_id, 2)
        heard += [piece async for piece in pieces]
        await settled(house)
    assert "".join(piece.text for piece in heard) == TEXT


@virtually
async def test_a_sentence_that_was_spoken_in_another_text_is_copied_also_after_a_restart() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        _, first = await say(house, "The kettle is on. The lamp is old. The door is open.")
        await settled(house)
    engine = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        await clock.sleep(1)
        _, second = await say(house, "The window is near. The lamp is old. The garden is wet.")
        await settled(house)
    assert [utterance.spoken for utterance in engine.spoken] == ["The window is near.", "The garden is wet."]
    assert second[1].pcm == first[1].pcm
    assert [receipt.reused for receipt in receipts(storage)] == [0, 1]


@virtually
async def test_a_crash_costs_the_sentence_under_way_and_nothing_that_was_acked() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    before = ToneEngine(clock, realtime_factor=1.0)
    async with doomed_house(storage, clock, before) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        while len(indexes(storage, accepted.cast_id)) < 2:
            await clock.sleep(0.1)
    after = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), after, clock=clock) as house:
        assert len(await hear(house, accepted.cast_id)) == 4
        await settled(house)
    assert [utterance.spoken for utterance in after.started] == ["The lamp is old.", "The window is near."]
    assert [start.next_index for start in starts(storage, accepted.cast_id)] == [0, 2]
    assert indexes(storage, accepted.cast_id) == [0, 1, 2, 3]


@virtually
async def test_who_asks_again_after_a_crash_has_nothing_made_twice() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with doomed_house(storage, clock, ToneEngine(clock, realtime_factor=1.0)) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        while len(indexes(storage, accepted.cast_id)) < 2:
            await clock.sleep(0.1)
    after = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), after, clock=clock) as house:
        assert len((await ask(house, TEXT).done()).pieces) == 4
        await settled(house)
    assert [utterance.spoken for utterance in after.started] == ["The lamp is old.", "The window is near."]


@virtually
async def test_a_sentence_that_kills_the_engine_twice_ends_in_fail_dead_letter_and_receipt() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = FaultyEngine(ToneEngine(clock), Random(0))
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        client = ask(house, POISONED)
        with pytest.raises(CastFailedError, match="died 2 times under sentence 1"):
            await client.done()
        assert [piece.index for piece in client.pieces] == [0]
        await settled(house)
        assert len((await ask(house, "The lamp is old.").done()).pieces) == 1
    assert client.cast_id is not None
    stream = cast_stream(client.cast_id)
    assert [alive.died_under for alive in records(storage, stream, Alive)] == [1, 1]
    assert [fail.jobs_tail for fail in records(storage, stream, Fail)] == [1]
    assert [(letter.jobs, letter.recipe.text) for letter in dead_letters(storage)] == [((0,), POISONED)]
    assert (receipts(storage)[0].outcome, receipts(storage)[0].jobs) == (Outcome.DEAD, (0,))


@virtually
async def test_a_death_counts_over_a_restart() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    tone = ToneEngine(clock, realtime_factor=1.0)
    deaths: list[str] = []
    engine = FaultyEngine(tone, Random(0), died=lambda utterance: deaths.append(utterance.spoken))
    async with doomed_house(storage, clock, engine) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=POISONED))
        while not records(storage, cast_stream(accepted.cast_id), Alive):
            await clock.sleep(0.1)
    tone = ToneEngine(clock)
    engine = FaultyEngine(tone, Random(0), died=lambda utterance: deaths.append(utterance.spoken))
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        with pytest.raises(CastFailedError):
            await hear(house, accepted.cast_id)
        await settled(house)
    assert len(deaths) == 2
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DEAD]


@virtually
async def test_bare_crashes_of_the_server_condemn_nothing() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with doomed_house(storage, clock) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        await house.worker.stop(0)
    for _ in range(6):
        async with doomed_house(storage, clock, ToneEngine(clock, realtime_factor=0.01)):
            await clock.sleep(1)
    assert len(starts(storage, accepted.cast_id)) >= 6
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        assert len(await hear(house, accepted.cast_id)) == 4
        await settled(house)
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE]


@virtually
async def test_the_eighth_attempt_in_a_row_that_left_no_trace_is_the_last() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with doomed_house(storage, clock, ToneEngine(clock, realtime_factor=0.01)) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        await clock.sleep(1)
    for _ in range(7):
        async with doomed_house(storage, clock, ToneEngine(clock, realtime_factor=0.01)):
            await clock.sleep(1)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        with pytest.raises(CastFailedError, match="8 attempts in a row"):
            await hear(house, accepted.cast_id)
        await settled(house)
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DEAD]


@virtually
async def test_an_end_without_its_receipt_is_completed_after_a_crash() -> None:
    clock, storage = VirtualClock(), MemoryStorage()

    async def never(stream: str) -> None:
        if stream == "progress/done":
            await asyncio.get_running_loop().create_future()

    log = MemoryLog(clock, storage=storage, delay=never)
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock, grace_seconds=0.1) as house:
        cast_id, _ = await say(house, TEXT)
        await clock.sleep(1)
        assert not receipts(storage)
    after = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), after, clock=clock) as house:
        await settled(house)
    assert not after.started
    assert [(receipt.outcome, receipt.jobs) for receipt in receipts(storage)] == [(Outcome.DONE, (0,))]
    assert len(records(storage, cast_stream(cast_id), Eos)) == 1


@virtually
async def test_stopping_gives_every_cast_back_and_the_next_server_takes_them_at_once() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        await clock.sleep(0.5)
    said = len(engine.spoken)
    assert said == 1
    assert records(storage, cast_stream(accepted.cast_id), Alive)[-1].released
    stopped_at = asyncio.get_running_loop().time()
    after = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), after, clock=clock, worker_name="another") as house:
        assert len(await hear(house, accepted.cast_id)) == 4
        assert asyncio.get_running_loop().time() == pytest.approx(stopped_at, abs=0.001)
        await settled(house)
    assert len(after.started) == 4 - said


@virtually
async def test_a_higher_priority_displaces_the_lowest_open_cast_which_goes_on_later() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock, max_open_casts=1) as house:
        low = ask(house, TEXT, priority=Priority.LOW)
        await clock.sleep(0.5)
        high = await ask(house, "Somebody is at the door.", priority=Priority.HIGH).done()
        await low.done()
        await settled(house)
    assert low.cast_id is not None
    assert high.heard_at[0] < low.heard_at[1]
    assert [start.next_index for start in records(storage, cast_stream(low.cast_id), Start)] == [0, 1]
    assert len(engine.spoken) == 5


@virtually
async def test_a_fail_without_its_dead_letter_and_receipt_is_completed_after_a_crash() -> None:
    clock, storage = VirtualClock(), MemoryStorage()

    async def never(stream: str) -> None:
        if stream == "jobs/dead":
            await asyncio.get_running_loop().create_future()

    log = MemoryLog(clock, storage=storage, delay=never)
    async with open_house(log, FaultyEngine(ToneEngine(clock), Random(0)), clock=clock, grace_seconds=0.1) as house:
        client = ask(house, POISONED)
        with pytest.raises(CastFailedError):
            await client.done()
        await clock.sleep(1)
        assert not dead_letters(storage)
    after = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), after, clock=clock) as house:
        await settled(house)
    assert not after.started
    assert [letter.jobs for letter in dead_letters(storage)] == [(0,)]
    assert [(receipt.outcome, receipt.jobs) for receipt in receipts(storage)] == [(Outcome.DEAD, (0,))]


@pytest.mark.parametrize("seed", range(5))
def test_a_lost_reply_is_read_back_and_costs_no_second_attempt(seed: int) -> None:
    @virtually
    async def run() -> None:
        clock, storage = VirtualClock(), MemoryStorage()
        log = FaultyLog(MemoryLog(clock, storage=storage), Random(seed), clock, Faults(lose_request=0.2, lose_reply=0.4))
        engine = ToneEngine(clock)
        async with open_house(log, engine, clock=clock) as house:
            accepted = None
            while accepted is None:
                with contextlib.suppress(AppendOutcomeUnknownError):
                    accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
            assert len(await hear(house, accepted.cast_id)) == 4
            await settled(house)
            assert [start.next_index for start in starts(storage, accepted.cast_id)] == [0]
            assert indexes(storage, accepted.cast_id) == [0, 1, 2, 3]
            assert len(engine.spoken) == 4

    run()


@virtually
async def test_a_sentence_that_was_only_read_wrongly_is_heard_when_it_is_read_again() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        cast_id, first = await say(house, TEXT)
        await settled(house)
    rot(storage, cast_id, 1)
    log = FaultyLog(MemoryLog(clock, storage=storage), Random(0), clock, Faults(max_delay_seconds=4.0))
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        hearing = asyncio.ensure_future(hear(house, cast_id))
        await clock.sleep(0)
        while not (storage.stream(JOBS).state.tail > 1):
            await clock.sleep(0.01)
        rot(storage, cast_id, 1)
        assert [piece.pcm for piece in await hearing] == [piece.pcm for piece in first]
        await settled(house)
