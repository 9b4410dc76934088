"""The engine that plays tones, on virtual time."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from wyoming_kokoro.engine.melody import melody, melody_seconds
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import SynthesisCancelledError
from wyoming_kokoro.model.recipe import Boundary, Utterance

pytestmark = pytest.mark.looptime


class LoopClock:
    """The time of the running event loop, which looptime makes virtual."""

    def now_ms(self) -> int:
        return round(1000 * self.monotonic())

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def entropy(self, size: int) -> bytes:
        return bytes(size)


def sentence(spoken: str = "The door is open.", **changes: Any) -> Utterance:
    plain = Utterance(
        spoken=spoken,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="tone-1",
    )
    return dataclasses.replace(plain, **changes)


async def test_a_sentence_is_as_long_as_its_text_and_takes_as_long_as_its_pace() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=0.5)
    speech = await engine.synthesize(sentence("x" * 100))
    assert speech.seconds == pytest.approx(6.0)
    assert speech.gen_seconds == pytest.approx(12.0)


async def test_at_once_means_in_no_time_at_all() -> None:
    assert (await ToneEngine(LoopClock()).synthesize(sentence())).gen_seconds == 0.0


async def test_one_slot_speaks_one_sentence_after_the_other() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=1.0)
    clock = LoopClock()
    began = clock.monotonic()
    speeches = await asyncio.gather(engine.synthesize(sentence("a" * 50)), engine.synthesize(sentence("b" * 50)))
    assert clock.monotonic() - began == pytest.approx(sum(speech.seconds for speech in speeches))
    assert [utterance.spoken[0] for utterance in engine.spoken] == ["a", "b"]


async def test_two_slots_speak_two_sentences_at_once() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=1.0, slots=2)
    clock = LoopClock()
    began = clock.monotonic()
    await asyncio.gather(engine.synthesize(sentence("a" * 50)), engine.synthesize(sentence("b" * 50)))
    assert clock.monotonic() - began == pytest.approx(3.0)


async def test_cancelling_one_of_two_equal_sentences_leaves_the_other_alone() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=1.0)
    mine, yours = sentence(), sentence()
    calls = [asyncio.ensure_future(engine.synthesize(utterance)) for utterance in (mine, yours)]
    await asyncio.wait(calls, timeout=0.1)
    engine.cancel(yours)
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert not isinstance(results[0], BaseException)
    assert isinstance(results[1], SynthesisCancelledError)


async def test_nothing_is_finished_between_hold_and_release() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=1.0)
    engine.hold()
    call = asyncio.ensure_future(engine.synthesize(sentence()))
    await asyncio.wait([call], timeout=60)
    assert not call.done()
    engine.release()
    assert (await call).pcm


async def test_a_cancelled_caller_is_cancelled_and_its_slot_is_free() -> None:
    engine = ToneEngine(LoopClock(), realtime_factor=0.001)
    call = asyncio.ensure_future(engine.synthesize(sentence()))
    await asyncio.wait([call], timeout=0.1)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    engine.realtime_factor = 0
    assert (await engine.synthesize(sentence())).pcm
    assert len(engine.spoken) == 1


def test_no_sentence_is_shorter_than_the_shortest() -> None:
    assert melody_seconds(sentence("")) == melody_seconds(sentence("Hi")) == 0.3


def test_a_faster_speed_makes_a_shorter_melody() -> None:
    assert melody_seconds(sentence("x" * 50, speed=2.0)) == pytest.approx(1.5)


@pytest.mark.parametrize(
    "changes", [{"voice": "bf_emma"}, {"speed": 1.1}, {"opens": Boundary.CLAUSE}, {"spoken": "The door was open."}]
)
def test_whatever_makes_other_speech_makes_another_melody(changes: dict[str, Any]) -> None:
    assert melody(sentence())[0] != melody(sentence(**changes))[0]


@pytest.mark.parametrize("spoken", ["", "a", "Hello there, you two.", "字" * 200])
def test_a_melody_has_whole_frames_of_the_length_that_was_told_before(spoken: str) -> None:
    pcm, words = melody(sentence(spoken))
    assert len(pcm) == round(melody_seconds(sentence(spoken)) * SPEECH.rate) * SPEECH.frame_bytes
    assert [timing.word for timing in words] == spoken.split()
    assert all(0 < timing.start_seconds < timing.end_seconds <= SPEECH.seconds(len(pcm)) for timing in words)
