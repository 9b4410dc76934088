"""One suite over every engine: what `ports.Engine` promises."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import time
from collections.abc import AsyncIterator
from importlib.util import find_spec
from typing import Any

import pytest
import pytest_asyncio

from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.choice import ONNX
from wyoming_kokoro.engine.host import HostedEngine
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import SynthesisCancelledError
from wyoming_kokoro.model.recipe import Boundary, Utterance
from wyoming_kokoro.ports import Engine

NEEDS_NATIVE = pytest.mark.skipif(find_spec("wyoming_kokoro_native") is None, reason="the native engine is not built")

NEEDS_TORCH = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("kokoro") is None, reason="the extra torch is not installed"
)

LONG = "The washing machine is done, and somebody has been standing at the front door for two whole minutes now."


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


def tone() -> Engine:
    return ToneEngine(RealClock(), realtime_factor=20.0)


def hosted_tone() -> Engine:
    config = ChildConfig(model="tone", faults=(("realtime_factor", 20.0),))
    return HostedEngine(config, RealClock(), fingerprint="tone-1")


def hosted_onnx() -> Engine:
    return HostedEngine(ChildConfig(model="onnx"), RealClock(), fingerprint=ONNX.fingerprint)


def hosted_native() -> Engine:
    return HostedEngine(ChildConfig(model="native"), RealClock(), fingerprint="native-1")


def hosted_torch() -> Engine:
    return HostedEngine(ChildConfig(model="torch"), RealClock(), fingerprint="torch-1")


ENGINES = [
    pytest.param(tone, id="tone"),
    pytest.param(hosted_tone, id="hosted-tone"),
    pytest.param(hosted_onnx, id="hosted-onnx", marks=[pytest.mark.speech, pytest.mark.timeout(300)]),
    pytest.param(hosted_native, id="hosted-native", marks=[pytest.mark.speech, pytest.mark.timeout(300), NEEDS_NATIVE]),
    pytest.param(hosted_torch, id="hosted-torch", marks=[pytest.mark.torch, pytest.mark.timeout(300), NEEDS_TORCH]),
]

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=ENGINES)
async def engine(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    made: Engine = request.param()
    async with asyncio.timeout(200):
        await made.start()
    yield made
    await made.stop()


def sentence(spoken: str = "The front door is open.", **changes: Any) -> Utterance:
    plain = Utterance(
        spoken=spoken,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="any",
    )
    return dataclasses.replace(plain, **changes)


async def test_it_speaks_whole_frames_and_tells_what_they_took(engine: Engine) -> None:
    speech = await engine.synthesize(sentence())
    assert len(speech.pcm) % SPEECH.frame_bytes == 0
    assert 0.3 <= speech.seconds < 5
    assert speech.gen_seconds > 0
    assert any(speech.pcm)


async def test_equal_utterances_give_equal_bytes(engine: Engine) -> None:
    first, other, second = [await engine.synthesize(sentence(text)) for text in ("Hello.", "Good night.", "Hello.")]
    assert first.pcm == second.pcm != other.pcm


async def test_the_words_lie_in_the_sound_in_their_order(engine: Engine) -> None:
    speech = await engine.synthesize(sentence("The front door is open."))
    assert [timing.word.strip(".") for timing in speech.words] == ["The", "front", "door", "is", "open"]
    times = [time for timing in speech.words for time in (timing.start_seconds, timing.end_seconds)]
    assert times == sorted(times)
    assert times[0] >= 0
    assert times[-1] <= speech.seconds


async def test_a_longer_text_and_a_slower_speed_make_a_longer_sound(engine: Engine) -> None:
    short, long, slow = [
        await engine.synthesize(sentence(text, speed=speed))
        for text, speed in (
            ("The front door is open.", 1.0),
            ("The front door is open, and so is the gate.", 1.0),
            ("The front door is open.", 0.7),
        )
    ]
    assert short.seconds < min(long.seconds, slow.seconds)


async def test_a_cast_begins_with_30_ms_of_silence(engine: Engine) -> None:
    assert edges(await speak(engine, opens=Boundary.START))[0] == pytest.approx(0.03, abs=0.011)


async def test_the_pause_of_a_join_within_a_sentence_is_that_of_a_comma(engine: Engine) -> None:
    first = await speak(engine, "The kitchen light is on,", opens=Boundary.START, closes=Boundary.CLAUSE)
    second = await speak(engine, "and nobody is home.", opens=Boundary.CLAUSE, closes=Boundary.SENTENCE)
    assert 0.15 <= edges(first)[1] + edges(second)[0] <= 0.25


async def speak(engine: Engine, spoken: str = "The front door is open.", **changes: Any) -> bytes:
    return (await engine.synthesize(sentence(spoken, **changes))).pcm


def edges(pcm: bytes) -> tuple[float, float]:
    """Seconds of silence in front and behind: what stays below a thousandth of full scale, or 0.2 % of the peak."""
    import numpy as np

    samples = np.abs(np.frombuffer(pcm, "<i2").astype(float))
    loud = np.flatnonzero(samples > max(33.0, 0.003 * samples.max()))
    return float(loud[0]) / SPEECH.rate, (len(samples) - 1 - float(loud[-1])) / SPEECH.rate


async def test_one_word_is_spoken_whole(engine: Engine) -> None:
    assert 0.25 <= SPEECH.seconds(len(await speak(engine, "Yes."))) <= 2.0


async def test_cancelling_a_sentence_under_way_leaves_the_next_one_as_it_would_have_been(engine: Engine) -> None:
    expected = await speak(engine)
    utterance = sentence(LONG)
    call = asyncio.ensure_future(engine.synthesize(utterance))
    await asyncio.wait([call], timeout=0.1)
    engine.cancel(utterance)
    with pytest.raises(SynthesisCancelledError):
        await call
    assert await speak(engine) == expected


async def test_a_cancelled_sentence_that_only_waits_is_not_spoken(engine: Engine) -> None:
    first, second = sentence(LONG), sentence("Never mind.")
    calls = [asyncio.ensure_future(engine.synthesize(utterance)) for utterance in (first, second)]
    await asyncio.wait(calls, timeout=0.05)
    engine.cancel(second)
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert not isinstance(results[0], BaseException)
    assert isinstance(results[1], SynthesisCancelledError)


async def test_cancelling_the_task_that_waits_frees_the_engine(engine: Engine) -> None:
    call = asyncio.ensure_future(engine.synthesize(sentence(LONG)))
    await asyncio.wait([call], timeout=0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await speak(engine)


async def test_cancelling_what_nobody_asked_for_does_nothing(engine: Engine) -> None:
    engine.cancel(sentence("Nobody asked for this."))
    assert await speak(engine)


async def test_preparing_never_changes_what_is_spoken(engine: Engine) -> None:
    utterance = sentence("A sentence that was prepared.")
    engine.prepare(utterance)
    engine.prepare(sentence("One that is never spoken.", language="xx"))
    assert (await engine.synthesize(utterance)).pcm == await speak(engine, "A sentence that was prepared.")


async def test_sentences_that_come_all_at_once_are_all_answered(engine: Engine) -> None:
    texts = [f"Number {number}." for number in ("one", "two", "three")]
    sounds = await asyncio.gather(*(speak(engine, text) for text in texts))
    assert len(set(sounds)) == 3


async def test_starting_again_changes_nothing(engine: Engine) -> None:
    await engine.start()
    assert await speak(engine)


async def test_the_fingerprint_and_the_slots_are_known(engine: Engine) -> None:
    assert engine.fingerprint
    assert engine.slots >= 1


@pytest.mark.parametrize("make", [tone, hosted_tone, hosted_onnx], ids=["tone", "hosted-tone", "hosted-onnx"])
async def test_the_fingerprint_is_known_before_the_engine_is_started(make: Any) -> None:
    assert make().fingerprint


@pytest.mark.parametrize("make", [tone, hosted_tone], ids=["tone", "hosted-tone"])
async def test_stopping_twice_or_before_the_start_is_no_error(make: Any) -> None:
    engine: Engine = make()
    await engine.stop()
    await engine.stop()
