"""Several workers on one journal: who makes what, who takes over when, and what is written of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextvars import copy_context
from random import Random
from typing import Any, TypeVar

import pytest

from tests.house import ask, doomed_house, hear, open_house, settled
from tests.simulation.faulty_engine import STRANGE_FINGERPRINT, StrangeTone
from tests.unit.core.journal_reading import records
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.lease import ALIVE_SECONDS, LEASE_SECONDS
from wyoming_kokoro.core.metrics import Counter, Gauge
from wyoming_kokoro.engine.absent import AbsentEngine
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, Outcome
from wyoming_kokoro.model.errors import CastCutError, LogError
from wyoming_kokoro.model.ids import JOBS, JOBS_CURSOR, PROGRESS_DONE, CastId, cast_stream, input_stream
from wyoming_kokoro.model.records import (
    Alive,
    Audio,
    Cancel,
    Eos,
    EosReason,
    InputEnd,
    InputEndReason,
    Receipt,
    Record,
    Start,
    Watermark,
)

TEXT = "The kettle is on and sings. The garden door is open again. The lamp is old and warm."
LONG = " ".join(f"The mark number {'abcdefghij'[number]} is near the old garden." for number in range(10))
MOMENT = 1.0
"""What is said to happen at once may take so long."""


R = TypeVar("R", bound=Record)


class Site:
    """A journal that several may use, and workers on it."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.storage = MemoryStorage()

    def log(self) -> MemoryLog:
        return MemoryLog(self.clock, storage=self.storage, exclusive=False)

    def tone(self, realtime_factor: float = 1.0) -> ToneEngine:
        return ToneEngine(self.clock, realtime_factor=realtime_factor)

    @contextlib.asynccontextmanager
    async def worker(self, name: str, engine: ToneEngine | None = None, **settings: int) -> AsyncIterator[House]:
        """A worker that stops as it should."""
        engine = self.tone() if engine is None else engine
        async with open_house(self.log(), engine, clock=self.clock, worker_name=name, **settings) as house:
            yield house

    @contextlib.asynccontextmanager
    async def doomed(self, name: str, engine: ToneEngine | None = None) -> AsyncIterator[House]:
        """A worker that is killed."""
        engine = self.tone() if engine is None else engine
        async with doomed_house(self.storage, self.clock, engine, worker_name=name, exclusive=False) as house:
            yield house

    async def until(self, stream: str, count: int, kind: type[R]) -> None:
        """Return when the stream holds so many records of that kind."""
        while len(records(self.storage, stream, kind)) < count:
            await self.clock.sleep(0.01)

    def written_by(self, cast_id: CastId) -> list[str]:
        """Who made each sentence."""
        return [record.worker for record in records(self.storage, cast_stream(cast_id), Audio)]


def whole(text: str, **request: Any) -> CastRequest:
    return CastRequest(**{"source": "test", "text": text, **request})


def started(engine: ToneEngine) -> list[str]:
    return [utterance.spoken for utterance in engine.started]


@virtually
async def test_two_workers_one_killed_the_other_says_the_missing_sentences_only() -> None:
    site = Site()
    engine = site.tone()
    async with site.worker("w2", engine) as house:
        outside = copy_context()
        async with site.doomed("w1") as doomed:
            asked = ask(doomed, TEXT)
            while not asked.pieces:
                await site.clock.sleep(0.01)
            assert asked.cast_id is not None
            cast_id = asked.cast_id
            listening = asyncio.get_running_loop().create_task(hear(house, cast_id), context=outside)
            await site.clock.sleep(0.3)
            killed_at = site.clock.monotonic()
        assert started(engine) == []
        while not engine.started:
            await site.clock.sleep(0.05)
        assert site.clock.monotonic() <= killed_at + LEASE_SECONDS + 2
        pieces = await listening
        await settled(house)
        assert house.metrics.counted(Counter.takeovers_total) == 1
    assert [piece.index for piece in pieces] == [0, 1, 2]
    assert "".join(piece.text for piece in pieces) == TEXT
    assert site.written_by(cast_id) == ["w1", "w2", "w2"]
    assert len(started(engine)) == 2
    starts = records(site.storage, cast_stream(cast_id), Start)
    assert [(start.worker, start.next_index) for start in starts] == [("w1", 0), ("w2", 1)]
    assert len(records(site.storage, cast_stream(cast_id), Eos)) == 1


