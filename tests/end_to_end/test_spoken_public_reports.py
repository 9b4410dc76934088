"""Faults that people reported of what Kokoro says, on the real engine; each test is named by the report's id."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from tests.transcribe import transcribe, word_error_rate
from wyoming_kokoro.audio.samples import from_pcm
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.model.audio import SPEECH, Speech
from wyoming_kokoro.model.recipe import Profile, Sentence, TextFormat, Utterance
from wyoming_kokoro.ports import Engine
from wyoming_kokoro.settings import EngineSettings
from wyoming_kokoro.text.pipeline import TextPipeline

pytestmark = [pytest.mark.speech, pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="module")]

FRAME_MS = 10
FULL_SCALE = 0.9999
LONG = (
    "When the washing machine in the cellar has finished and the rain outside has stopped, please take the wet clothes out of "
    "the drum, carry them up the narrow stairs to the garden, hang them on the long line between the two old apple trees, and "
    "remember to close the wooden gate behind you so the dog stays at home."
)

SHORT = [
    ("en-US", "af_heart", "OK."),
    ("en-US", "af_heart", "6:31 PM"),
    ("en-US", "af_heart", "Hi!"),
    ("en-US", "am_michael", "No."),
    ("en-GB", "bf_emma", "Yes."),
    ("es", "ef_dora", "Sí."),
    ("fr", "ff_siwis", "Oui."),
    ("it", "if_sara", "Sì."),
    ("pt-BR", "pf_dora", "Não."),
    ("hi", "hf_alpha", "हाँ।"),
    ("ja", "jf_alpha", "はい。"),
    ("zh-CN", "zf_xiaoxiao", "好。"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def engine() -> AsyncIterator[Engine]:
    real = build_engine(EngineSettings(), SystemClock())
    await real.start()
    yield real
    await real.stop()


def cut(language: str, text: str, profile: Profile) -> tuple[Sentence, ...]:
    return TextPipeline().cut(text, language=language, profile=profile, text_format=TextFormat.PLAIN)


async def spoken(engine: Engine, language: str, voice: str, sentence: Sentence) -> Speech:
    return await engine.synthesize(
        Utterance(
            spoken=sentence.spoken,
            voice=voice,
            speed=1.0,
            language=language,
            opens=sentence.opens,
            closes=sentence.closes,
            model="any",
        )
    )


async def said(engine: Engine, language: str, voice: str, text: str) -> Speech:
    """The sound of a text of one sentence."""
    (sentence,) = cut(language, text, Profile.QUALITY)
    return await spoken(engine, language, voice, sentence)


def decibels(samples: np.ndarray) -> float:
    return float(20 * np.log10(np.sqrt(np.mean(samples**2)) + 1e-6))


def loudness(pcm: bytes) -> list[float]:
    """Decibels of full scale of each 10 ms."""
    samples = from_pcm(pcm)
    size = SPEECH.rate * FRAME_MS // 1000
    return [decibels(samples[start : start + size]) for start in range(0, len(samples) - size + 1, size)]


def sounding(frames: np.ndarray) -> float:
    """Decibels of the root mean square of a word without the silence at its ends, from those of its frames."""
    loud = frames[frames > frames.max() - 20]
    return float(10 * np.log10(np.mean(10 ** (loud / 10))))


def quiet_ms(frames: list[float]) -> int:
    """How long it takes until the first sound that is within 25 dB of the loudest."""
    return FRAME_MS * next(index for index, frame in enumerate(frames) if frame > max(frames) - 25)


@pytest.mark.parametrize("text", ["Door open.", "Lights off.", "Good night.", "Window closed.", "Dinner is ready."])
async def test_p095_a_short_phrase_is_understood_word_for_word(engine: Engine, text: str) -> None:
    heard = transcribe((await said(engine, "en-US", "af_heart", text)).pcm)
    assert word_error_rate([text], [heard]) == 0, heard


@pytest.mark.parametrize("profile", [Profile.BALANCED, Profile.QUALITY])
@pytest.mark.parametrize("voice", ["af_heart", "am_michael"])
async def test_p103_the_voice_does_not_fade_at_the_end_of_a_sentence_of_60_words(
    engine: Engine, voice: str, profile: Profile
) -> None:
    words = []
    for sentence in cut("en-US", LONG, profile):
        speech = await spoken(engine, "en-US", voice, sentence)
        frames = np.array(loudness(speech.pcm))
        words += [sounding(frames[int(100 * word.start_seconds) : int(100 * word.end_seconds)]) for word in speech.words]
    assert len(words) == len(LONG.split()) == 60
    assert words[-1] > float(np.median(words)) - 6, words


@pytest.mark.parametrize(
    ("language", "voice", "text"),
    [
        ("es", "ef_dora", "Es la hora de cenar."),
        ("es", "em_alex", "Abre la puerta."),
        ("it", "if_sara", "È ora di cena."),
        ("fr", "ff_siwis", "Ouvrez la porte."),
        ("pt-BR", "pf_dora", "Abra a porta."),
        ("en-US", "af_heart", "Open the door."),
    ],
)
async def test_p115_a_vowel_at_the_beginning_is_not_clipped(engine: Engine, language: str, voice: str, text: str) -> None:
    assert quiet_ms(loudness((await said(engine, language, voice, text)).pcm)) >= 30


@pytest.mark.parametrize(("language", "voice", "text"), SHORT)
async def test_a_very_short_text_is_audible_and_unclipped(engine: Engine, language: str, voice: str, text: str) -> None:
    speech = await said(engine, language, voice, text)
    frames = loudness(speech.pcm)
    assert max(frames) > -25
    assert float(np.mean(np.abs(from_pcm(speech.pcm)) >= FULL_SCALE)) < 0.002
    assert quiet_ms(frames) >= 30
    assert quiet_ms(frames[::-1]) >= 30
