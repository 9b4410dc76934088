"""Bodies of audio records."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.audio.bodies import FlacBodies, PcmBodies, decode_flac, encode_flac
from wyoming_kokoro.model.audio import SPEECH


def noise(seconds: float, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(int(SPEECH.rate * seconds) * SPEECH.frame_bytes)


@pytest.mark.parametrize("bodies", [FlacBodies(), PcmBodies()], ids=["flac", "pcm"])
async def test_a_body_gives_back_exactly_the_pcm_it_was_made_of(bodies: FlacBodies | PcmBodies) -> None:
    pcm = noise(0.7)
    body = await bodies.encode(pcm)
    assert await bodies.decode(body, bodies.body_format) == pcm


@pytest.mark.parametrize("bodies", [FlacBodies(), PcmBodies()], ids=["flac", "pcm"])
async def test_either_kind_of_bodies_reads_the_format_of_the_other(bodies: FlacBodies | PcmBodies) -> None:
    pcm = noise(0.1)
    assert await bodies.decode(encode_flac(pcm), "flac") == pcm
    assert await bodies.decode(pcm, "pcm") == pcm


@settings(max_examples=30, deadline=None)
@given(st.binary(min_size=2, max_size=9001).map(lambda data: data[: len(data) // 2 * 2]))
def test_flac_is_exact_for_any_samples_and_any_length(pcm: bytes) -> None:
    assert decode_flac(encode_flac(pcm)) == pcm


@pytest.mark.parametrize("pcm", [b"", b"odd"])
async def test_what_is_no_sound_can_not_become_flac(pcm: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        await FlacBodies().encode(pcm)


def test_equal_pcm_gives_equal_flac() -> None:
    assert encode_flac(noise(0.3)) == encode_flac(noise(0.3))


def test_speech_like_pcm_becomes_smaller() -> None:
    quiet = b"".join(random.Random(2).choice((b"\x05\x00", b"\x06\x00")) for _ in range(24_000))
    assert len(encode_flac(quiet)) < len(quiet) / 4


@pytest.mark.parametrize("bodies", [FlacBodies(), PcmBodies()], ids=["flac", "pcm"])
@pytest.mark.parametrize(
    ("body", "body_format"),
    [
        (b"", "flac"),
        (b"garbage", "flac"),
        (b"fLaC" + b"\x00" * 40, "flac"),
        (encode_flac(noise(0.5))[:-200], "flac"),
        (b"odd", "pcm"),
        (b"even", "mp3"),
    ],
    ids=["nothing", "garbage", "a head without a body", "cut short", "half a frame", "unknown format"],
)
async def test_what_holds_no_pcm_is_a_value_error(bodies: FlacBodies | PcmBodies, body: bytes, body_format: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        await bodies.decode(body, body_format)


async def test_flac_of_another_rate_is_a_value_error() -> None:
    import io

    import soundfile

    file = io.BytesIO()
    with soundfile.SoundFile(file, "w", samplerate=16_000, channels=1, format="FLAC", subtype="PCM_16") as flac:
        flac.buffer_write(noise(0.1), "int16")
    with pytest.raises(ValueError, match="16000 Hz"):
        await FlacBodies().decode(file.getvalue(), "flac")
