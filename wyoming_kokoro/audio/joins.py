"""How much silence is left at the edges of a sentence, so that what follows one another sounds spoken in one go.

Kokoro puts about 0.3 s of silence before a piece and 0.5 s after it. At a sentence's edge that is a natural pause; before
the first word it is waiting, and within a sentence it is a stumble.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.recipe import Boundary

if TYPE_CHECKING:
    from wyoming_kokoro.audio.samples import Samples

START_SECONDS = 0.03
"""Silence before the first word of a cast."""

CLAUSE_SECONDS = 0.1
"""Silence on either side of a join within a sentence: the pause is twice that."""

PAUSE_SECONDS = 0.03
"""Silence on either side of a pause whose length is told; the rest of it is added where the sound is stored."""

_FRAME = SPEECH.rate // 200
"""5 ms: fine enough not to lose the beginning of a word."""

_SILENCE = 0.002
"""A frame is silent below this part of the piece's peak (-54 dB): low enough for an `f` or `h`, above the model's own noise."""

_FADE = SPEECH.rate // 500
"""2 ms over which a cut edge comes up from nothing, so that it doesn't click."""


class Trimmed(NamedTuple):
    """A piece with its edges cut to measure."""

    samples: Samples
    shift_seconds: float
    """How much later than in the original everything in it comes; negative where silence was cut in front."""


def trim(samples: Samples, opens: Boundary, closes: Boundary) -> Trimmed:
    """The piece with the silence that belongs at its edges; never a voiced frame less.

    Silence that is missing is added. A piece without any sound is returned as it is.
    """
    voiced = voiced_span(samples)
    if voiced is None:
        return Trimmed(samples, 0.0)
    begin, end = voiced
    lead = _lead_frames(opens)
    shift = 0
    tail = _tail_frames(closes)
    if tail is not None:
        samples = _cut_end(samples, end, tail)
    if lead is not None:
        samples = _cut_end(samples[::-1], len(samples) - begin, lead)[::-1]
        shift = lead - begin
    return Trimmed(np.ascontiguousarray(samples), shift / SPEECH.rate)


def voiced_span(samples: Samples) -> tuple[int, int] | None:
    """From the first to behind the last audible frame, in samples; None where there is none."""
    peak = float(np.abs(samples).max(initial=0.0))
    frames = np.pad(samples, (0, -len(samples) % _FRAME)).reshape(-1, _FRAME)
    levels = np.sqrt(np.mean(np.square(frames, dtype=np.float64), axis=1))
    audible = np.flatnonzero(levels > _SILENCE * peak)
    if peak == 0.0 or not len(audible):
        return None
    return int(audible[0]) * _FRAME, min(len(samples), int(audible[-1] + 1) * _FRAME)


def with_pause(pcm: bytes, pause_ms: int) -> bytes:
    """PCM of a piece that closes with PAUSE, and the silence that makes the pause that long; any other as it is."""
    return pcm + SPEECH.silence(max(0, pause_ms - round(2000 * PAUSE_SECONDS)))


def _lead_frames(opens: Boundary) -> int | None:
    if opens is Boundary.START:
        return round(START_SECONDS * SPEECH.rate)
    return _tail_frames(opens)


def _tail_frames(edge: Boundary) -> int | None:
    seconds = {Boundary.CLAUSE: CLAUSE_SECONDS, Boundary.PAUSE: PAUSE_SECONDS}.get(edge)
    return None if seconds is None else round(seconds * SPEECH.rate)


def _cut_end(samples: Samples, end: int, silence: int) -> Samples:
    """The samples up to `end` and that many more: cut with a fade where there are more, filled up where there are fewer."""
    kept = samples[: end + silence]
    if len(kept) < end + silence:
        return np.pad(kept, (0, end + silence - len(kept)))
    kept = kept.copy()
    kept[-_FADE:] *= np.linspace(1.0, 0.0, _FADE, dtype=np.float32)
    return kept
