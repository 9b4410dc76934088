"""What the model says can be understood: a stranger's ears on real speech."""

from __future__ import annotations

import asyncio
import os
import time
from importlib.util import find_spec

import pytest

from tests.transcribe import transcribe, word_error_rate
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.model.recipe import Boundary, Utterance
from wyoming_kokoro.settings import EngineSettings

pytestmark = [pytest.mark.speech, pytest.mark.timeout(300)]

NEEDS_NATIVE = pytest.mark.skipif(find_spec("wyoming_kokoro_native") is None, reason="the native engine is not built")

NEEDS_TORCH = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("kokoro") is None, reason="the extra torch is not installed"
)
TORCH = pytest.param("torch", marks=[pytest.mark.torch, NEEDS_TORCH])

WORST = 0.15

ANNOUNCEMENTS = [
    ("af_heart", "The front door is open, and somebody is standing outside."),
    ("am_michael", "The washing machine has finished. Please empty it soon."),
    ("bf_emma", "Dinner is ready. Everybody should come to the kitchen now."),
    ("af_bella(1)+af_heart(2)", "Tomorrow will be cloudy with a little rain."),
]


class RealClock:
    """The machine's own time."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def entropy(self, size: int) -> bytes:
        return os.urandom(size)


def sentence(voice: str, spoken: str, opens: Boundary, closes: Boundary) -> Utterance:
    language = "en-GB" if voice.startswith("b") else "en-US"
    return Utterance(spoken=spoken, voice=voice, speed=1.0, language=language, opens=opens, closes=closes, model="any")


@pytest.mark.parametrize("name", ["onnx", pytest.param("native", marks=NEEDS_NATIVE), TORCH])
async def test_announcements_are_understood_whole_and_in_pieces(name: str) -> None:
    engine = build_engine(EngineSettings(engine=name), RealClock())
    try:
        async with asyncio.timeout(200):
            await engine.start()
        said, heard = [], []
        for voice, text in ANNOUNCEMENTS:
            speech = await engine.synthesize(sentence(voice, text, Boundary.START, Boundary.SENTENCE))
            said.append(text)
            heard.append(transcribe(speech.pcm))
        clauses = ("The kitchen light is on,", "and nobody is at home.")
        edges = [Boundary.START, Boundary.CLAUSE, Boundary.SENTENCE]
        sounds = [
            await engine.synthesize(sentence("af_heart", clause, edges[index], edges[index + 1]))
            for index, clause in enumerate(clauses)
        ]
        said.append(" ".join(clauses))
        heard.append(transcribe(b"".join(sound.pcm for sound in sounds)))
    finally:
        await engine.stop()
    assert word_error_rate(said, heard) < WORST, "\n".join(heard)