@virtually
async def test_a_worker_that_starts_again_takes_its_own_casts_at_once() -> None:
    site = Site()
    async with site.doomed("w1") as doomed:
        accepted = await doomed.intake.accept(whole(TEXT))
        await site.until(cast_stream(accepted.cast_id), 1, Audio)
    began = site.clock.monotonic()
    async with site.worker("w1") as house:
        await site.until(cast_stream(accepted.cast_id), 2, Start)
        assert site.clock.monotonic() < began + MOMENT
        await settled(house)
    assert [record.index for record in records(site.storage, cast_stream(accepted.cast_id), Audio)] == [0, 1, 2]


@virtually
async def test_a_worker_that_stops_finishes_its_sentence_and_another_goes_on_within_moments() -> None:
    site = Site()
    async with site.worker("w2") as house, site.worker("w1") as stopping:
        accepted = await stopping.intake.accept(whole(TEXT))
        await site.until(cast_stream(accepted.cast_id), 1, Start)
        holder = records(site.storage, cast_stream(accepted.cast_id), Start)[0].worker
        leaving, staying = (stopping, house) if holder == "w1" else (house, stopping)
        await site.clock.sleep(0.5)
        await leaving.close(5)
        stopped_at = site.clock.monotonic()
        assert len(site.written_by(accepted.cast_id)) == 1, "the sentence under way was finished"
        await site.until(cast_stream(accepted.cast_id), 2, Start)
        assert site.clock.monotonic() < stopped_at + MOMENT
        await settled(staying)
    assert [record.index for record in records(site.storage, cast_stream(accepted.cast_id), Audio)] == [0, 1, 2]


@virtually
async def test_a_cast_that_is_held_but_not_worked_at_is_not_taken_away() -> None:
    site = Site()
    held, other = site.tone(), site.tone()
    async with site.worker("w1", held) as first, site.worker("w2", other) as second:
        held.hold()
        client = ask(first, TEXT)
        await site.clock.sleep(10 * LEASE_SECONDS)
        assert other.started == []
        assert second.shop.metrics.counted(Counter.takeovers_total) == 0
        held.release()
        await client.done()
        await settled(second)
    assert client.cast_id is not None
    beats = [record for record in records(site.storage, cast_stream(client.cast_id), Alive) if not record.released]
    assert len(beats) >= 10 * LEASE_SECONDS / ALIVE_SECONDS - 1
    assert {beat.worker for beat in beats} == {"w1"}


@virtually
async def test_on_a_journal_that_one_process_has_for_itself_nobody_says_that_he_is_alive() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    engine = ToneEngine(clock)
    async with open_house(MemoryLog(clock, storage=storage), engine, clock=clock) as house:
        engine.hold()
        client = ask(house, TEXT)
        await clock.sleep(10 * LEASE_SECONDS)
        engine.release()
        await client.done()
        assert client.cast_id is not None
        assert records(storage, cast_stream(client.cast_id), Alive) == []


@virtually
async def test_a_worker_that_was_cut_off_for_longer_than_a_lease_is_refused_and_goes_on_with_something_else() -> None:
    site = Site()
    faulty = FaultyLog(site.log(), Random(0), site.clock)
    async with open_house(faulty, site.tone(), clock=site.clock, worker_name="w1") as zombie, site.worker("w2") as house:
        client = ask(zombie, LONG)
        while not client.pieces:
            await site.clock.sleep(0.01)
        assert client.cast_id is not None
        faulty.away = True
        await site.clock.sleep(LEASE_SECONDS + 2)
        faulty.away = False
        assert [start.worker for start in records(site.storage, cast_stream(client.cast_id), Start)] == ["w1", "w2"]
        await client.done()
        await settled(house)
        await settled(zombie)
        assert zombie.metrics.counted(Counter.attempts_lost_total) == 1
        again = await zombie.intake.accept(whole("Something else."))
        await hear(zombie, again.cast_id)
    assert [piece.index for piece in client.pieces] == list(range(10))
    audio = records(site.storage, cast_stream(client.cast_id), Audio)
    assert [record.index for record in audio] == list(range(10))


