"""Frames between the server and the engine's process, and what stands in them."""

from __future__ import annotations

import asyncio
import socket
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.engine import wire
from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.frames import (
    MAX_HEADER_BYTES,
    MAX_PAYLOAD_BYTES,
    Frame,
    FrameError,
    encode_frame,
    read_frame,
    receive_frame,
)
from wyoming_kokoro.model.audio import WordTiming
from wyoming_kokoro.model.errors import LanguageNotInstalledError, SynthesisError, UnknownVoiceError
from wyoming_kokoro.model.recipe import Boundary, Utterance


def received(data: bytes) -> Frame | None:
    """By the blocking side."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(data)
        ours.shutdown(socket.SHUT_WR)
        return receive_frame(theirs)


async def read(data: bytes) -> Frame | None:
    """By the side of the event loop."""
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await read_frame(reader)


@given(st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.none(), max_size=5), st.binary(max_size=3000))
def test_a_frame_arrives_as_it_was_sent(header: dict[str, object], payload: bytes) -> None:
    assert received(encode_frame(header, payload)) == Frame(header, payload)


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0",
        struct.pack(">II", 10, 0) + b"{}",
        struct.pack(">II", 2, 5) + b"{}ab",
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 3, 0) + b"{,}",
        struct.pack(">II", 2, 0) + b"\xff\xfe",
        struct.pack(">II", MAX_HEADER_BYTES + 1, 0),
        struct.pack(">II", 2, MAX_PAYLOAD_BYTES + 1),
    ],
    ids=[
        "half the lengths",
        "half a header",
        "half a payload",
        "no object",
        "no JSON",
        "no text",
        "long header",
        "long payload",
    ],
)
async def test_both_sides_refuse_what_is_no_frame(data: bytes) -> None:
    with pytest.raises(FrameError):
        await read(data)
    with pytest.raises(FrameError):
        received(data)


async def test_the_end_between_two_frames_is_an_end() -> None:
    assert await read(b"") is None
    assert received(b"") is None


def test_a_frame_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(FrameError, match="too long"):
        encode_frame({"text": "x" * MAX_HEADER_BYTES})


@pytest.mark.parametrize("spoken", ["Hello.", "Größe “№” 字\n\0", "lone \ud800 surrogate"])
def test_an_utterance_arrives_as_it_was_sent(spoken: str) -> None:
    utterance = Utterance(
        spoken=spoken, voice="af_bella(1)+af_heart(2)", speed=0.83, language="en-US",
        opens=Boundary.CLAUSE, closes=Boundary.SENTENCE, model="m", provenance=True,
    )  # fmt: skip
    for data in (wire.speak_frame(7, utterance), wire.prepare_frame(utterance)):
        frame = received(data)
        assert frame is not None
        assert wire.utterance_of(frame.header) == utterance


def test_speech_arrives_with_its_words() -> None:
    words = (WordTiming("Hello", 0.1, 0.45), WordTiming("you", 0.5, 0.75))
    frame = received(wire.spoken_frame(3, b"pcm!", words, 0.5))
    assert frame is not None
    assert (frame.payload, wire.words_of(frame), frame.header["gen_seconds"]) == (b"pcm!", words, 0.5)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (LanguageNotInstalledError("ja", "ja"), LanguageNotInstalledError),
        (SynthesisError("no"), SynthesisError),
        (UnknownVoiceError("x", ()), SynthesisError),
        (ValueError(), SynthesisError),
    ],
)
def test_an_error_arrives_with_its_words(error: Exception, kind: type[Exception]) -> None:
    frame = received(wire.failed_frame(3, error))
    assert frame is not None
    arrived = wire.error_of(frame.header)
    assert type(arrived) is kind
    assert str(arrived) == (str(error) or repr(error))


def test_a_configuration_arrives_as_it_was_sent() -> None:
    config = ChildConfig(model="tone", slots=3, model_dir=Path("/models"), faults=(("die_at", 2),))
    for sent in (config, ChildConfig(model="onnx")):
        frame = received(encode_frame(sent.to_header()))
        assert frame is not None
        assert ChildConfig.of(frame.header) == sent
