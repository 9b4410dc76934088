"""What ports.Log promises of its size, held against every journal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.log_backends import BACKENDS, Backend, line, make_backend
from tests.fake_s2 import FakeS2
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.records import Trim
from wyoming_kokoro.ports import Log, Usage

LONG = "x" * 200_000


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path, fake_s2: FakeS2) -> Backend:
    return make_backend(request, tmp_path, fake_s2)


@pytest.fixture
async def log(backend: Backend) -> AsyncIterator[Log]:
    opened = await backend.open()
    yield opened
    await opened.close()


async def test_it_grows_with_its_records_where_it_can_tell(backend: Backend, log: Log) -> None:
    before = await log.usage()
    for index in range(5):
        await log.append("s", [line(index, LONG)])
    after = await log.usage()
    if not backend.tells_size:
        assert before == after == Usage(0, 0)
        return
    assert after.used_bytes - before.used_bytes >= 1_000_000
    assert after.file_bytes >= after.used_bytes


async def test_it_shrinks_in_its_own_time_when_records_are_trimmed(backend: Backend, log: Log) -> None:
    for index in range(40):
        await log.append("s", [line(index, LONG)])
    full = await log.usage()
    await log.append("s", [Trim(40)])
    async with asyncio.timeout(20):
        while backend.tells_size and (await log.usage()).used_bytes > full.used_bytes - 6_000_000:
            await log.append("other", [line(0)])


async def test_it_keeps_its_size_over_a_restart(backend: Backend) -> None:
    log = await backend.open()
    await log.append("s", [line(0, LONG)])
    before = await log.usage()
    await log.close()
    log = await backend.open()
    assert abs((await log.usage()).used_bytes - before.used_bytes) < 50_000
    await log.close()


async def test_room_can_be_made_and_restored_any_number_of_times(log: Log) -> None:
    for _ in range(2):
        await log.make_room()
        await log.make_room()
        await log.append("s", [line(0)])
        assert await log.restore_room()
        assert await log.restore_room()
    assert await log.check_tail("s") == 2


async def test_the_size_of_a_closed_journal_is_not_to_be_had(backend: Backend) -> None:
    log = await backend.open()
    await log.close()
    with pytest.raises(LogUnavailableError):
        await log.usage()
