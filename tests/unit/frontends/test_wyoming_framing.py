"""The bytes of an answer in both dialects, whole and cut at every place."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wyoming import version
from wyoming.event import Event, async_read_event

from wyoming_kokoro.frontends.wyoming.framing import PAYLOAD_BYTES, Framing, HeaderAheadFraming, PlainFraming
from wyoming_kokoro.frontends.wyoming.wire import encode_event
from wyoming_kokoro.model.audio import SPEECH

ERROR = encode_event(Event("error", {"text": "no", "code": "x"}))


def whole(framing: Framing, *pieces: bytes) -> bytes:
    return b"".join([framing.begin(), *[frame for piece in pieces for frame in framing.audio(piece)], framing.finish()])


async def read_all(stream: bytes) -> list[Event]:
    """What the library's own reader makes of it; raises `IncompleteReadError` where the end is inside an event."""
    reader = asyncio.StreamReader()
    reader.feed_data(stream)
    reader.feed_eof()
    events = []
    while (event := await async_read_event(reader)) is not None:
        events.append(event)
    return events


def _line(text: str) -> bytes:
    return text.replace("@", version.__version__).encode() + b"\n"


def payloads(events: list[Event]) -> list[bytes]:
    return [event.payload or b"" for event in events if event.type == "audio-chunk"]


@given(pieces=st.lists(st.integers(0, 3 * PAYLOAD_BYTES // 2).map(lambda frames: bytes([1, 2]) * frames), max_size=5))
@settings(max_examples=50)
async def test_header_ahead_carries_all_audio_in_equal_chunks_and_pads_only_the_last(pieces: list[bytes]) -> None:
    events = await read_all(whole(HeaderAheadFraming(SPEECH), *pieces))
    assert [event.type for event in events if event.type != "audio-chunk"] == [
        "audio-start",
        "audio-stop",
        "synthesize-stopped",
    ]
    pcm = b"".join(pieces)
    chunks = payloads(events)
    assert {len(chunk) for chunk in chunks} == {PAYLOAD_BYTES}
    assert b"".join(chunks).rstrip(b"\0") == pcm.rstrip(b"\0")
    assert len(chunks) == max(1, -(-len(pcm) // PAYLOAD_BYTES))


@given(pieces=st.lists(st.integers(0, 3000).map(lambda frames: bytes([1, 2]) * frames), max_size=5))
@settings(max_examples=50)
async def test_plain_framing_carries_exactly_the_audio(pieces: list[bytes]) -> None:
    events = await read_all(whole(PlainFraming(SPEECH), *pieces))
    assert (events[0].type, events[-1].type) == ("audio-start", "audio-stop")
    assert b"".join(payloads(events)) == b"".join(pieces)
    assert all(event.type == "audio-chunk" for event in events[1:-1])


def test_the_bytes_of_header_ahead_are_these() -> None:
    framing = HeaderAheadFraming(SPEECH)
    data = b'{"rate": 24000, "width": 2, "channels": 1}'
    head = _line('{"type": "audio-chunk", "version": "@", "data_length": 42, "payload_length": 2048}') + data
    assert framing.begin() == _line('{"type": "audio-start", "version": "@", "data_length": 42}') + data + head
    assert list(framing.audio(b"ab" * 1024)) == []
    assert list(framing.audio(b"cd" * 1)) == [b"ab" * 1024 + head]
    assert framing.finish() == (
        b"cd"
        + bytes(2046)
        + _line('{"type": "audio-stop", "version": "@"}')
        + _line('{"type": "synthesize-stopped", "version": "@"}')
    )


async def test_wherever_a_streamed_answer_is_cut_after_its_begin_it_ends_inside_an_event() -> None:
    framing = HeaderAheadFraming(SPEECH)
    writes = [framing.begin(), *framing.audio(b"ab" * 2500)]
    for sent in range(1, len(writes) + 1):
        with pytest.raises(asyncio.IncompleteReadError):
            await read_all(b"".join(writes[:sent]))


@pytest.mark.parametrize("pieces", [0, 1, 2])
async def test_a_failed_streamed_answer_ends_inside_an_event(pieces: int) -> None:
    framing = HeaderAheadFraming(SPEECH)
    sent = framing.begin() + b"".join(frame for _ in range(pieces) for frame in framing.audio(b"ab" * 1500))
    with pytest.raises(asyncio.IncompleteReadError):
        await read_all(sent + framing.fail(ERROR))


async def test_a_streamed_answer_that_fails_before_it_began_tells_the_error_and_ends_inside_an_event() -> None:
    sent = HeaderAheadFraming(SPEECH).fail(ERROR)
    assert sent == ERROR + b'{"type":"audio-start","data_length":40}\n{"'
    reader = asyncio.StreamReader()
    reader.feed_data(sent)
    reader.feed_eof()
    assert (await async_read_event(reader)).type == "error"
    with pytest.raises(asyncio.IncompleteReadError):
        await async_read_event(reader)


async def test_a_streamed_answer_that_fails_before_any_sound_still_tells_the_error() -> None:
    framing = HeaderAheadFraming(SPEECH)
    reader = asyncio.StreamReader()
    reader.feed_data(framing.begin() + framing.fail(ERROR))
    reader.feed_eof()
    assert [(await async_read_event(reader)).type for _ in range(3)] == ["audio-start", "audio-chunk", "error"]
    with pytest.raises(asyncio.IncompleteReadError):
        await async_read_event(reader)


def test_a_streamed_answer_that_fails_after_sound_says_nothing_more() -> None:
    framing = HeaderAheadFraming(SPEECH)
    framing.begin()
    assert list(framing.audio(b"ab" * 1500))
    assert framing.fail(ERROR) == b""


async def test_a_failed_plain_answer_tells_the_error_and_has_no_audio_stop() -> None:
    framing = PlainFraming(SPEECH)
    sent = framing.begin() + b"".join(framing.audio(b"ab" * 1500)) + framing.fail(ERROR)
    assert [event.type for event in await read_all(sent)] == ["audio-start", "audio-chunk", "audio-chunk", "error"]


def test_replies_wait_only_while_a_frame_is_open() -> None:
    framing = HeaderAheadFraming(SPEECH)
    assert framing.reply(b"x") == b"x"
    framing.begin()
    assert framing.reply(b"x") is None
    framing.finish()
    assert framing.reply(b"x") == b"x"
    assert PlainFraming(SPEECH).reply(b"x") == b"x"
