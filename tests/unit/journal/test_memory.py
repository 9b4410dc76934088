"""What the journal in memory has beside the contract: storage that outlives it, and delays."""

from __future__ import annotations

import asyncio

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.errors import FencingTokenMismatchError, SeqNumMismatchError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Fence
from wyoming_kokoro.ports import Lost, Won


async def test_logs_on_one_storage_see_each_other_as_processes_on_one_server_do() -> None:
    storage = MemoryStorage()
    one, two = (MemoryLog(HandClock(), storage=storage, exclusive=False) for _ in range(2))
    following = asyncio.ensure_future(anext(two.follow("s", 0)))
    assert isinstance(await one.claim("s", [Fence("one")]), Won)
    assert isinstance(await two.claim("s", [Fence("two")]), Lost)
    with pytest.raises(FencingTokenMismatchError):
        await two.append("s", [line(0)], fencing_token="two")
    async with asyncio.timeout(10):
        assert (await following).record == Fence("one")
    assert (one.exclusive, two.exclusive) == (False, False)


async def test_what_was_acked_survives_a_log_that_is_dropped_and_what_was_not_is_lost() -> None:
    storage, gate = MemoryStorage(), asyncio.Event()

    async def never(stream: str) -> None:
        if stream == "stuck":
            await gate.wait()

    dying = MemoryLog(HandClock(), storage=storage, delay=never)
    await dying.append("s", [line(0)])
    stuck = asyncio.ensure_future(dying.append("stuck", [line(1)]))
    await asyncio.sleep(0)
    stuck.cancel()
    await asyncio.gather(stuck, return_exceptions=True)
    heir = MemoryLog(HandClock(), storage=storage)
    assert [each.record for each in await heir.read("s", 0)] == [line(0)]
    assert await heir.check_tail("stuck") == 0


async def test_a_delayed_stream_keeps_its_order_and_delays_no_other() -> None:
    gate, delayed = asyncio.Event(), []

    async def delay(stream: str) -> None:
        if stream == "slow":
            delayed.append(stream)
            await gate.wait()

    log = MemoryLog(HandClock(), delay=delay)
    slow = [asyncio.ensure_future(log.append("slow", [line(at)], match_seq_num=at)) for at in range(5)]
    assert await log.append("quick", [line(0)]) == Ack(0, 1)
    assert await log.check_tail("slow") == 0
    gate.set()
    assert [ack.start for ack in await asyncio.gather(*slow)] == [0, 1, 2, 3, 4]
    assert len(delayed) == 5


async def test_others_run_before_an_append_takes_effect() -> None:
    log = MemoryLog(HandClock())
    judged = asyncio.ensure_future(log.append("s", [line(0)], match_seq_num=0))
    rival = asyncio.ensure_future(log.claim("s", [line(1)]))
    assert await judged == Ack(0, 1)
    assert await rival == Lost((await log.read("s", 0))[0])
    with pytest.raises(SeqNumMismatchError):
        await log.append("s", [line(0)], match_seq_num=0)