@virtually
async def test_whoever_races_for_a_cast_makes_nothing_unless_he_wins() -> None:
    site = Site()
    engines = [site.tone() for _ in range(8)]
    async with contextlib.AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(site.worker(f"w{number}", engine)) for number, engine in enumerate(engines)]
        accepted = await houses[0].intake.accept(whole(TEXT))
        await site.until(PROGRESS_DONE, 1, Receipt)
        for house in houses:
            await settled(house)
    assert sorted(len(engine.started) for engine in engines) == [0] * 7 + [3]
    assert len(records(site.storage, cast_stream(accepted.cast_id), Start)) == 1


@virtually
async def test_the_house_where_somebody_listens_makes_the_cast_itself() -> None:
    site = Site()
    async with site.worker("w1") as first, site.worker("w2") as second, site.worker("w3") as third:
        for house, name in ((first, "w1"), (second, "w2"), (third, "w3")):
            client = await ask(house, f"This is for {name}. It has two sentences.").done()
            assert client.cast_id is not None
            await site.until(PROGRESS_DONE, int(name[1]), Receipt)
            assert site.written_by(client.cast_id) == [name, name]


@virtually
async def test_a_hundred_casts_are_shared_by_eight_workers_with_one_receipt_each_and_work_that_stays_bounded() -> None:
    site = Site()
    engines = [site.tone(2.0) for _ in range(8)]
    async with contextlib.AsyncExitStack() as stack:
        houses = [await stack.enter_async_context(site.worker(f"w{number}", engine)) for number, engine in enumerate(engines)]
        texts = [f"Number {number} is here. And so is the second one of {number}." for number in range(100)]
        accepted = [await houses[number % 8].intake.accept(whole(text)) for number, text in enumerate(texts)]
        await site.until(PROGRESS_DONE, 100, Receipt)
        for house in houses:
            await settled(house)
    counts = [len(engine.started) for engine in engines]
    assert sum(counts) == 200, "every sentence is made once"
    assert min(counts) >= 200 / 8 / 2, counts
    named = [job for receipt in records(site.storage, PROGRESS_DONE, Receipt) for job in receipt.jobs]
    assert sorted(named) == sorted(each.job for each in accepted if each.job is not None)
    marks = [mark.jobs for mark in records(site.storage, JOBS_CURSOR, Watermark)]
    assert marks == sorted(set(marks))


@virtually
async def test_a_listener_hears_what_another_worker_makes() -> None:
    site = Site()
    busy = site.tone()
    async with site.worker("w1", busy) as first, site.worker("w2"):
        busy.hold()
        waiting = ask(first, "This one keeps the engine of the first house.")
        await site.clock.sleep(1)
        client = await ask(first, TEXT).done()
        assert client.cast_id is not None
        assert site.written_by(client.cast_id) == ["w2"] * 3
        assert "".join(piece.text for piece in client.pieces) == TEXT
        busy.release()
        await waiting.done()


@virtually
async def test_the_text_of_a_live_cast_is_followed_by_a_worker_elsewhere() -> None:
    site = Site()
    busy = site.tone()
    async with site.worker("w1", busy) as first, site.worker("w2"):
        busy.hold()
        waiting = ask(first, "This one keeps the engine of the first house.")
        await site.clock.sleep(1)
        incoming = first.intake.open(CastRequest(source="test"))
        incoming.feed("The kettle is on and sings. The garden ")
        cast_id = await incoming.cast_id()
        assert cast_id is not None
        hearing = asyncio.ensure_future(hear(first, cast_id))
        await site.clock.sleep(3 * LEASE_SECONDS)
        incoming.feed("door is open again. The lamp is old.")
        incoming.end()
        pieces = await hearing
        await incoming.abandon()
        assert (
            "".join(piece.text for piece in pieces)
            == "The kettle is on and sings. The garden door is open again. The lamp is old."
        )
        assert set(site.written_by(cast_id)) == {"w2"}
        assert len(records(site.storage, input_stream(cast_id), Alive)) >= 8
        busy.release()
        await waiting.done()


