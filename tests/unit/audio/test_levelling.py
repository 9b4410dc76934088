"""The limiter, and the gain that makes voices equally loud."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.audio.levelling import levelled
from wyoming_kokoro.audio.limiter import CEILING, limited
from wyoming_kokoro.audio.samples import from_pcm, to_pcm
from wyoming_kokoro.model.audio import SPEECH


def tone(seconds: float, peak: float, hertz: float = 200.0) -> np.ndarray:
    """A sine between two silences of 20 ms, as a sentence has silent edges."""
    times = np.arange(round(seconds * SPEECH.rate)) / SPEECH.rate
    silence = np.zeros(SPEECH.rate // 50, np.float32)
    return np.concatenate([silence, (peak * np.sin(2 * np.pi * hertz * times)).astype(np.float32), silence])


def test_what_stays_below_the_ceiling_is_left_alone() -> None:
    sound = tone(0.1, 0.5)
    assert limited(sound) is sound
    assert limited(np.zeros(0, np.float32)).size == 0


@given(st.lists(st.floats(-4, 4, width=32), max_size=2000))
def test_nothing_gets_beyond_the_ceiling_and_no_sample_is_lost(values: list[float]) -> None:
    sound = np.array(values, np.float32)
    bent = limited(sound)
    assert len(bent) == len(sound)
    assert np.abs(bent).max(initial=0.0) <= np.float32(CEILING)
    assert np.all(np.abs(bent) <= np.abs(sound) + 1e-6)
    assert np.all(bent * sound >= 0)


def test_a_peak_bends_the_gain_smoothly_and_what_is_far_from_it_is_as_it_was() -> None:
    sound = tone(0.5, 0.4)
    middle = len(sound) // 2
    sound[middle] = 1.6
    bent = limited(sound)
    reach = SPEECH.rate // 50
    assert np.array_equal(bent[: middle - reach], sound[: middle - reach])
    assert np.array_equal(bent[middle + reach :], sound[middle + reach :])
    gain = bent[np.abs(sound) > 0.05] / sound[np.abs(sound) > 0.05]
    assert np.abs(np.diff(gain)).max() < 0.05


def test_a_loud_tone_stays_a_tone() -> None:
    """Its harmonics, which clipping would raise to a fifth of it, stay 40 dB below."""
    bent = limited(tone(0.5, 1.5))[SPEECH.rate // 10 : -SPEECH.rate // 10]
    spectrum = np.abs(np.fft.rfft(bent * np.hanning(len(bent))))
    third = spectrum[round(600 * len(bent) / SPEECH.rate) - 3 :][:7].max()
    assert third < spectrum.max() / 100


def test_a_gain_makes_it_louder_by_so_many_decibels() -> None:
    quiet = to_pcm(tone(0.2, 0.1))
    louder = from_pcm(levelled(quiet, 6.0))
    assert np.abs(louder).max() == pytest.approx(0.1 * 10 ** (6 / 20), rel=0.001)
    assert len(levelled(quiet, 6.0)) == len(quiet)


def test_no_gain_gives_the_very_bytes() -> None:
    pcm = to_pcm(tone(0.2, 1.0))
    assert levelled(pcm, 0.0) is pcm


def test_equal_sound_gives_equal_bytes_and_peaks_leave_room() -> None:
    pcm = to_pcm(tone(0.2, 0.9))
    assert levelled(pcm, 9.0) == levelled(pcm, 9.0)
    assert np.abs(from_pcm(levelled(pcm, 9.0))).max() <= CEILING + 1e-4
