"""Silence at the edges of a sentence."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from wyoming_kokoro.audio.joins import trim, voiced_span, with_pause
from wyoming_kokoro.audio.samples import from_pcm, to_pcm
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.recipe import Boundary

RATE = SPEECH.rate
MEASURES = {Boundary.START: 0.03, Boundary.CLAUSE: 0.1, Boundary.SENTENCE: 0.0, Boundary.PAUSE: 0.03}
EDGES = list(itertools.product(Boundary, (Boundary.CLAUSE, Boundary.SENTENCE, Boundary.PAUSE)))


def tone(seconds: float, amplitude: float = 0.5) -> np.ndarray:
    return (amplitude * np.sin(2 * np.pi * 200 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def silence(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE), np.float32)


def piece(lead: float = 0.32, sound: float = 1.0, tail: float = 0.47) -> np.ndarray:
    return np.concatenate([silence(lead), tone(sound), silence(tail)])


def edges(samples: np.ndarray) -> tuple[float, float]:
    span = voiced_span(samples)
    assert span is not None
    return span[0] / RATE, (len(samples) - span[1]) / RATE


def test_the_first_piece_keeps_30_ms_before_its_first_sound() -> None:
    assert edges(trim(piece(), Boundary.START, Boundary.SENTENCE).samples)[0] == pytest.approx(0.03, abs=0.005)


def test_the_pause_of_a_join_within_a_sentence_is_that_of_a_comma() -> None:
    first = trim(piece(), Boundary.START, Boundary.CLAUSE).samples
    second = trim(piece(), Boundary.CLAUSE, Boundary.SENTENCE).samples
    pause = edges(first)[1] + edges(second)[0]
    assert 0.15 <= pause <= 0.25


@pytest.mark.parametrize("pause_ms", [100, 400, 1000, 10_000])
def test_a_pause_is_as_long_as_it_was_asked_for(pause_ms: int) -> None:
    first = edges(trim(piece(), Boundary.START, Boundary.PAUSE).samples)[1]
    second = edges(trim(piece(), Boundary.PAUSE, Boundary.SENTENCE).samples)[0]
    added = SPEECH.seconds(len(with_pause(b"", pause_ms)))
    assert first + added + second == pytest.approx(pause_ms / 1000, abs=0.011)


def test_the_models_own_pause_stays_between_sentences() -> None:
    whole = piece()
    assert np.array_equal(trim(whole, Boundary.SENTENCE, Boundary.SENTENCE).samples, whole)


@pytest.mark.parametrize(("opens", "closes"), EDGES)
def test_silence_that_the_model_left_out_is_added_where_a_measure_is_due(opens: Boundary, closes: Boundary) -> None:
    lead, tail = edges(trim(piece(0.0, 0.4, 0.0), opens, closes).samples)
    assert lead == pytest.approx(MEASURES[opens], abs=0.005)
    assert tail == pytest.approx(MEASURES[closes], abs=0.005)


@pytest.mark.parametrize(("opens", "closes"), EDGES)
@pytest.mark.parametrize("sound", [0.01, 0.05, 0.4])
def test_no_sound_is_lost_however_short_it_is(opens: Boundary, closes: Boundary, sound: float) -> None:
    trimmed = trim(piece(sound=sound), opens, closes).samples
    assert np.sum(np.square(trimmed)) == pytest.approx(np.sum(np.square(tone(sound))), rel=1e-6)


def test_a_soft_beginning_is_kept_whole() -> None:
    soft = np.concatenate([silence(0.3), tone(0.12, 0.004), tone(0.5), silence(0.4)])
    trimmed = trim(soft, Boundary.START, Boundary.SENTENCE).samples
    assert len(trimmed) == len(soft) - round((0.3 - 0.03) * RATE)


@pytest.mark.parametrize(("opens", "closes"), EDGES)
def test_the_shift_tells_where_everything_went(opens: Boundary, closes: Boundary) -> None:
    whole = piece()
    trimmed = trim(whole, opens, closes)
    click = round(1.0 * RATE)
    assert trimmed.samples[click + round(trimmed.shift_seconds * RATE)] == whole[click]


@pytest.mark.parametrize("samples", [silence(0.5), silence(0.0)], ids=["silence", "nothing"])
def test_a_piece_without_sound_stays_as_it_is(samples: np.ndarray) -> None:
    trimmed = trim(samples, Boundary.START, Boundary.CLAUSE)
    assert len(trimmed.samples) == len(samples)
    assert trimmed.shift_seconds == 0.0


def test_a_cut_through_faint_noise_comes_up_from_nothing() -> None:
    noisy = piece() + np.float32(0.0005)
    trimmed = trim(noisy, Boundary.CLAUSE, Boundary.CLAUSE).samples
    assert trimmed[0] == trimmed[-1] == 0.0


def test_samples_beyond_full_scale_do_not_wrap_round() -> None:
    loud = np.array([1.5, -1.5, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.0], np.float32)
    assert np.frombuffer(to_pcm(loud), "<i2").tolist() == [32767, -32767, 32767, -32767, 0, 32767, -32767, 0]


def test_pcm_survives_the_way_through_samples() -> None:
    pcm = np.arange(-32767, 32768, 7, dtype="<i2").tobytes()
    assert to_pcm(from_pcm(pcm)) == pcm
