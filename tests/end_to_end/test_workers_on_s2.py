"""Real processes beside each other on a real s2-lite: one is killed, one is stopped, and nobody hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from benchmarks.s2_lite import S2Lite
from benchmarks.shared_journal import shared_journal
from tests.contracts.log_backends import NEEDS_S2_LITE
from wyoming_kokoro.model.ids import PROGRESS_DONE, cast_stream
from wyoming_kokoro.model.records import Alive, Audio, Eos, Receipt

pytestmark = [pytest.mark.s2, NEEDS_S2_LITE]

TEXT = " ".join(f"The mark number {'abcdefgh'[number]} is near the old garden." for number in range(8))


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[S2Lite]:
    server = S2Lite(tmp_path / "s2-lite")
    server.start()
    yield server
    server.stop()


async def test_a_killed_worker_is_replaced_at_its_sentence_and_a_stopped_one_hands_over(lite: S2Lite, tmp_path: Path) -> None:
    async with shared_journal(tmp_path / "site", lite, "shared-basin") as made, asyncio.timeout(120):
        await asyncio.gather(*map(partial(made.worker, pace=2.0), ("one", "two", "three")))
        cast_id = await made.ask(TEXT)
        killed = await made.holder(cast_id, 1)
        await made.until(cast_stream(cast_id), Audio, 2)
        await killed.kill()
        stopped = await made.holder(cast_id, 2)
        assert stopped is not killed
        assert await stopped.terminate() == 0
        assert await made.holder(cast_id, 3) not in (killed, stopped)
        await made.until(cast_stream(cast_id), Eos, 1)
        await made.until(PROGRESS_DONE, Receipt, 1)
        records = [sequenced.record for sequenced in await made.log.read(cast_stream(cast_id), 0)]
    assert [record.index for record in records if isinstance(record, Audio)] == list(range(8))
    assert [record.released for record in records if isinstance(record, Alive) and record.released] == [True]
    assert len([record for record in records if isinstance(record, Eos)]) == 1
