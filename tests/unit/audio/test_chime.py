"""Chimes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.audio.players import RATE, samples
from wyoming_kokoro.audio.chime import CHIMES, chime


@pytest.mark.parametrize("name", CHIMES)
def test_a_chime_is_short_soft_and_joins_what_follows_without_a_click(name: str) -> None:
    sound = samples(chime(name))
    assert 0.5 * RATE < len(sound) < 2 * RATE
    assert 0.2 < np.abs(sound).max() < 0.3
    assert np.abs(np.diff(sound, prepend=0.0, append=0.0)).max() < 0.1
    assert np.abs(sound[-RATE // 100 :]).max() < 0.001


@pytest.mark.parametrize("name", CHIMES)
def test_a_chime_rings_out(name: str) -> None:
    sound = samples(chime(name))
    tenths = [float(np.sqrt(np.mean(part**2))) for part in np.array_split(sound, 10)]
    assert tenths[-1] < 0.1 * max(tenths)


def test_a_chime_is_the_same_each_time() -> None:
    before = chime("bell")
    chime.cache_clear()
    assert chime("bell") == before


def test_chimes_can_be_told_apart() -> None:
    assert len({chime(name) for name in CHIMES}) == len(CHIMES) >= 2


def test_an_unknown_chime_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="'gong' is not one of bell"):
        chime("gong")
