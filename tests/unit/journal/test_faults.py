"""The journal with faults keeps the contract of one that has none, but for the faults it was told to have."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from random import Random

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogUnavailableError, StorageFullError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.ports import Won


def faulty(seed: int = 1, **faults: float) -> FaultyLog:
    clock = HandClock()
    return FaultyLog(MemoryLog(clock), Random(seed), clock, Faults(**faults))


async def outcomes(log: FaultyLog, count: int) -> list[str]:
    answers = await asyncio.gather(*(log.append("s", [line(at)]) for at in range(count)), return_exceptions=True)
    return [type(answer).__name__ for answer in answers]


async def test_without_faults_it_is_the_journal_inside() -> None:
    log = faulty()
    assert isinstance(await log.claim("s", [line(0)]), Won)
    assert await outcomes(log, 20) == ["Ack"] * 20
    assert len(await log.read("s", 0)) == len(await log.read_back("s")) == await log.check_tail("s") == 21
    assert list(await log.list_streams("")) == ["s"]
    assert log.exclusive


async def test_a_lost_reply_was_written_and_a_lost_request_was_not() -> None:
    for fault, tail in (("lose_reply", 1), ("lose_request", 0)):
        for write in ("append", "claim"):
            log = faulty(**{fault: 1.0})
            with pytest.raises(AppendOutcomeUnknownError):
                await getattr(log, write)("s", [line(0)])
            assert await log.check_tail("s") == tail


async def test_what_is_refused_was_not_written() -> None:
    log = faulty(refuse=1.0)
    with pytest.raises(LogUnavailableError):
        await log.append("s", [line(0)])
    log.faults = Faults()
    assert await log.check_tail("s") == 0


async def test_a_full_journal_refuses_writers_and_serves_readers() -> None:
    log = faulty()
    await log.append("s", [line(0)])
    log.full = True
    for write in (log.append, log.claim):
        with pytest.raises(StorageFullError):
            await write("s", [line(1)])
    assert len(await log.read("s", 0)) == 1
    log.full = False
    assert await log.append("s", [line(1)]) == Ack(1, 2)


async def test_a_journal_that_is_away_refuses_all_and_its_followers_wait() -> None:
    log = faulty()
    await log.append("s", [line(0), line(1)])
    async with asyncio.timeout(10), aclosing(log.follow("s", 0)) as records:
        assert (await anext(records)).seq_num == 0
        log.away = True
        waiting = asyncio.ensure_future(anext(records))
        for call in (
            log.read("s", 0),
            log.read_back("s"),
            log.check_tail("s"),
            log.list_streams(""),
            log.claim("t", [line(0)]),
        ):
            with pytest.raises(LogUnavailableError):
                await call
        assert not waiting.done()
        log.away = False
        assert (await waiting).seq_num == 1


async def test_a_journal_that_goes_away_before_it_replies_leaves_the_outcome_unknown() -> None:
    log = faulty()

    async def go(_: str) -> None:
        log.away = True

    log._log = MemoryLog(HandClock(), delay=go)
    with pytest.raises(AppendOutcomeUnknownError):
        await log.append("s", [line(0)])
    log.away = False
    assert await log.check_tail("s") == 1


async def test_equal_seeds_give_equal_faults_and_others_give_others() -> None:
    faults = {"refuse": 0.2, "lose_request": 0.2, "lose_reply": 0.2, "max_delay_seconds": 1.0}
    first, again, other = [await outcomes(faulty(seed, **faults), 60) for seed in (7, 7, 8)]
    assert first == again != other
    assert set(first) == {"Ack", "LogUnavailableError", "AppendOutcomeUnknownError"}


@pytest.mark.looptime
async def test_delays_take_time_and_keep_the_order_within_a_stream() -> None:
    from wyoming_kokoro.core.clock import SystemClock

    clock = SystemClock()
    log = FaultyLog(MemoryLog(clock), Random(3), clock, Faults(max_delay_seconds=5.0))
    begun = clock.monotonic()
    acks = await asyncio.gather(*(log.append("s", [line(at)], match_seq_num=at) for at in range(30)))
    assert [ack.start for ack in acks] == list(range(30))
    assert clock.monotonic() > begun + 5


async def test_a_late_write_is_of_unknown_outcome_first_and_there_in_the_end() -> None:
    log = faulty(late=1.0)
    with pytest.raises(AppendOutcomeUnknownError):
        await log.append("s", [line(0)], match_seq_num=0)
    assert (await log.check_tail("s"), log.late_count) == (0, 1)
    async with aclosing(log.follow("s", 0)) as records, asyncio.timeout(5):
        assert (await anext(records)).seq_num == 0
