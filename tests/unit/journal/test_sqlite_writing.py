"""The writer: what shares a transaction, what fails with it, and what is done when nobody waits."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.batch import Batch, pack
from wyoming_kokoro.journal.sqlite import SqliteLog, open_sqlite
from wyoming_kokoro.journal.sqlite.chores import Chores
from wyoming_kokoro.journal.sqlite.ledger import Ledger
from wyoming_kokoro.journal.sqlite.schema import open_for_writing
from wyoming_kokoro.journal.sqlite.writer import MAX_OPERATIONS, Writer
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    LogUnavailableError,
    SeqNumMismatchError,
    StorageFullError,
)
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Trim

ONE = pack([line(0)])


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("the disk says no")
    error.sqlite_errorcode = code
    return error


class Disk(sqlite3.Connection):
    """A connection that counts what is committed and may be told to fail there."""

    commits = 0
    failure: sqlite3.Error | None = None
    full_for: str | None = None
    """The disk is full for statements that hold this."""
    failed = 0
    scripts = 0

    def execute(self, sql: str, *parameters: object) -> sqlite3.Cursor:
        self._find_room(sql)
        if sql == "COMMIT":
            if self.failure is not None:
                raise self.failure
            self.commits += 1
        return super().execute(sql, *parameters)

    def executescript(self, sql_script: str) -> sqlite3.Cursor:
        self._find_room(sql_script)
        self.scripts += 1
        return super().executescript(sql_script)

    def _find_room(self, sql: str) -> None:
        if self.full_for is not None and self.full_for in sql:
            self.failed += 1
            raise sqlite_error(sqlite3.SQLITE_FULL)


class Bench:
    """A writer on a `Disk`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        open_for_writing(path).close()
        self.disk = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Disk)
        self.rung: list[str] = []
        self.writer = Writer(Ledger(self.disk, HandClock()), self.rung.append)

    def append(self, match: int | None = None, batch: Batch = ONE) -> asyncio.Future[Ack]:
        return self.writer.submit("s", batch, lambda ledger: ledger.append("s", batch, match, None))

    def work(self, work: Callable[[Ledger], object]) -> asyncio.Future[object]:
        return self.writer.submit("work", ONE, work)

    def hold(self) -> Callable[[], None]:
        """Keep the writer busy until the answer is called."""
        gate = threading.Event()
        self.work(lambda _: gate.wait(60))
        return gate.set


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path / "journal.sqlite")
    yield bench
    await bench.writer.close()


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[SqliteLog]:
    log = await open_sqlite(tmp_path, HandClock())
    yield log
    await log.close()


# --- transactions


async def test_one_append_is_one_commit(bench: Bench) -> None:
    before = bench.disk.commits
    await bench.append()
    assert bench.disk.commits == before + 1


async def test_what_waits_while_the_disk_works_shares_the_next_commit(bench: Bench) -> None:
    release = bench.hold()
    before = bench.disk.commits
    waiting = [bench.append() for _ in range(MAX_OPERATIONS + 10)]
    release()
    acks = await asyncio.gather(*waiting)
    assert [ack.start for ack in acks] == list(range(MAX_OPERATIONS + 10))
    assert 2 <= bench.disk.commits - before <= 3  # the one that held, perhaps with some of the others


async def test_a_refusal_concerns_nobody_else_in_the_transaction(bench: Bench) -> None:
    release = bench.hold()
    waiting = [bench.append(match) for match in (0, 7, 1)]
    release()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Ack, SeqNumMismatchError, Ack]
    assert bench.rung.count("s") == 1


async def test_an_error_in_one_append_undoes_that_append_alone(bench: Bench) -> None:
    def half(ledger: Ledger) -> None:
        ledger.append("s", ONE, None, None)
        raise sqlite_error(sqlite3.SQLITE_IOERR)

    release = bench.hold()
    first, broken, last = bench.append(), bench.work(half), bench.append()
    release()
    assert (await first, await last) == (Ack(0, 1), Ack(1, 2))
    with pytest.raises(LogUnavailableError):
        await broken


