"""The file on the disk: who may open it, and what is said of one that can't be used."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.reserve import RESERVE_BYTES, Reserve
from wyoming_kokoro.journal.sqlite import examine, open_sqlite
from wyoming_kokoro.journal.sqlite.schema import FORMAT_VERSION, open_for_writing
from wyoming_kokoro.model.errors import JournalError
from wyoming_kokoro.model.records import Unreadable

PAGE_BYTES = 4096


async def make(folder: Path, records: int = 1) -> Path:
    """A closed journal; the path of its file."""
    log = await open_sqlite(folder, HandClock())
    for index in range(records):
        await log.append("s", [line(index, "x" * 200)] * 10)
    await log.close()
    return folder / "journal.sqlite"


async def test_a_data_directory_is_made_with_all_that_belongs_there(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    await make(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["journal.sqlite", "lock", "reserve"]
    assert (folder / "reserve").stat().st_size == RESERVE_BYTES


async def test_a_file_is_made_for_a_long_life(tmp_path: Path) -> None:
    with closing(open_for_writing(await make(tmp_path))) as connection:
        asked = ("journal_mode", "auto_vacuum", "synchronous")
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
    assert found == ["wal", 2, 2]  # incremental, full


async def test_a_second_server_is_refused_in_one_sentence(tmp_path: Path) -> None:
    log = await open_sqlite(tmp_path, HandClock())
    with pytest.raises(JournalError) as caught:
        await open_sqlite(tmp_path, HandClock())
    await log.append("s", [line(0)])
    await log.close()
    assert str(caught.value) == (
        f"{tmp_path} is in use by another server (process {os.getpid()}): stop it, or use another data directory"
    )


async def test_a_newer_journal_is_refused_by_name_and_left_alone(tmp_path: Path) -> None:
    path = await make(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE format SET version = ?", (FORMAT_VERSION + 1,))
        connection.commit()
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(JournalError, match=rf"newer program \(journal format {FORMAT_VERSION + 1}") as caught:
            await open_sqlite(tmp_path, HandClock())
        assert str(path) in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all" * 500, b"SQLite format 3\0" + b"\xff" * 9000])
async def test_a_file_that_is_no_journal_is_refused_with_a_hint(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "journal.sqlite").write_bytes(content)
    with pytest.raises(JournalError, match=r"restore it from a backup|move it away"):
        await open_sqlite(tmp_path, HandClock())
    assert (tmp_path / "journal.sqlite").read_bytes() == content


async def test_a_database_of_somebody_else_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as connection:
        connection.execute("CREATE TABLE theirs (name TEXT)")
    with pytest.raises(JournalError, match="no journal"):
        await open_sqlite(tmp_path, HandClock())


async def test_a_data_directory_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="can't be used"):
        await open_sqlite(tmp_path / "file" / "data", HandClock())


async def test_damaged_pages_are_a_journal_error_with_a_hint(tmp_path: Path) -> None:
    path = await make(tmp_path, records=40)
    content = path.read_bytes()
    path.write_bytes(content[: 8 * PAGE_BYTES] + b"\xa5" * (len(content) - 8 * PAGE_BYTES))
    assert examine(tmp_path).complaints
    log = await open_sqlite(tmp_path, HandClock())
    with pytest.raises(JournalError, match=r"damaged.*doctor"):
        await log.read_back("s", limit=1000)
    with pytest.raises(JournalError, match=r"damaged.*doctor"):
        await log.append("s", [line(1)])
    await log.close()


async def test_a_record_whose_headers_are_damaged_is_unreadable_and_the_rest_is_read(tmp_path: Path) -> None:
    path = await make(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE records SET headers = x'00' WHERE place & 15 = 3")
        connection.commit()
    log = await open_sqlite(tmp_path, HandClock())
    found = [each.record for each in await log.read("s", 0)]
    await log.close()
    assert isinstance(found[3], Unreadable)
    assert len(found) == 10


async def test_an_examination_works_beside_the_server(tmp_path: Path) -> None:
    log = await open_sqlite(tmp_path, HandClock())
    await log.append("s", [line(0)])
    seen = examine(tmp_path)
    usage = await log.usage()
    await log.close()
    assert seen.complaints == ()
    assert seen.format_version == FORMAT_VERSION
    assert 0 < usage.used_bytes <= usage.file_bytes


def test_where_there_is_no_journal_there_is_nothing_to_examine(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        examine(tmp_path)
    assert list(tmp_path.iterdir()) == []


async def test_the_reserve_is_given_away_and_taken_back(tmp_path: Path) -> None:
    log = await open_sqlite(tmp_path, HandClock())
    await log.make_room()
    await log.make_room()
    assert not (tmp_path / "reserve").exists()
    assert await log.restore_room()
    assert (tmp_path / "reserve").stat().st_blocks * 512 >= RESERVE_BYTES
    await log.close()


def test_a_reserve_without_room_leaves_nothing_behind(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path, 2**62)
    assert not reserve.restore()
    assert not reserve.is_whole
    assert list(tmp_path.iterdir()) == []
