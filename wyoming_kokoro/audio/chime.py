"""Chimes that announce a voice: soft bells, computed, the same bytes each time."""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wyoming_kokoro.audio.samples import to_pcm
from wyoming_kokoro.model.audio import SPEECH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.audio.samples import Samples


class _Note(NamedTuple):
    hertz: float
    start_seconds: float
    strength: float


_NOTES: Mapping[str, tuple[_Note, ...]] = MappingProxyType(
    {
        "bell": (_Note(659.26, 0.0, 1.0),),
        "doorbell": (_Note(659.26, 0.0, 1.0), _Note(523.25, 0.42, 0.9)),
        "rising": (_Note(523.25, 0.0, 0.7), _Note(659.26, 0.16, 0.8), _Note(783.99, 0.32, 1.0)),
        "failure": (_Note(392.0, 0.0, 1.0), _Note(311.13, 0.5, 1.0)),
    }
)

FAILURE = "failure"
"""What a room plays where there is no speech to play."""

CHIMES = tuple(name for name in _NOTES if name != FAILURE)
"""Names of those that may be asked for."""

_PEAK = 0.25
"""12 dB below full scale: below the speech that follows."""

_RING_SECONDS = 1.1
"""How long the last note rings."""

_DECAY_SECONDS = 0.24
_ATTACK_SECONDS = 0.008
_FADE_SECONDS = 0.2
_PARTIALS = ((1.0, 1.0), (2.0, 0.25), (3.01, 0.08))
"""Multiples of the note's pitch and their strength; the higher, the sooner they are gone."""


@cache
def chime(name: str) -> bytes:
    """PCM of the format `SPEECH`, beginning and ending in silence. A ValueError for a name that there is not."""
    if name not in _NOTES:
        raise ValueError(f"{name!r} is not one of {', '.join(CHIMES)}")
    notes = _NOTES[name]
    sound = np.zeros(_samples(notes[-1].start_seconds + _RING_SECONDS), np.float32)
    for note in notes:
        begin = _samples(note.start_seconds)
        sound[begin:] += _ring(note, len(sound) - begin)
    sound[-_samples(_FADE_SECONDS) :] *= np.linspace(1.0, 0.0, _samples(_FADE_SECONDS), dtype=np.float32)
    return to_pcm(sound * np.float32(_PEAK / np.abs(sound).max()))


def _ring(note: _Note, samples: int) -> Samples:
    seconds = np.arange(samples) / SPEECH.rate
    attack = np.minimum(seconds / _ATTACK_SECONDS, 1.0)
    bell = sum(
        strength * np.sin(2 * np.pi * note.hertz * multiple * seconds) * np.exp(-seconds * multiple / _DECAY_SECONDS)
        for multiple, strength in _PARTIALS
    )
    return (note.strength * attack * bell).astype(np.float32)


def _samples(seconds: float) -> int:
    return round(seconds * SPEECH.rate)
