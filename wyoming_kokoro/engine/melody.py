"""Deterministic tones in the place of speech: a melody as long as its text, made by the standard library alone."""

from __future__ import annotations

import hashlib
import math
import sys
from array import array
from functools import lru_cache
from typing import TYPE_CHECKING

from wyoming_kokoro.model.audio import SPEECH, WordTiming
from wyoming_kokoro.model.recipe import Boundary

if TYPE_CHECKING:
    from wyoming_kokoro.model.recipe import Utterance

CHARACTER_SECONDS = 0.06
SHORTEST_SECONDS = 0.3
_START_MS = 30
_EDGE_MS = 100
_AMPLITUDE = 6000
_SHORTEST_PERIOD = 40
_PERIODS = 60


def melody_seconds(utterance: Utterance) -> float:
    """How long the melody of that sentence is, silence included."""
    frames = _frames(utterance)
    return frames / SPEECH.rate


def melody(utterance: Utterance) -> tuple[bytes, tuple[WordTiming, ...]]:
    """PCM of the format `SPEECH` and the places of the words; equal utterances give equal bytes, others other bytes.

    The sound has one tone for each character, 60 ms long at speed 1.0, and 0.3 s at least in all. It begins 30 ms after the
    start of a cast, leaves as much at a told pause, and 100 ms at every other edge, as speech does at a clause.
    """
    lead = SPEECH.silence(_START_MS if utterance.opens in {Boundary.START, Boundary.PAUSE} else _EDGE_MS)
    tail = SPEECH.silence(_START_MS if utterance.closes is Boundary.PAUSE else _EDGE_MS)
    frames = _frames(utterance) - (len(lead) + len(tail)) // SPEECH.frame_bytes
    words = _words(utterance.spoken, SPEECH.seconds(len(lead)), frames / SPEECH.rate)
    return lead + _tones(utterance, frames) + tail, words


def _frames(utterance: Utterance) -> int:
    seconds = max(SHORTEST_SECONDS, CHARACTER_SECONDS * len(utterance.spoken) / utterance.speed)
    return round(SPEECH.rate * seconds)


def _tones(utterance: Utterance, frames: int) -> bytes:
    """That many frames of tones whose pitches come from the hash of the sentence; every tone is a whole number of periods."""
    count = max(1, len(utterance.spoken))
    pitches = hashlib.shake_256(utterance.key.encode()).digest(count)
    parts: list[bytes] = []
    made = 0
    for index, pitch in enumerate(pitches, start=1):
        period = _period(_SHORTEST_PERIOD + pitch % _PERIODS)
        repeats = (frames * index // count - made) // (len(period) // SPEECH.frame_bytes)
        parts.append(period * repeats)
        made += len(parts[-1]) // SPEECH.frame_bytes
    return b"".join(parts) + bytes((frames - made) * SPEECH.frame_bytes)


@lru_cache(maxsize=_PERIODS)
def _period(frames: int) -> bytes:
    samples = array("h", (round(_AMPLITUDE * math.sin(2 * math.pi * frame / frames)) for frame in range(frames)))
    if sys.byteorder == "big":
        samples.byteswap()
    return samples.tobytes()


def _words(spoken: str, start_seconds: float, seconds: float) -> tuple[WordTiming, ...]:
    per_character = seconds / max(1, len(spoken))
    timings: list[WordTiming] = []
    end = 0
    for word in spoken.split():
        begin = spoken.index(word, end)
        end = begin + len(word)
        timings.append(WordTiming(word, start_seconds + begin * per_character, start_seconds + end * per_character))
    return tuple(timings)
