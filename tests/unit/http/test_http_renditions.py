"""Sound as files that grow: shared, kept, bounded, and let go of."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path

import pytest

from wyoming_kokoro.audio.containers import open_encoder
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.sound import PAUSE_MS, sound
from wyoming_kokoro.frontends.http.rendition import Rendition
from wyoming_kokoro.frontends.http.renditions import Heard, Renditions
from wyoming_kokoro.frontends.http.spool import Spool
from wyoming_kokoro.frontends.http.survey import surveyed
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import CastFailedError, StorageFullError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.presentation import Presentation

CAST = CastId("abcdefghijklmnop")
HEARD = Heard(CAST, Presentation())


class FakeListening:
    """Casts of pieces that come when they are said to."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)
        self.is_over = bool(pieces)
        self.error: Exception | None = None
        self.listeners = 0
        self.opened = 0
        self.changed = Signal()

    async def listen(self, cast_id: CastId, *, first_index: int = 0) -> AsyncGenerator[Piece, None]:
        self.listeners += 1
        self.opened += 1
        try:
            index = first_index
            while True:
                while index < len(self.pieces):
                    yield Piece(index, self.pieces[index], f"{cast_id} {index}", None)
                    index += 1
                if self.error is not None:
                    raise self.error
                if self.is_over:
                    return
                await self.changed.wait(self.changed.count)
        finally:
            self.listeners -= 1

    def say(self, pcm: bytes) -> None:
        self.pieces.append(pcm)
        self.changed.notify()

    def end(self, error: Exception | None = None) -> None:
        self.is_over, self.error = True, error
        self.changed.notify()


