"""A journal that an older program wrote is read, and what was left undone in it is done."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fixtures.journal_maker import TEXTS
from tests.house import hear
from wyoming_kokoro.audio.bodies import FlacBodies
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.sqlite.schema import FORMAT_VERSION
from wyoming_kokoro.model.cast import CastRequest, CastState, JobKind
from wyoming_kokoro.model.errors import IdempotencyMismatchError, JournalError
from wyoming_kokoro.settings import RetentionSettings, WorkSettings

FIXTURES = Path(__file__).parents[2] / "fixtures"
JOURNALS = sorted(FIXTURES.glob("journal-v*.sqlite"))


@contextlib.asynccontextmanager
async def house_on(data_dir: Path) -> AsyncIterator[House]:
    clock = SystemClock()
    log = await open_sqlite(data_dir, clock)
    # The keys in the file are as old as the file: here they still count.
    house = await House.open(
        log=log, clock=clock, engine=ToneEngine(clock), voices=KokoroVoices("af_heart"), bodies=FlacBodies(),
        settings=WorkSettings(), retention=RetentionSettings(retention_days=36_500, dedupe_hours=1_000_000), worker_name="w1",
    )  # fmt: skip
    try:
        yield house
    finally:
        await house.close(5)
        await log.close()


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: str(path.stem))
async def test_an_old_journal_is_read_and_its_open_job_is_done(journal: Path, tmp_path: Path) -> None:
    shutil.copy(journal, tmp_path / "journal.sqlite")
    async with asyncio.timeout(60), house_on(tmp_path) as house:
        await house.shop.caught_up_with_jobs()
        while len(house.shop.backlog):
            await house.shop.settling.settled.wait(house.shop.settling.settled.count)
        listed, _ = await house.casts.newest()
        found = {view.text: view for view in listed}
        assert list(found) == [TEXTS[name] for name in ("waiting", "live", "dead", "kept", "done")]
        states = {name: found[text].state for name, text in TEXTS.items() if text in found}
        assert states == {
            "done": CastState.DONE, "kept": CastState.DONE, "live": CastState.DONE, "waiting": CastState.DONE,
            "dead": CastState.FAILED,
        }  # fmt: skip
        assert [view.text for view in listed if view.keep] == [TEXTS["kept"]]
        assert found[TEXTS["live"]].kind is JobKind.LIVE
        for name in ("done", "kept", "live", "waiting"):
            pieces = await hear(house, found[TEXTS[name]].cast_id)
            assert "".join(piece.text for piece in pieces) == TEXTS[name]
            assert all(piece.pcm for piece in pieces)
        assert [letter.recipe.text for letter in await house.casts.dead()] == [TEXTS["dead"]]
        with pytest.raises(IdempotencyMismatchError):
            await house.intake.accept(CastRequest(source="test", text="Another one."), idempotency_key="key-done")
        assert TEXTS["deleted"] not in found


def test_there_is_an_old_journal_for_every_format_that_there_was() -> None:
    assert [path.stem for path in JOURNALS] == [f"journal-v{version}" for version in range(1, FORMAT_VERSION + 1)]


async def test_a_journal_of_a_newer_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    shutil.copy(JOURNALS[-1], path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE format SET version = ?", (FORMAT_VERSION + 1,))
        connection.commit()
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"newer program.*update"):
        await open_sqlite(tmp_path, SystemClock())
    assert path.read_bytes() == before
