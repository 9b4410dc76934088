"""An ack means that it survives the writer, however it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.sqlite import examine, open_sqlite
from wyoming_kokoro.model.errors import JournalError
from wyoming_kokoro.model.records import Input, Sequenced
from wyoming_kokoro.ports import Log

ROOT = Path(__file__).parents[2]


async def start_writer(data_dir: Path, first_batch: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.contracts.doomed_writer", str(data_dir), str(first_batch),
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def kill_after(process: asyncio.subprocess.Process, acks: int) -> dict[int, int]:
    """Kill it once it has told of so many acks; where each batch that it told of begins."""
    assert process.stdout is not None
    lines = [await process.stdout.readline() for _ in range(acks)]
    process.send_signal(signal.SIGKILL)
    lines += (await process.stdout.read()).splitlines(keepends=True)
    assert await process.wait() == -signal.SIGKILL
    return {int(told.split()[0]): int(told.split()[1]) for told in lines if told.endswith(b"\n")}


async def everything(log: Log) -> list[Sequenced]:
    found: list[Sequenced] = []
    while part := await log.read("s", len(found)):
        found += part
    return found


def batches_of(found: list[Sequenced]) -> dict[int, int]:
    """Where each batch begins; they are whole, and the numbers dense."""
    assert [each.seq_num for each in found] == list(range(len(found)))
    assert len(found) % 3 == 0
    starts = {}
    for start in range(0, len(found), 3):
        records = [each.record for each in found[start : start + 3]]
        assert isinstance(records[0], Input)
        assert records == [line(records[0].index)] * 3
        starts[records[0].index] = start
    return starts


async def test_what_was_acked_is_there_after_a_kill_and_nothing_by_halves(tmp_path: Path) -> None:
    acked: dict[int, int] = {}
    async with asyncio.timeout(100):
        for turn, acks in enumerate((1, 40, 200)):
            process = await start_writer(tmp_path, 10_000 * turn)
            acked |= await kill_after(process, acks)
            for _ in range(2):
                log = await open_sqlite(tmp_path, HandClock())
                starts = batches_of(await everything(log))
                tail = await log.check_tail("s")
                await log.close()
                assert starts | acked == starts
                assert tail == 3 * len(starts)
    assert examine(tmp_path).complaints == ()


async def test_a_killed_writer_leaves_no_lock_but_a_living_one_does(tmp_path: Path) -> None:
    async with asyncio.timeout(60):
        process = await start_writer(tmp_path, 0)
        assert process.stdout is not None
        await process.stdout.readline()
        with pytest.raises(JournalError) as caught:
            await open_sqlite(tmp_path, HandClock())
        await kill_after(process, 1)
        assert str(tmp_path) in str(caught.value)
        assert str(process.pid) in str(caught.value)
        assert (tmp_path / "lock").read_text() == f"{process.pid}\n"
        log = await open_sqlite(tmp_path, HandClock())
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"
        await log.close()