def pcm(seed: int, seconds: float = 0.5) -> bytes:
    return bytes((seed * place + place // 7) % 251 for place in range(round(SPEECH.rate * seconds) * 2))


def wav(*pieces: bytes, total: bool = True) -> bytes:
    whole = b"".join(pieces)
    encoder = open_encoder("wav", total_bytes=len(whole) if total else None)
    return encoder.feed(whole) + encoder.finish()


async def read_all(rendition: Rendition, step: int = 5000) -> bytes:
    heard = b""
    async with asyncio.timeout(20):
        while data := await rendition.read(len(heard), step):
            heard += data
    return heard


@asynccontextmanager
async def renditions(
    listening: FakeListening, folder: Path, *, memory_bytes: int = 10_000_000, cache_bytes: int = 10_000_000
) -> AsyncGenerator[Renditions, None]:
    made = Renditions(listening, folder, memory_bytes=memory_bytes, cache_bytes=cache_bytes)
    try:
        yield made
    finally:
        await made.close()
        assert listening.listeners == 0


@pytest.mark.parametrize("memory_bytes", [0, 700, 10_000])
async def test_a_spool_gives_back_what_was_put_in_wherever_it_lies(tmp_path: Path, memory_bytes: int) -> None:
    spool = Spool(tmp_path, memory_bytes=memory_bytes)
    whole = b""
    for number in range(20):
        await spool.append(bytes([number]) * 100)
        whole += bytes([number]) * 100
        assert spool.size_bytes == len(whole)
        assert await spool.read(len(whole) - 150 if number else 0, 400) == whole[-150:]
    assert await spool.read(50, 1000) == whole[50:1050]
    assert await spool.read(len(whole), 10) == b""
    assert list(os.scandir(tmp_path)) == []
    spool.close()
    spool.close()


async def test_a_disk_without_room_is_told_as_such(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "gone", memory_bytes=10)
    await spool.append(b"0123456789")
    with pytest.raises(StorageFullError):
        await spool.append(b"x")
    assert await spool.read(0, 100) == b"0123456789"


async def test_sound_is_lead_chime_and_speech_as_often_as_asked_for() -> None:
    listening = FakeListening(pcm(1), pcm(2), pcm(3))
    presented = Presentation(first_index=1, lead_ms=500, repeat=2)
    async with aclosing(sound(listening, CAST, presented)) as pieces:
        heard = b"".join([piece async for piece in pieces])
    speech = pcm(2) + pcm(3)
    assert heard == SPEECH.silence(500) + speech + SPEECH.silence(PAUSE_MS) + speech
    presented = Presentation(chime="bell")
    async with aclosing(sound(listening, CAST, presented)) as pieces:
        heard = b"".join([piece async for piece in pieces])
    assert heard.endswith(pcm(1) + pcm(2) + pcm(3))
    assert len(heard) > 3 * len(pcm(1)) + SPEECH.bytes_per_second // 2


async def test_not_even_a_chime_is_heard_of_what_cannot_be_spoken() -> None:
    listening = FakeListening()
    listening.end(CastFailedError("no"))
    with pytest.raises(CastFailedError):
        await surveyed(sound(listening, CAST, Presentation(chime="bell", lead_ms=100)))


@pytest.mark.parametrize("memory_bytes", [1000, 10_000_000])
async def test_everybody_hears_the_same_from_one_encoder_early_or_late(tmp_path: Path, memory_bytes: int) -> None:
    listening = FakeListening()
    async with renditions(listening, tmp_path, memory_bytes=memory_bytes) as shared, AsyncExitStack() as stack:
        early = [await stack.enter_async_context(shared.open(HEARD, "wav")) for _ in range(10)]
        hearing = [asyncio.create_task(read_all(rendition)) for rendition in early]
        listening.say(pcm(1))
        await early[0].begun()
        late = await stack.enter_async_context(shared.open(HEARD, "wav"))
        listening.say(pcm(2))
        listening.end()
        heard = [*await asyncio.gather(*hearing), await read_all(late)]
        assert set(heard) == {wav(pcm(1), pcm(2), total=False)}
        assert listening.opened == 1


async def test_a_failure_reaches_everybody_after_what_could_be_heard(tmp_path: Path) -> None:
    listening = FakeListening()
    async with renditions(listening, tmp_path) as shared, shared.open(HEARD, "wav") as rendition:
        listening.say(pcm(1))
        await rendition.begun()
        listening.end(CastFailedError("no"))
        size = len(wav(pcm(1), total=False))
        async with asyncio.timeout(20):
            assert await rendition.read(0, size) == wav(pcm(1), total=False)
            with pytest.raises(CastFailedError):
                await rendition.read(size, 10)
            with pytest.raises(CastFailedError):
                await rendition.completed()


async def test_what_failed_once_is_tried_again_for_who_comes_later(tmp_path: Path) -> None:
    listening = FakeListening()
    listening.end(CastFailedError("no"))
    async with renditions(listening, tmp_path) as shared, shared.open(HEARD, "wav") as stalled:
        with pytest.raises(CastFailedError):
            await stalled.begun()
        listening.error = None
        listening.say(pcm(1))
        async with shared.open(HEARD, "wav") as fresh:
            assert await read_all(fresh) == wav(pcm(1), total=False)
        with pytest.raises(CastFailedError):
            await stalled.read(0, 1)


async def test_nobody_makes_what_nobody_listens_to_any_more(tmp_path: Path) -> None:
    listening = FakeListening()
    async with renditions(listening, tmp_path) as shared:
        async with shared.open(HEARD, "mp3") as rendition:
            listening.say(pcm(1))
            await rendition.begun()
            assert listening.listeners == 1
        async with asyncio.timeout(20):
            while listening.listeners:  # noqa: ASYNC110 - the fake has no event for it
                await asyncio.sleep(0)


async def test_a_finished_file_is_kept_and_one_made_live_becomes_it(tmp_path: Path) -> None:
    listening = FakeListening(pcm(1), pcm(2))
    async with renditions(listening, tmp_path) as shared:
        async with shared.open(HEARD, "mp3") as live:
            made_live = await read_all(live)
        survey = await shared.survey(HEARD, 7)
        assert await shared.survey(HEARD, 7) is survey
        opened = listening.opened
        for _ in range(2):
            async with shared.open(HEARD, "mp3", survey) as kept:
                assert kept is live
                assert await read_all(kept) == made_live
        assert listening.opened == opened
        async with shared.open(HEARD, "wav", survey) as exact:
            assert await read_all(exact) == wav(pcm(1), pcm(2))


async def test_a_cast_that_was_made_anew_and_sounds_different_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    listening = FakeListening(pcm(1))
    async with renditions(listening, tmp_path) as shared:
        async with shared.open(HEARD, "mp3") as live:
            await read_all(live)
        listening.pieces = [pcm(2)]
        survey = await shared.survey(HEARD, 9)
        async with shared.open(HEARD, "mp3", survey) as anew:
            assert anew is not live
            await anew.completed()
            assert anew.survey == survey


async def test_what_is_kept_is_bounded_and_the_least_used_goes_first(tmp_path: Path) -> None:
    listening = FakeListening(pcm(1))
    size = len(wav(pcm(1)))
    casts = [Heard(CastId(f"abcdefghijklmno{letter}"), Presentation()) for letter in "abc"]
    async with renditions(listening, tmp_path, cache_bytes=2 * size) as shared:

        async def fetch(heard: Heard) -> None:
            async with shared.open(heard, "wav", await shared.survey(heard, 1)) as rendition:
                await rendition.completed()

        for heard in casts[:2]:
            await fetch(heard)
        await fetch(casts[0])
        await fetch(casts[2])
        opened = listening.opened
        await fetch(casts[0])
        assert listening.opened == opened
        await fetch(casts[1])
        assert listening.opened == opened + 1


async def test_a_cache_of_nothing_keeps_nothing(tmp_path: Path) -> None:
    listening = FakeListening(pcm(1))
    async with renditions(listening, tmp_path, cache_bytes=0) as shared:
        survey = await shared.survey(HEARD, 1)
        for count in (2, 3):
            async with shared.open(HEARD, "wav", survey) as rendition:
                await rendition.completed()
            assert listening.opened == count
