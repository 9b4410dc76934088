"""A text piece by piece: whole or live, what is said when no more comes, and what becomes of it when its writer goes."""

from __future__ import annotations

import asyncio

import pytest

from tests.house import doomed_house, hear, open_house, say, settled
from tests.unit.core.journal_reading import receipts, records
from tests.virtual_time import VirtualClock, pass_time, virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.incoming import IncomingText
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, JobKind, Outcome
from wyoming_kokoro.model.errors import CastCutError, RefusedError
from wyoming_kokoro.model.ids import JOBS, CastId, cast_stream, input_stream
from wyoming_kokoro.model.records import Eos, EosReason, InputEnd, InputEndReason, Job

TEXT = "The kettle is on. The garden door is open. The lamp is old."


def _open(house: House) -> IncomingText:
    return house.intake.open(CastRequest(source="test"))


async def _cast(incoming: IncomingText) -> CastId:
    cast_id = await incoming.cast_id()
    assert cast_id is not None
    return cast_id


@virtually
async def test_a_text_that_is_complete_within_thirty_milliseconds_is_the_cast_of_the_whole_text() -> None:
    async with open_house(clock=VirtualClock()) as house:
        whole, _ = await say(house, TEXT)
        incoming = _open(house)
        for part in (TEXT[:10], TEXT[10:40], TEXT[40:]):
            incoming.feed(part)
            await pass_time(0.0099)
        incoming.end()
        assert await _cast(incoming) == whole
        await incoming.abandon()


@virtually
async def test_a_text_that_takes_longer_is_a_live_cast_with_an_id_of_its_own_and_is_never_a_hit() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        whole, pieces = await say(house, TEXT)
        ids = []
        for _ in range(2):
            incoming = _open(house)
            incoming.feed(TEXT[:20])
            await pass_time(0.031)
            incoming.feed(TEXT[20:])
            incoming.end()
            ids.append(await _cast(incoming))
            heard = await hear(house, ids[-1])
            assert "".join(piece.text for piece in heard) == TEXT
            assert [piece.pcm for piece in heard] == [piece.pcm for piece in pieces]
            await incoming.abandon()
        await settled(house)
    assert len({whole, *ids}) == 3
    assert [job.kind for job in records(storage, JOBS, Job)] == [JobKind.SPEAK, JobKind.LIVE, JobKind.LIVE]


@virtually
async def test_the_first_sentence_does_not_wait_for_the_decision_between_whole_and_live() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=1.0)
    async with open_house(engine=engine, clock=clock) as house:
        incoming = _open(house)
        incoming.feed("The kettle is on. The garden")
        await pass_time(0.001)
        assert [utterance.spoken for utterance in engine.started] == ["The kettle is on."]
        incoming.end()
        await hear(house, await _cast(incoming))
        assert [utterance.spoken for utterance in engine.started] == ["The kettle is on.", "The garden"]
        await incoming.abandon()


@virtually
async def test_a_text_that_stops_arriving_is_spoken_as_far_as_it_came_after_five_minutes() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        incoming = _open(house)
        incoming.feed("The kettle is on. The garden do")
        cast_id = await _cast(incoming)
        heard = asyncio.create_task(hear(house, cast_id))
        await pass_time(299)
        assert not heard.done()
        await pass_time(2)
        assert "".join(piece.text for piece in await heard) == "The kettle is on. The garden do"
        await incoming.abandon()
        await settled(house)
    assert [end.reason for end in records(storage, input_stream(cast_id), InputEnd)] == [InputEndReason.IDLE]
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE]


@virtually
async def test_a_sentence_that_looks_finished_is_spoken_after_a_quarter_of_a_second_without_more_text() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock)
    async with open_house(engine=engine, clock=clock) as house:
        incoming = _open(house)
        incoming.feed("The kettle is on.")
        pieces = house.listening.listen(await _cast(incoming))
        await pass_time(0.2)
        assert not engine.started
        assert (await anext(pieces)).text == "The kettle is on."
        assert asyncio.get_running_loop().time() == pytest.approx(0.25, abs=0.001)
        await pieces.aclose()
        await incoming.abandon()
        await settled(house)


@virtually
async def test_a_live_cast_is_cut_when_its_asker_goes_in_mid_text() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        incoming = _open(house)
        incoming.feed("The kettle is on. The garden do")
        pieces = house.listening.listen(await _cast(incoming))
        await anext(pieces)
        await pieces.aclose()
        await incoming.abandon()
        await settled(house)
        cast_id = await _cast(incoming)
        with pytest.raises(CastCutError):
            await hear(house, cast_id)
    assert [eos.reason for eos in records(storage, cast_stream(cast_id), Eos)] == [EosReason.CUT]
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.CANCELLED]


@virtually
async def test_an_asker_that_goes_at_once_leaves_nothing_behind() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock, realtime_factor=0.5)
    async with open_house(engine=engine, clock=clock) as house:
        for is_ended in (False, True):
            incoming = _open(house)
            incoming.feed(TEXT)
            if is_ended:
                incoming.end()
            await incoming.abandon()
        engine.realtime_factor = 0.0
        await clock.sleep(400)
        await settled(house)
        assert not house.shop.feeds._feeds
        assert house.shop.voicing.is_idle


@virtually
async def test_a_live_text_that_a_crash_cut_off_is_closed_and_its_cast_cut() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with doomed_house(storage, clock, ToneEngine(clock)) as house:
        incoming = _open(house)
        incoming.feed("The kettle is on. The garden do")
        cast_id = await _cast(incoming)
        await anext(house.listening.listen(cast_id))
        await clock.sleep(1)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        await settled(house)
    assert [end.reason for end in records(storage, input_stream(cast_id), InputEnd)] == [InputEndReason.ABANDONED]
    assert [eos.reason for eos in records(storage, cast_stream(cast_id), Eos)] == [EosReason.CUT]
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.CANCELLED]


@virtually
async def test_nothing_but_white_space_is_nothing_to_hear() -> None:
    async with open_house(clock=VirtualClock()) as house:
        for text in ("", "  \n ", "..."):
            incoming = _open(house)
            incoming.feed(text)
            incoming.end()
            assert await incoming.cast_id() is None
            await incoming.abandon()


@virtually
async def test_a_text_that_gets_too_long_is_refused_where_it_does() -> None:
    async with open_house(clock=VirtualClock(), max_text_chars=30) as house:
        incoming = _open(house)
        incoming.feed(TEXT[:30])
        with pytest.raises(RefusedError, match="at most 30"):
            incoming.feed(TEXT[30:])
        await incoming.abandon()
        await settled(house)