async def dictate(house: House, text: str, told: asyncio.Future[CastId | None]) -> None:
    """Ask for a text that never ends, until the process is killed; `told` gets its cast."""
    incoming = house.intake.open(CastRequest(source="test"))
    try:
        incoming.feed(text)
        told.set_result(await incoming.cast_id())
        await asyncio.get_running_loop().create_future()
    finally:
        await incoming.abandon()


@virtually
async def test_a_live_text_whose_process_is_killed_is_closed_by_the_worker_that_makes_it() -> None:
    site = Site()
    busy = site.tone()
    told: asyncio.Future[CastId | None] = asyncio.get_running_loop().create_future()
    async with site.worker("w2") as house:
        async with site.doomed("w1", busy) as doomed:
            busy.hold()
            waiting = ask(doomed, "This one keeps the engine of the first house.")
            await site.clock.sleep(1)
            dictating = asyncio.ensure_future(dictate(doomed, "The kettle is on and sings. The garden ", told))
            cast_id = await told
            assert cast_id is not None
            await site.until(cast_stream(cast_id), 1, Audio)
        assert waiting.is_done
        assert dictating.done()
        killed_at = site.clock.monotonic()
        await site.until(cast_stream(cast_id), 1, Eos)
        assert site.clock.monotonic() <= killed_at + LEASE_SECONDS + 2
        await site.until(PROGRESS_DONE, 1, Receipt)
        while len(house.shop.backlog):
            await site.clock.sleep(0.1)
    assert site.written_by(cast_id) == ["w2"]
    assert [end.reason for end in records(site.storage, input_stream(cast_id), InputEnd)] == [InputEndReason.ABANDONED]
    assert records(site.storage, cast_stream(cast_id), Eos)[-1].reason is EosReason.CUT


@virtually
async def test_an_asker_who_leaves_has_his_live_cast_cut_wherever_it_is_made() -> None:
    site = Site()
    busy = site.tone()
    async with site.worker("w1", busy) as first, site.worker("w2", site.tone(0.2)) as second:
        busy.hold()
        waiting = ask(first, "This one keeps the engine of the first house.")
        await site.clock.sleep(1)
        incoming = first.intake.open(CastRequest(source="test"))
        incoming.feed(TEXT)
        cast_id = await incoming.cast_id()
        incoming.end()
        assert cast_id is not None
        await site.until(cast_stream(cast_id), 1, Audio)
        await incoming.abandon()
        await site.until(cast_stream(cast_id), 1, Eos)
        assert len(site.written_by(cast_id)) < 3
        busy.release()
        await waiting.done()
        await settled(second)
    assert records(site.storage, cast_stream(cast_id), Eos)[0].reason is EosReason.CUT


@virtually
async def test_whoever_holds_a_cast_cuts_it_when_it_is_cancelled_elsewhere() -> None:
    site = Site()
    async with site.worker("w1") as first, site.worker("w2") as second:
        client = ask(first, LONG)
        while not client.pieces:
            await site.clock.sleep(0.01)
        assert client.cast_id is not None
        await second.casts.cancel(client.cast_id)
        with pytest.raises(CastCutError):
            await client.done()
        await settled(first)
        await settled(second)
    (eos,) = records(site.storage, cast_stream(client.cast_id), Eos)
    assert eos.reason is EosReason.CUT
    (receipt,) = records(site.storage, PROGRESS_DONE, Receipt)
    assert (receipt.outcome, receipt.worker, receipt.sentences) == (Outcome.CANCELLED, "w1", eos.count)


@virtually
async def test_a_cancelled_cast_whose_worker_died_is_settled_by_another_after_a_lease() -> None:
    site = Site()
    async with site.worker("w2") as house:
        async with site.doomed("w1") as doomed:
            client = ask(doomed, LONG)
            while not client.pieces:
                await site.clock.sleep(0.01)
            assert client.cast_id is not None
        killed_at = site.clock.monotonic()
        await house.casts.cancel(client.cast_id)
        await site.until(PROGRESS_DONE, 1, Receipt)
        assert site.clock.monotonic() <= killed_at + LEASE_SECONDS + 2
        await settled(house)
    (receipt,) = records(site.storage, PROGRESS_DONE, Receipt)
    assert receipt.outcome is Outcome.CANCELLED
    assert len(records(site.storage, JOBS, Cancel)) == 1


