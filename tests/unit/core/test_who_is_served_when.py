"""The scheduler and the worker together, with an engine that takes its time: who hears what when."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.house import ask, hear, open_house
from tests.virtual_time import Process, VirtualClock, pass_time, virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.melody import melody_seconds
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, CastState, Priority
from wyoming_kokoro.model.ids import cast_stream
from wyoming_kokoro.model.records import Alive, Audio

DOORBELL = "Somebody is at the door."


def _text(name: str, sentences: int) -> str:
    """Sentences of about three seconds, no two of them alike."""
    return " ".join(f"In {name} the {_letters(index)} lamp is on until the kettle is cold." for index in range(sentences))


def _letters(index: int) -> str:
    return "".join("abcdefghij"[int(digit)] * 2 for digit in f"{index:02}")


@contextlib.asynccontextmanager
async def _house(pace: float) -> AsyncIterator[tuple[House, ToneEngine]]:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=pace)
    async with open_house(engine=engine, clock=clock) as house:
        yield house, engine
        engine.realtime_factor = 0.0


def _longest_turn(engine: ToneEngine) -> float:
    return max(melody_seconds(utterance) for utterance in engine.started) / engine.realtime_factor


def _names(engine: ToneEngine) -> list[str]:
    """Which text each sentence that was begun belongs to, in order."""
    return [utterance.spoken.split()[1] for utterance in engine.started]


@virtually
async def test_a_doorbell_behind_a_five_minute_cast_on_a_slow_engine_hears_its_first_sound_within_two_sentences() -> None:
    async with _house(0.5) as (house, engine):
        book = ask(house, _text("books", 99))
        await pass_time(60)
        doorbell = ask(house, DOORBELL)
        await doorbell.done()
        assert doorbell.waited_seconds <= 2 * _longest_turn(engine)
        assert not book.is_done
        await book.leave()


@virtually
async def test_after_an_outage_of_the_engine_the_doorbell_comes_first_and_the_rest_is_still_said() -> None:
    async with _house(2.0) as (house, engine):
        book = ask(house, _text("books", 6))
        await pass_time(1)
        engine.hold()
        await pass_time(15)
        doorbell = ask(house, DOORBELL)
        await pass_time(15)
        assert not doorbell.pieces
        begun = len(engine.started)
        engine.release()
        await doorbell.done()
        assert engine.started[begun].spoken == DOORBELL
        assert len((await book.done()).pieces) == 6


@virtually
async def test_eight_casts_at_once_take_turns() -> None:
    async with _house(1.0) as (house, engine):
        rooms = [f"room{_letters(number)}" for number in range(8)]
        clients = [ask(house, _text(room, 8), room=room) for room in rooms]
        await pass_time(120)
        served = _names(engine)
        assert sorted(served[:8]) == sorted(rooms)
        counts = [served.count(room) for room in rooms]
        assert max(counts) - min(counts) <= 1
        engine.realtime_factor = 0.0
        for client in clients:
            assert len((await client.done()).pieces) == 8


@virtually
async def test_a_short_cast_beside_four_long_ones_is_heard_within_two_sentences_of_theirs() -> None:
    async with _house(1.0) as (house, engine):
        books = [ask(house, _text(f"book{_letters(number)}", 12), room=f"{number}") for number in range(4)]
        await pass_time(40)
        short = await ask(house, DOORBELL, room="hall").done()
        assert short.waited_seconds <= 2 * _longest_turn(engine)
        for book in books:
            await book.leave()


@virtually
async def test_background_work_makes_way_for_a_doorbell_and_goes_on_where_it_was() -> None:
    clock = VirtualClock()
    log = MemoryLog(clock)
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(log, engine, clock=clock, max_open_casts=1) as house:
        accepted = await house.intake.accept(CastRequest(source="test", text=_text("books", 3), priority=Priority.BACKGROUND))
        await pass_time(8)
        doorbell = await ask(house, DOORBELL).done()
        assert doorbell.waited_seconds <= melody_seconds(engine.spoken[-1]) + 0.001
        assert len(await hear(house, accepted.cast_id)) == 3
        records = [sequenced.record for sequenced in await log.read(cast_stream(accepted.cast_id), 0)]
        assert [record.released for record in records if isinstance(record, Alive)] == [True]
        assert [record.index for record in records if isinstance(record, Audio)] == [0, 1, 2]
        assert len(engine.spoken) == 4


@virtually
async def test_a_critical_cast_stops_the_sentence_under_way_which_is_made_again_afterwards() -> None:
    async with _house(0.5) as (house, engine):
        book = ask(house, _text("books", 2))
        await pass_time(3)
        alarm = await ask(house, "There is smoke in the kitchen.", priority=Priority.CRITICAL).done()
        assert alarm.waited_seconds <= melody_seconds(engine.spoken[0]) / 0.5 + 0.001
        assert engine.spoken[0].spoken == "There is smoke in the kitchen."
        assert engine.started[0] == engine.started[2]
        assert len((await book.done()).pieces) == 2


@virtually
async def test_a_client_that_goes_away_frees_the_engine_at_once() -> None:
    async with _house(0.5) as (house, engine):
        book = ask(house, _text("books", 3))
        await pass_time(3)
        doorbell = ask(house, DOORBELL)
        await pass_time(1)
        assert len(engine.started) == 1
        await book.leave()
        await doorbell.done()
        assert doorbell.heard_at[0] <= 4 + melody_seconds(engine.spoken[0]) / 0.5 + 0.001
        assert engine.spoken[0].spoken == DOORBELL


@virtually
async def test_what_nobody_waits_for_any_more_is_made_all_the_same() -> None:
    async with _house(2.0) as (house, engine):
        book = ask(house, _text("books", 3))
        await pass_time(1)
        await book.leave()
        engine.realtime_factor = 0.0
        assert book.cast_id is not None
        assert len(await hear(house, book.cast_id)) == 3


@virtually
async def test_orphans_of_a_crash_that_nobody_waits_for_come_after_a_new_request() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    before = Process("before")

    async def first_life() -> None:
        engine = ToneEngine(clock, realtime_factor=0.1)
        async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
            for number in range(3):
                ask(house, _text(f"book{_letters(number)}", 4), room=f"{number}")
            await asyncio.get_running_loop().create_future()

    before.start(first_life(), name="house")
    await pass_time(60)
    await before.kill()
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        orphans = [wanted.cast_id for wanted in house.shop.backlog.casts()]
        await pass_time(2)
        doorbell = await ask(house, DOORBELL).done()
        assert doorbell.waited_seconds <= melody_seconds(engine.spoken[0]) + 0.001
        assert engine.spoken[0].spoken == DOORBELL
        engine.realtime_factor = 0.0
        assert [len(await hear(house, cast_id)) for cast_id in orphans] == [4, 4, 4]


@virtually
async def test_of_two_slots_one_stays_free_for_who_comes_next() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=0.5, slots=2)
    async with open_house(engine=engine, clock=clock) as house:
        book = ask(house, _text("books", 4))
        await pass_time(5)
        doorbell = await ask(house, DOORBELL).done()
        assert doorbell.waited_seconds <= melody_seconds(engine.started[1]) / 0.5 + 0.001
        await book.leave()
        engine.realtime_factor = 0.0


@virtually
async def test_a_short_text_that_nobody_listens_to_is_not_behind_long_ones_of_the_same_source() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=2.0)
    async with open_house(engine=engine, clock=clock, max_open_casts=2) as house:
        for name in ("books", "plants", "songs"):
            await house.intake.accept(CastRequest(source="test", text=_text(name, 30)))
        await pass_time(5)
        short = await house.intake.accept(CastRequest(source="test", text="This is short."))
        await pass_time(5)
        assert (await house.casts.get(short.cast_id)).state is CastState.DONE
        engine.realtime_factor = 0.0
