"""A journal that moves: to another log and back, interrupted, trimmed, and refused where it does not fit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from tests.contracts.log_backends import HandClock, line
from tests.fake_s2 import FakeS2, Fault
from tests.fixtures.record_samples import SAMPLES
from wyoming_kokoro.journal.fingerprint import Fingerprint, fenced_by
from wyoming_kokoro.journal.moving import Moved, Mover, Target
from wyoming_kokoro.journal.s2 import Place, open_s2
from wyoming_kokoro.journal.sqlite import SqliteLog, open_sqlite
from wyoming_kokoro.model.errors import FencingTokenMismatchError, JournalError
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Fence, Trim
from wyoming_kokoro.ports import Log, Lost


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[SqliteLog]:
    """A journal with a history: seven streams, some trimmed, some fenced, one trimmed whole."""
    clock = HandClock()
    log = await open_sqlite(tmp_path / "here", clock)
    for name, record in SAMPLES.items():
        if name != "trim":
            await log.append("all/kinds", [record])
            clock.unix_ms += 1000
    for _ in range(2):
        await log.append("trimmed", [line(index) for index in range(600)])
    await log.append("trimmed", [Fence("held"), line(1), Trim(1100)])
    await log.append("gone", [Fence("last"), line(0), Trim(3)])
    await log.append("one", [line(0), Trim(1)])
    await log.append("short", [Fence("alone")])
    await log.append("short", [Trim(1)])
    await log.append("räume/küche", [line(7)])
    clock.unix_ms -= 500_000
    await log.append("earlier", [line(8)])
    yield log
    await log.close()


async def on_s2(server: FakeS2, basin: str = "other-basin") -> Target:
    return await open_s2(Place(endpoint=server.endpoint, basin=basin), HandClock())


async def move(source: Log, target: Target) -> Moved:
    return await Mover(source, target, lambda _: None).move()


async def assert_equal(one: Log, other: Log) -> None:
    names = await one.list_streams("")
    assert names == await other.list_streams("")
    for name in names:
        tail = await one.check_tail(name)
        assert await other.check_tail(name) == tail
        found = await one.read(name, 0, limit=1)
        first = found[0].seq_num if found else tail
        assert await Fingerprint.of(one, name, first, tail) == await Fingerprint.of(other, name, first, tail)
        assert await fenced_by(one, name) == await fenced_by(other, name)


async def test_everything_arrives_under_its_number_with_its_time_and_its_fence(here: SqliteLog, fake_s2: FakeS2) -> None:
    there = await on_s2(fake_s2)
    moved = await move(here, there)
    assert moved.streams == moved.of_streams == 7
    await assert_equal(here, there)
    ours, theirs = await here.read("all/kinds", 0), await there.read("all/kinds", 0)
    assert ours == theirs
    assert [each.seq_num for each in await there.read("trimmed", 0)] == list(range(1100, 1203))
    assert await there.claim("gone", [line(1)]) == Lost(None)
    assert await there.append("trimmed", [line(5)], match_seq_num=1203, fencing_token="held") == Ack(1203, 1204)
    with pytest.raises(FencingTokenMismatchError):
        await there.append("gone", [line(5)], fencing_token="")
    await there.close()


async def test_there_and_back_again_is_the_same(here: SqliteLog, fake_s2: FakeS2, tmp_path: Path) -> None:
    there = await on_s2(fake_s2)
    await move(here, there)
    back = await open_sqlite(tmp_path / "back", HandClock())
    await move(there, back)
    await assert_equal(here, back)
    await back.close()
    await there.close()


async def test_a_move_that_was_done_copies_nothing_more(here: SqliteLog, fake_s2: FakeS2) -> None:
    there = await on_s2(fake_s2)
    await move(here, there)
    again = await move(here, there)
    assert (again.records, again.pads, again.streams) == (0, 0, 7)
    await there.close()


@pytest.mark.parametrize("seed", range(6))
async def test_a_move_that_is_broken_off_goes_on(here: SqliteLog, fake_s2: FakeS2, seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        there = await on_s2(fake_s2)
        calls = len(fake_s2.calls) + random.randint(1, 40)
        moving = asyncio.ensure_future(move(here, there))
        while len(fake_s2.calls) < calls and not moving.done():  # noqa: ASYNC110 - the fake has no event for it
            await asyncio.sleep(0)
        moving.cancel()
        await asyncio.gather(moving, return_exceptions=True)
        await there.close()
    there = await on_s2(fake_s2)
    await move(here, there)
    await assert_equal(here, there)
    await there.close()


async def test_lost_replies_do_no_harm(here: SqliteLog, fake_s2: FakeS2) -> None:
    there = await on_s2(fake_s2)
    fake_s2.faults.add(Fault(call="append", loses_reply=True, times=10))
    await move(here, there)
    await assert_equal(here, there)
    await there.close()


async def test_trims_that_take_effect_late_are_waited_for_by_nobody(here: SqliteLog, fake_s2: FakeS2) -> None:
    there = await on_s2(fake_s2)
    basin = fake_s2.basins["other-basin"]
    basin.trims_late = True
    await move(here, there)
    assert (await move(here, there)).records == 0
    basin.sweep()
    await assert_equal(here, there)
    await there.close()


@pytest.mark.parametrize("stream", ["stranger", "earlier", "trimmed", "gone", "all/kinds"])
async def test_a_target_that_holds_something_else_is_refused(here: SqliteLog, fake_s2: FakeS2, stream: str) -> None:
    there = await on_s2(fake_s2)
    await there.append(stream, [line(99)])
    with pytest.raises(JournalError, match=stream):
        await move(here, there)
    await there.close()


async def test_a_target_that_went_on_by_itself_is_refused(here: SqliteLog, fake_s2: FakeS2) -> None:
    there = await on_s2(fake_s2)
    await move(here, there)
    await there.append("earlier", [line(99)])
    with pytest.raises(JournalError, match="earlier"):
        await move(here, there)
    await there.close()


async def test_a_source_that_holds_nothing_is_said_so(fake_s2: FakeS2, tmp_path: Path) -> None:
    there = await on_s2(fake_s2)
    empty = await open_sqlite(tmp_path / "empty", HandClock())
    with pytest.raises(JournalError, match="nothing to copy"):
        await move(empty, there)
    await empty.close()
    await there.close()
