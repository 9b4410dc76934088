"""Speech at other rates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.audio.resample import RATES, Resampler
from wyoming_kokoro.model.audio import SPEECH


def tone(frames: int, rate: int = SPEECH.rate) -> bytes:
    return bytes(np.rint(12_000 * np.sin(2 * np.pi * 440 * np.arange(frames) / rate)).astype("<i2").tobytes())


def resampled(pcm: bytes, rate: int, chunk_bytes: int) -> bytes:
    resampler = Resampler(rate)
    chunks = [resampler.feed(pcm[start : start + chunk_bytes]) for start in range(0, len(pcm), chunk_bytes)]
    return b"".join([*chunks, resampler.finish()])


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("frames", [0, 1, 7, 599, 24_000, 31_337])
def test_there_are_exactly_as_many_frames_as_the_duration_asks_for(rate: int, frames: int) -> None:
    assert len(resampled(tone(frames), rate, 2048)) == 2 * round(frames * rate / SPEECH.rate)


@pytest.mark.parametrize("rate", RATES)
def test_a_tone_stays_the_tone_it_is(rate: int) -> None:
    sound = np.frombuffer(resampled(tone(24_000), rate, 2048), "<i2").astype(float)
    expected = np.frombuffer(tone(rate, rate), "<i2").astype(float)
    middle = slice(rate // 10, -rate // 10)
    assert np.abs(sound[middle] - expected[middle]).max() < 12_000 * 0.01


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(RATES), st.integers(1, 3000), st.integers(1, 9000))
def test_it_makes_no_difference_how_the_sound_was_cut(rate: int, chunk_frames: int, frames: int) -> None:
    pcm = tone(frames)
    assert resampled(pcm, rate, 2 * chunk_frames) == resampled(pcm, rate, len(pcm))


def test_the_models_own_rate_is_passed_through() -> None:
    assert resampled(tone(1000), SPEECH.rate, 100) == tone(1000)


def test_a_rate_that_is_not_offered_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="11025"):
        Resampler(11_025)
