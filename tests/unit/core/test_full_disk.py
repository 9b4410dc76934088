"""When the journal has no room: heard from memory, kept nowhere, and finished once there is room again."""

from __future__ import annotations

from random import Random

import pytest

from tests.house import ask, open_house, settled
from tests.unit.core.journal_reading import indexes, receipts, starts
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.engine.melody import melody_seconds
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, Outcome
from wyoming_kokoro.model.errors import StorageFullError

TEXT = "The kettle is on. The garden door is open. The lamp is old. The window is near."


def _faulty(clock: VirtualClock, storage: MemoryStorage) -> FaultyLog:
    return FaultyLog(MemoryLog(clock, storage=storage), Random(0), clock)


@virtually
async def test_a_request_that_the_journal_refuses_is_spoken_all_the_same_and_leaves_nothing() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = _faulty(clock, storage)
    log.full = True
    engine = ToneEngine(clock)
    async with open_house(log, engine, clock=clock) as house:
        client = await ask(house, TEXT).done()
        assert "".join(piece.text for piece in client.pieces) == TEXT
        assert all(piece.seq_num is None for piece in client.pieces)
        await settled(house)
        assert not house.shop.feeds._feeds
        assert not house.worker._holdings.unlogged
    assert not storage.streams
    assert len(engine.spoken) == 4


@virtually
async def test_who_wants_it_durable_is_told_that_there_is_no_room() -> None:
    clock = VirtualClock()
    log = _faulty(clock, MemoryStorage())
    log.full = True
    async with open_house(log, clock=clock) as house:
        with pytest.raises(StorageFullError):
            await house.intake.accept(CastRequest(source="test", text=TEXT))


@virtually
async def test_a_disk_that_fills_in_mid_cast_costs_the_listener_nothing_and_the_job_is_finished_later() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = _faulty(clock, storage)
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(log, engine, clock=clock) as house:
        client = ask(house, TEXT)
        await clock.sleep(0.01)
        await clock.sleep(melody_seconds(engine.started[0]) + 0.1)
        log.full = True
        await client.done()
        assert "".join(piece.text for piece in client.pieces) == TEXT
        assert not receipts(storage)
        assert client.cast_id is not None
        assert indexes(storage, client.cast_id) == [0]
        log.full = False
        await settled(house)
        assert indexes(storage, client.cast_id) == [0, 1, 2, 3]
        assert starts(storage, client.cast_id)[-1].next_index == 1
        assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE]
        assert [utterance.spoken for utterance in engine.spoken].count("The kettle is on.") == 1
        again = await ask(house, TEXT).done()
        assert [piece.pcm for piece in again.pieces] == [piece.pcm for piece in client.pieces]


@virtually
async def test_a_journal_that_is_away_for_a_while_holds_up_the_records_and_not_the_sound() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = _faulty(clock, storage)
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(log, engine, clock=clock) as house:
        client = ask(house, TEXT)
        await clock.sleep(0.5)
        log.away = True
        await client.done()
        assert client.heard_at[-1] <= sum(map(melody_seconds, engine.spoken)) + 0.1
        assert client.cast_id is not None
        assert indexes(storage, client.cast_id) == []
        log.away = False
        await settled(house)
        assert indexes(storage, client.cast_id) == [0, 1, 2, 3]
        assert len(engine.spoken) == 4


@virtually
async def test_a_sentence_stays_in_memory_only_until_the_journal_has_it() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    log = _faulty(clock, storage)
    async with open_house(log, clock=clock) as house:
        client = ask(house, TEXT)
        await client.done()
        await settled(house)
        cast_id = client.cast_id
        assert cast_id is not None
        with house.shop.feeds.listening(cast_id) as feed:
            assert not feed._pieces
        log.away = True
        other = ask(house, "The clock is slow. The road is long.")
        await clock.sleep(1)
        log.away = False
        await clock.sleep(20)
        await other.done()
        await settled(house)
        assert not house.shop.feeds._feeds


@virtually
async def test_a_slow_listener_keeps_no_sentence_in_memory() -> None:
    clock = VirtualClock()
    async with open_house(clock=clock) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=TEXT))
        pieces = house.listening.listen(accepted.cast_id)
        await anext(pieces)
        await clock.sleep(5)
        feed = house.shop.feeds.get(accepted.cast_id)
        assert feed is not None
        assert not feed._pieces
        assert len([piece async for piece in pieces]) == 3
        await settled(house)
