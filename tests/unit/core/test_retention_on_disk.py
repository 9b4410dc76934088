"""Retention, repair and a full disk where the file itself matters."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.house import ask, hear
from wyoming_kokoro.audio.bodies import PcmBodies
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.journal.sqlite.queries import SEQ_NUM_BITS
from wyoming_kokoro.model.audio import Speech
from wyoming_kokoro.model.cast import CastRequest, CastState
from wyoming_kokoro.model.errors import CastFailedError, StorageFullError
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.settings import RetentionSettings, WorkSettings

MIB = 1024 * 1024


class QuickEngine(ToneEngine):
    """Makes a fifth of a second of noise in no time."""

    async def synthesize(self, utterance: Utterance) -> Speech:
        return Speech(pcm=utterance.key.encode() * 150, gen_seconds=0.001)


class BriefOrders(ToneEngine):
    """Tones, but next to nothing for orders: however many were accepted, their sound has room on a small disk."""

    async def synthesize(self, utterance: Utterance) -> Speech:
        if utterance.spoken.startswith("Order"):
            return Speech(pcm=bytes(4800), gen_seconds=0.001)
        return await super().synthesize(utterance)


@contextlib.asynccontextmanager
async def house_on(
    data_dir: Path, retention: RetentionSettings | None = None, engine: type[ToneEngine] = ToneEngine
) -> AsyncIterator[House]:
    clock = SystemClock()
    log = await open_sqlite(data_dir, clock)
    house = await House.open(
        log=log, clock=clock, engine=engine(clock), voices=KokoroVoices("af_heart"), bodies=PcmBodies(),
        settings=WorkSettings(max_jobs=5000), retention=retention, worker_name="w1",
    )  # fmt: skip
    try:
        yield house
    finally:
        await house.close(5)
        await log.close()


async def accept(house: House, text: str, *, keep: bool = False) -> CastId:
    return (await house.intake.accept(CastRequest(source="test", text=text, keep=keep))).cast_id


async def settled(house: House) -> None:
    await house.shop.caught_up_with_jobs()
    while len(house.shop.backlog):
        await house.shop.settling.settled.wait(house.shop.settling.settled.count)


async def state(house: House, cast_id: CastId) -> CastState:
    return (await house.casts.get(cast_id)).state


def file_bytes(data_dir: Path) -> int:
    return sum(path.stat().st_size for path in data_dir.glob("journal.sqlite*"))


async def test_after_a_thousand_casts_the_file_shrinks_to_its_size_and_kept_casts_play(tmp_path: Path) -> None:
    limit_bytes = 3 * MIB
    async with asyncio.timeout(100), house_on(tmp_path, engine=QuickEngine) as house:
        casts = await asyncio.gather(*(accept(house, f"Item {number}.", keep=number % 100 == 0) for number in range(1000)))
        await settled(house)
        grown = file_bytes(tmp_path)
        await Retention(house.shop, RetentionSettings(retention_bytes=limit_bytes)).run()
        states = [await state(house, cast_id) for cast_id in casts]
        assert states.count(CastState.EXPIRED) > 500
        assert all(states[number] is CastState.DONE for number in range(0, 1000, 100))
        assert states[-1] is CastState.DONE
        assert not {CastState.DONE, CastState.EXPIRED} ^ set(states)
        for number in range(0, 1000, 100):
            pieces = await hear(house, casts[number])
            assert "".join(piece.text for piece in pieces) == f"Item {number}."
        while (tmp_path / "journal.sqlite").stat().st_size > limit_bytes + MIB:
            # The file gives its room back in quiet moments of the writer's.
            await house.shop.log.usage()
    assert file_bytes(tmp_path) < limit_bytes + MIB < grown / 2
    async with asyncio.timeout(60), house_on(tmp_path) as house:
        assert len(await hear(house, casts[999])) == 1


async def test_one_flipped_byte_is_noticed_and_made_again_from_that_sentence_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with asyncio.timeout(60), house_on(tmp_path) as house:
        cast_id = await accept(house, "Tea is ready. Come in. Sit down.")
        await settled(house)
        before = await hear(house, cast_id)
        sentences = (await house.casts.get(cast_id)).sentences
    flip_a_byte(tmp_path, cast_id, sentences[1].seq_num)
    async with asyncio.timeout(60), house_on(tmp_path) as house:
        with pytest.raises(CastFailedError):
            await house.casts.audio(cast_id, sentences[1].seq_num)
        after = await hear(house, cast_id)
        assert [(piece.pcm, piece.text) for piece in after] == [(piece.pcm, piece.text) for piece in before]
        await settled(house)
        mended = await house.casts.get(cast_id)
        assert mended.state is CastState.DONE
        assert mended.sentences[0] == sentences[0]
        assert mended.sentences[1].seq_num > sentences[2].seq_num
        assert house.metrics.counted(Counter.repairs_total) == 1
        assert [line for line in caplog.messages if line.startswith("repair:") and cast_id in line]
        assert house.metrics.counted(Counter.sentences_total, "reused") == 1


def flip_a_byte(data_dir: Path, cast_id: CastId, seq_num: int) -> None:
    """As a bad disk does: behind the journal's back."""
    with contextlib.closing(sqlite3.connect(data_dir / "journal.sqlite")) as connection:
        (stream_id,) = connection.execute("SELECT id FROM streams WHERE name = ?", (cast_stream(cast_id).encode(),)).fetchone()
        place = (stream_id << SEQ_NUM_BITS) + seq_num
        (body,) = connection.execute("SELECT body FROM records WHERE place = ?", (place,)).fetchone()
        body = body[:100] + bytes([body[100] ^ 1]) + body[101:]
        connection.execute("UPDATE records SET body = ? WHERE place = ?", (body, place))
        connection.commit()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 48 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("a small disk can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_refuses_what_is_new_speaks_all_the_same_loses_nothing_and_recovers(small_disk: Path) -> None:
    data_dir, ballast = small_disk / "data", small_disk / "ballast"
    async with asyncio.timeout(100), house_on(data_dir) as house:
        stored = [await accept(house, f"Item {number}.") for number in range(20)]
        await settled(house)
        assert await house.shop.log.restore_room()
        fill(ballast)
        accepted: list[CastId] = []
        with pytest.raises(StorageFullError):
            await accept_all(house, accepted)
        client = await ask(house, "This is spoken from memory.").done()
        assert client.pieces
        assert house.metrics.counted(Counter.requests_total, "unlogged") == 1
        await house.retention.relieve()
        assert house.shop.log.is_short
        with pytest.raises(StorageFullError):
            await accept(house, "Still too full.")
        for cast_id in stored:
            assert len(await hear(house, cast_id)) == 1
        ballast.unlink()
        accepted.append(await accept(house, "Now there is room."))
        assert (data_dir / "reserve").exists()
        await settled(house)
        for cast_id in (*stored, *accepted):
            assert await state(house, cast_id) is CastState.DONE


async def test_on_a_full_disk_retention_frees_room_by_itself(small_disk: Path) -> None:
    data_dir = small_disk / "data"
    async with asyncio.timeout(100), house_on(data_dir, engine=BriefOrders) as house:
        stored = [await accept(house, f"Item {number}. It is a long one, with many words.") for number in range(100)]
        await settled(house)
        assert await house.shop.log.restore_room()
        fill(small_disk / "ballast")
        with pytest.raises(StorageFullError):
            await accept_all(house, [])
        await Retention(house.shop, RetentionSettings(retention_bytes=2 * MIB)).relieve()
        assert await state(house, stored[0]) is CastState.EXPIRED
        async with asyncio.timeout(20):
            while not await house.shop.log.try_again():
                await house.shop.log.usage()
        await accept(house, "Now there is room.")
        await settled(house)


async def accept_all(house: House, accepted: list[CastId]) -> None:
    """Ask for more and more, keeping what was accepted."""
    for number in range(2000):
        accepted.append(await accept(house, f"Order {number}, which is a long one with many words in it."))  # noqa: PERF401 - they count when it ends early


def fill(ballast: Path) -> None:
    """Leave a disk without a free page."""
    descriptor = os.open(ballast, os.O_WRONLY | os.O_CREAT)
    with contextlib.suppress(OSError):
        while os.write(descriptor, bytes(64 * 1024)):
            pass
    os.close(descriptor)