@virtually
async def test_a_cast_is_made_by_a_worker_of_its_own_model_however_long_that_one_is_busy() -> None:
    site = Site()
    other, own = StrangeTone(site.clock, realtime_factor=1.0), site.tone(0.5)
    async with site.worker("w2", other) as stranger, site.worker("w1", own) as house:
        texts = [f"Number {number} is here. And so is the second one of {number}." for number in range(12)]
        for text in texts:
            await house.intake.accept(whole(text))
        await site.until(PROGRESS_DONE, 12, Receipt)
        assert other.started == []
        assert len(own.started) == 24
        await settled(stranger)


@virtually
async def test_a_cast_that_nobody_can_match_is_made_with_what_there_is_after_a_lease_and_is_no_hit() -> None:
    site = Site()
    async with site.doomed("w1") as doomed:
        accepted = await doomed.intake.accept(whole(TEXT))
        await site.until(cast_stream(accepted.cast_id), 1, Audio)
    other = StrangeTone(site.clock, realtime_factor=1.0)
    async with site.worker("w2", other) as stranger:
        began = site.clock.monotonic()
        await site.until(cast_stream(accepted.cast_id), 2, Start)
        assert LEASE_SECONDS <= site.clock.monotonic() - began <= LEASE_SECONDS + 2
        await site.until(PROGRESS_DONE, 1, Receipt)
        await settled(stranger)
    start = records(site.storage, cast_stream(accepted.cast_id), Start)[-1]
    assert (start.model, start.next_index) == (STRANGE_FINGERPRINT, 1)
    async with site.worker("w3") as house:
        again = await house.intake.accept(whole(TEXT))
        assert (again.cast_id, again.is_hit) == (accepted.cast_id, False)
        await site.until(PROGRESS_DONE, 2, Receipt)
        assert (await house.intake.accept(whole(TEXT))).is_hit


@virtually
async def test_casts_that_others_make_take_no_place_here() -> None:
    site = Site()
    slow, own = site.tone(0.1), site.tone(1.0)
    async with site.worker("w1", slow) as first, site.worker("w2", own, max_open_casts=1) as second:
        clients = [ask(first, f"This is for number {number} and it is slow.") for number in range(2)]
        await site.clock.sleep(1)
        client = await ask(second, TEXT).done()
        assert client.waited_seconds < 4
        gauges = {family.name: family.samples[0].value for family in second.metrics.snapshot() if family.kind == "gauge"}
        assert gauges[Gauge.open_casts.name] <= 1
        for each in clients:
            await each.leave()


@virtually
async def test_a_house_without_an_engine_writes_the_model_of_the_workers_it_knows_and_hears_what_they_make() -> None:
    site = Site()
    nobody = AbsentEngine("a-model-that-nobody-has")
    own = StrangeTone(site.clock, realtime_factor=1.0)
    async with open_house(site.log(), nobody, clock=site.clock, worker_name="door") as door, site.worker("w1", own):
        first = await ask(door, TEXT).done()
        assert first.waited_seconds > LEASE_SECONDS, "nobody could match it"
        assert "".join(piece.text for piece in first.pieces) == TEXT
        await site.until(PROGRESS_DONE, 1, Receipt)
        await settled(door)
        second = await ask(door, "And now it is known who speaks here.").done()
        assert second.waited_seconds < 4
        again = await ask(door, "And now it is known who speaks here.").done()
        assert again.waited_seconds < MOMENT, "it is a hit"
    async with open_house(site.log(), nobody, clock=site.clock, worker_name="door") as door, site.worker("w1", own):
        await site.clock.sleep(MOMENT)
        third = await ask(door, "It is known after a restart, too.").done()
        assert third.waited_seconds < 4


@virtually
async def test_a_house_without_an_engine_tells_the_asker_when_the_journal_refuses() -> None:
    site = Site()
    log = FaultyLog(site.log(), Random(0), site.clock)
    async with open_house(log, AbsentEngine("m"), clock=site.clock, worker_name="door") as door:
        log.full = True
        with pytest.raises(LogError):
            await ask(door, TEXT).done()
