"""Real voices over a real server: equally loud, and never at full scale."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyloudnorm
import pytest

from benchmarks.client import speak
from benchmarks.loudness import TEXTS
from benchmarks.server import running
from wyoming_kokoro.audio.limiter import CEILING
from wyoming_kokoro.audio.samples import from_pcm
from wyoming_kokoro.engine.voice_loudness import TARGET_LUFS

pytestmark = [pytest.mark.speech, pytest.mark.timeout(300)]

VOICES = {"af_heart": "en", "af_nova": "en", "if_sara": "it", "hf_alpha": "hi"}
SHORT = {"if_sara": "Sì.", "hf_alpha": "हाँ।", "am_michael": "Yes!"}


async def test_voices_are_equally_loud_and_short_words_are_not_clipped(tmp_path: Path) -> None:
    levels, peaks = {}, {}
    async with running(tmp_path) as server:
        await server.logged("ready")
        for voice, language in VOICES.items():
            sound = from_pcm((await speak(server.port, " ".join(TEXTS[language]), voice=voice)).pcm)
            levels[voice] = pyloudnorm.Meter(24000).integrated_loudness(sound.astype(np.float64))
        for voice, text in SHORT.items():
            sound = from_pcm((await speak(server.port, text, voice=voice)).pcm)
            peaks[voice] = float(np.abs(sound).max())
    # Without their gains they lie twelve decibels apart; a sentence's melody alone moves one by half a decibel.
    assert max(levels.values()) - min(levels.values()) <= 1.5, levels
    assert all(abs(level - TARGET_LUFS) <= 1.5 for level in levels.values()), levels
    assert all(0.1 < peak <= CEILING + 1e-4 for peak in peaks.values()), peaks