async def test_an_error_of_our_own_reaches_its_caller_and_the_thread_lives_on(bench: Bench) -> None:
    broken = bench.work(lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        await broken
    assert await bench.append() == Ack(0, 1)


async def test_a_transaction_that_sqlite_has_undone_is_refused_whole(bench: Bench) -> None:
    def lose_all(ledger: Ledger) -> None:
        ledger.connection.execute("ROLLBACK")
        raise sqlite_error(sqlite3.SQLITE_FULL)

    release = bench.hold()
    waiting = [bench.append(), bench.work(lose_all), bench.append(9)]
    release()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [StorageFullError] * 3
    assert await bench.append() == Ack(0, 1)


@pytest.mark.parametrize(
    ("code", "expected"),
    [(sqlite3.SQLITE_IOERR_FSYNC, AppendOutcomeUnknownError), (sqlite3.SQLITE_FULL, StorageFullError)],
)
async def test_a_commit_that_fails_answers_everybody(bench: Bench, code: int, expected: type[Exception]) -> None:
    bench.disk.failure = sqlite_error(code)
    waiting = [bench.append(), bench.append(5)]
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [expected] * 2
    bench.disk.failure = None
    assert await bench.append() == Ack(0, 1)
    assert bench.rung == ["s"]


# --- a full disk


async def fill(log: SqliteLog, stream: str) -> int:
    """Append until there is no more room; how many went in."""
    for count in range(10_000):
        try:
            await log.append(stream, [line(count, "x" * 50_000)])
        except StorageFullError:
            return count
    raise AssertionError("the disk was never full")


async def limit_pages(log: SqliteLog, pages: int) -> None:
    await log._writer.submit("work", ONE, lambda ledger: ledger.connection.execute(f"PRAGMA max_page_count = {pages}"))


async def test_a_full_disk_is_said_to_be_full_and_loses_nothing(log: SqliteLog) -> None:
    await limit_pages(log, 200)
    written = await fill(log, "s")
    assert written > 0
    assert await log.check_tail("s") == written
    assert len(await log.read_back("s", limit=1000)) == written


async def test_room_that_a_trim_gives_back_is_used_again(log: SqliteLog) -> None:
    await limit_pages(log, 200)
    written = await fill(log, "s")
    assert await log.append("s", [Trim(written)]) == Ack(written, written + 1)
    assert await fill(log, "other") > 0


# --- chores


async def ask(log: SqliteLog, query: str) -> int:
    return await log._reader.ask(lambda connection: int(connection.execute(query).fetchone()[0]))


async def falls_below(log: SqliteLog, query: str, bound: int) -> None:
    """Wait for a chore to have done its part."""
    async with asyncio.timeout(60):
        while await ask(log, query) >= bound:
            pass


async def test_the_file_shrinks_when_much_was_trimmed(log: SqliteLog, tmp_path: Path) -> None:
    for index in range(100):
        await log.append("s", [line(index, "x" * 100_000)])
    pages, before = await ask(log, "PRAGMA page_count"), await log.usage()
    await log.append("s", [Trim(100)])
    await falls_below(log, "PRAGMA page_count", pages // 3)
    after = await log.usage()
    await log.close()
    assert after.used_bytes < before.used_bytes // 10
    assert (tmp_path / "journal.sqlite").stat().st_size < pages * 4096 // 3


async def appended(bench: Bench) -> int:
    """Append 400 large records; how many pages the file has now."""
    for index in range(100):
        await bench.append(batch=pack([line(index, "x" * 25_000)] * 4))
    with contextlib.closing(sqlite3.connect(bench.path)) as reading:
        return int(reading.execute("PRAGMA page_count").fetchone()[0])


async def comes_true(condition: Callable[[], bool]) -> None:
    """Wait for what the writer's thread does."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(60):
        while not await loop.run_in_executor(None, condition):
            pass


@pytest.mark.parametrize("chore", ["DELETE FROM records", "wal_checkpoint", "incremental_vacuum"])
async def test_a_chore_that_finds_no_room_is_tried_again_though_nobody_writes(bench: Bench, chore: str) -> None:
    pages = await appended(bench)
    trim = pack([Trim(400)])

    def fill_up(ledger: Ledger) -> None:
        ledger.append("s", trim, None, None)
        bench.disk.full_for = chore

    await bench.writer.submit("s", trim, fill_up)
    await comes_true(lambda: bench.disk.failed > 2)
    bench.disk.full_for = None
    await comes_true(lambda: bench.path.stat().st_size < pages * 4096 // 3)


async def test_the_file_shrinks_in_large_steps(bench: Bench) -> None:
    pages = await appended(bench)
    await bench.append(batch=pack([Trim(400)]))
    await comes_true(lambda: bench.path.stat().st_size < pages * 4096 // 3)
    assert bench.disk.scripts <= pages // 256 + 2


async def test_the_file_shrinks_once_nobody_reads_what_it_was(bench: Bench) -> None:
    pages = await appended(bench)
    reading = sqlite3.connect(bench.path, isolation_level=None)
    reading.execute("BEGIN")
    reading.execute("SELECT count(*) FROM records").fetchall()
    await bench.append(batch=pack([Trim(400)]))
    await comes_true(lambda: bench.disk.scripts > 3)
    reading.execute("COMMIT")
    await comes_true(lambda: bench.path.stat().st_size < pages * 4096 // 3)
    reading.close()


async def test_what_was_put_off_waits_longer_each_time_until_there_is_hope(bench: Bench) -> None:
    now = 0.0
    disk = sqlite3.connect(bench.path, isolation_level=None, factory=Disk)
    disk.full_for = "freelist_count"
    chores = Chores(Ledger(disk, HandClock()), lambda: now)
    pauses = []
    for _ in range(10):
        while chores.step():
            pass
        pauses.append(chores.put_off_seconds)
        failed = disk.failed
        while chores.step():
            pass
        assert disk.failed == failed
        now += pauses[-1] or 0
    assert pauses == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10, 10])
    while chores.step():
        pass
    chores.encourage()
    assert chores.put_off_seconds == 0
    disk.full_for = None
    while chores.step():
        pass
    assert chores.put_off_seconds is None
    disk.close()


async def test_what_a_trim_left_behind_is_swept_away(log: SqliteLog) -> None:
    for _ in range(2):
        await log.append("s", [line(0)] * 1000)
    await log.append("s", [Trim(2000)])
    await falls_below(log, "SELECT count(*) FROM records", 2)
    assert await ask(log, "SELECT min(place) & 0xFFFFF FROM records") == 2000


async def test_what_an_earlier_run_left_behind_is_swept_away(tmp_path: Path) -> None:
    log = await open_sqlite(tmp_path, HandClock())
    await log.append("s", [line(0)] * 1000)
    begun = asyncio.ensure_future(log.append("s", [Trim(1000)]))
    await asyncio.sleep(0)
    await log.close()
    await begun
    log = await open_sqlite(tmp_path, HandClock())
    await falls_below(log, "SELECT count(*) FROM records", 2)
    await log.close()


async def test_the_write_ahead_log_does_not_grow_for_ever(log: SqliteLog, tmp_path: Path) -> None:
    for index in range(400):
        await log.append("s", [line(index, "x" * 100_000)])
    assert (tmp_path / "journal.sqlite-wal").stat().st_size < 20 * 1024 * 1024


async def test_it_does_not_grow_for_ever_either_while_everybody_writes(log: SqliteLog, tmp_path: Path) -> None:
    for _ in range(4):
        await asyncio.gather(*(log.append("s", [line(index, "x" * 100_000)]) for index in range(200)))
    assert (tmp_path / "journal.sqlite-wal").stat().st_size < 75 * 1024 * 1024


async def test_stamps_go_on_from_the_newest_record_after_opening_again(tmp_path: Path) -> None:
    clock = HandClock()
    log = await open_sqlite(tmp_path, clock)
    await log.append("s", [line(0)])
    await log.close()
    noon_ms, clock.unix_ms = clock.unix_ms, clock.unix_ms - 3_600_000
    log = await open_sqlite(tmp_path, clock)
    await log.append("other", [line(0)])
    assert (await log.read("other", 0))[0].timestamp_ms == noon_ms
    await log.close()
