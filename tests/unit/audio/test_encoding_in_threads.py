"""Encoding piece by piece: lazily, in bounded memory, and with an end that leaves nothing behind."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing

import pytest

from tests.unit.audio.players import by_miniaudio, sentence
from wyoming_kokoro.audio import containers
from wyoming_kokoro.audio.containers import FORMATS, encoded, open_encoder

SENTENCES = [sentence(0.9), sentence(1.31, 220.0, 2), sentence(0.7, 140.0, 3)]
CAST = b"".join(SENTENCES)


class Pieces:
    """A source that tells how far it has been read and whether it was closed."""

    def __init__(self, pieces: list[bytes], error: Exception | None = None) -> None:
        self.asked = 0
        self.is_closed = False
        self._pieces = pieces
        self._error = error

    async def read(self) -> AsyncGenerator[bytes, None]:
        try:
            for piece in self._pieces:
                self.asked += 1
                yield piece
            if self._error is not None:
                raise self._error
        finally:
            self.is_closed = True


class StubbornStream:
    """An encoder whose thread does not come back until it is released."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.released = threading.Event()
        self.is_closed = False

    def feed(self, pcm: bytes) -> bytes:
        self.entered.set()
        self.released.wait()
        return pcm

    def finish(self) -> bytes:
        return b""

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[StubbornStream]]:
    """Every WAV encoder that is opened is a stubborn one; they are here."""
    streams: list[StubbornStream] = []

    def open_stream(_: int | None) -> StubbornStream:
        streams.append(StubbornStream())
        return streams[-1]

    monkeypatch.setattr(containers, "_STREAMS", {**containers._STREAMS, "wav": open_stream})
    yield streams
    for stream in streams:
        stream.released.set()


async def listen(pieces: list[bytes], name: str) -> list[bytes]:
    return [chunk async for chunk in encoded(Pieces(pieces).read(), name)]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("total_bytes", [None, len(CAST)], ids=["live", "finished"])
@pytest.mark.parametrize("name", FORMATS)
async def test_what_comes_is_the_encoder_s_own_file(name: str, total_bytes: int | None) -> None:
    encoder = open_encoder(name, total_bytes=total_bytes)
    expected = encoder.feed(CAST) + encoder.finish()
    chunks = [chunk async for chunk in encoded(Pieces(SENTENCES).read(), name, total_bytes=total_bytes)]
    assert b"".join(chunks) == expected
    assert b"" not in chunks


@pytest.mark.parametrize("name", FORMATS)
async def test_a_crowd_of_listeners_with_different_pieces_gets_the_same_bytes(name: str) -> None:
    cuts = [1_000, 4_802, 30_000, len(CAST)]
    listeners = [listen([CAST[start : start + cut] for start in range(0, len(CAST), cut)], name) for cut in cuts]
    assert len({b"".join(chunks) for chunks in await asyncio.gather(*listeners)}) == 1


@pytest.mark.parametrize("name", ["mp3", "flac", "wav"])
async def test_the_first_sentence_is_heard_before_the_second_is_asked_for(name: str) -> None:
    pieces = Pieces(SENTENCES)
    async with aclosing(encoded(pieces.read(), name)) as chunks:
        heard = by_miniaudio(await anext(chunks))
        assert len(heard) > 0.7 * len(SENTENCES[0]) / 2
        assert pieces.asked == 1
    assert pieces.is_closed


async def test_a_long_piece_is_encoded_a_second_at_a_time() -> None:
    chunks = await listen([bytes(10 * 48_000)], "wav")
    assert [len(chunk) for chunk in chunks] == [48_044, *[48_000] * 9]


@pytest.mark.parametrize("name", FORMATS)
async def test_a_source_that_breaks_is_heard_of_and_closed(name: str) -> None:
    pieces = Pieces(SENTENCES, RuntimeError("the cast failed"))
    with pytest.raises(RuntimeError, match="the cast failed"):
        async for _ in encoded(pieces.read(), name):
            pass
    assert pieces.is_closed


async def test_a_source_that_ends_early_is_no_whole_file() -> None:
    with pytest.raises(ValueError, match="instead of the"):
        async for _ in encoded(Pieces(SENTENCES[:2]).read(), "wav", total_bytes=len(CAST)):
            pass


async def test_an_unknown_format_is_refused_before_anything_is_read() -> None:
    pieces = Pieces(SENTENCES)
    with pytest.raises(ValueError, match="'aac'"):
        await anext(encoded(pieces.read(), "aac"))
    assert pieces.asked == 0


async def test_a_cancelled_listener_closes_its_encoder_when_the_thread_has_left_it(stubborn: list[StubbornStream]) -> None:
    listener = asyncio.create_task(listen(SENTENCES, "wav"))
    await settle()
    (stream,) = stubborn
    assert await asyncio.to_thread(stream.entered.wait, 10)
    for _ in range(3):
        listener.cancel()
        await settle()
    assert not listener.done()
    assert not stream.is_closed
    stream.released.set()
    with pytest.raises(asyncio.CancelledError):
        await listener
    assert stream.is_closed


async def test_a_cancelled_listener_does_not_wait_for_a_thread_that_it_never_had(stubborn: list[StubbornStream]) -> None:
    busy = [asyncio.create_task(listen(SENTENCES, "wav")) for _ in range(containers._THREADS)]
    await settle()
    for stream in stubborn:
        assert await asyncio.to_thread(stream.entered.wait, 10)
    late = asyncio.create_task(listen(SENTENCES, "wav"))
    await settle()
    late.cancel()
    async with asyncio.timeout(10):
        await asyncio.wait([late])
    assert late.cancelled()
    assert stubborn[-1].is_closed
    assert not any(stream.is_closed for stream in stubborn[:-1])
    for stream in stubborn:
        stream.released.set()
    assert [b"".join(chunks) for chunks in await asyncio.gather(*busy)] == [CAST] * len(busy)
