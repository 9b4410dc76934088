"""Whatever the sound and however it comes, each format holds it, and the same bytes stand for it."""

from __future__ import annotations

import io
import itertools
import wave

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.audio.bodies import decode_flac
from wyoming_kokoro.audio.containers import FORMATS, content_length, open_encoder

sounds = st.builds(
    lambda seed, frames, scale: (
        (np.random.default_rng(seed).uniform(-scale, scale, frames).cumsum() * scale % 65536 - 32768).astype("<i2").tobytes()
    ),
    st.integers(0, 2**32 - 1),
    st.integers(1, 12_000),
    st.floats(0.1, 200.0),
)
cuts = st.lists(st.integers(0, 12_000), max_size=8).map(sorted)


def served(name: str, pcm: bytes, places: list[int], *, is_finished: bool) -> bytes:
    encoder = open_encoder(name, total_bytes=len(pcm) if is_finished else None)
    bounds = [0, *(min(2 * place, len(pcm)) for place in places), len(pcm)]
    pieces = [pcm[begin:end] for begin, end in itertools.pairwise(bounds)]
    return b"".join([*map(encoder.feed, pieces), encoder.finish()])


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=25, deadline=None)
@given(pcm=sounds, places=cuts, is_finished=st.booleans())
def test_the_bytes_do_not_depend_on_how_the_sound_was_cut(name: str, pcm: bytes, places: list[int], is_finished: bool) -> None:
    assert served(name, pcm, places, is_finished=is_finished) == served(name, pcm, [], is_finished=is_finished)


@settings(max_examples=50, deadline=None)
@given(pcm=sounds, places=cuts)
def test_flac_and_wav_hold_any_sound_exactly(pcm: bytes, places: list[int]) -> None:
    assert decode_flac(served("flac", pcm, places, is_finished=True)) == pcm
    with wave.open(io.BytesIO(served("wav", pcm, places, is_finished=True))) as sound:
        assert sound.readframes(sound.getnframes()) == pcm


@settings(max_examples=50, deadline=None)
@given(pcm=sounds, places=cuts)
def test_the_size_that_was_announced_is_the_size_that_comes(pcm: bytes, places: list[int]) -> None:
    for name in ("mp3", "wav"):
        assert len(served(name, pcm, places, is_finished=True)) == content_length(name, len(pcm))


@settings(max_examples=25, deadline=None)
@given(pcm=sounds, places=cuts)
def test_opus_holds_every_frame(pcm: bytes, places: list[int]) -> None:
    with soundfile.SoundFile(io.BytesIO(served("opus", pcm, places, is_finished=False))) as opus:
        assert opus.frames == len(opus.read()) == len(pcm) // 2
