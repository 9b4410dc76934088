"""Sentences on their way through the engine's process, and how long each may take."""

from __future__ import annotations

import pytest

from wyoming_kokoro.engine.calls import Call, Calls
from wyoming_kokoro.engine.time_limit import TimeLimit
from wyoming_kokoro.model.errors import EngineDiedError, SynthesisCancelledError
from wyoming_kokoro.model.recipe import Boundary, Utterance


def sentence(spoken: str) -> Utterance:
    return Utterance(
        spoken=spoken,
        voice="af_heart",
        speed=1.0,
        language="en-US",
        opens=Boundary.START,
        closes=Boundary.SENTENCE,
        model="any",
    )


def sent(calls: Calls, expected: Call) -> Call:
    call = calls.next()
    assert call is expected
    return call


async def test_only_as_many_are_sent_as_there_are_slots() -> None:
    calls = Calls(slots=1)
    first, second = calls.add(sentence("one")), calls.add(sentence("two"))
    sent(calls, first)
    assert calls.next() is None
    calls.land(first.number)
    sent(calls, second)


async def test_a_sentence_that_was_not_begun_is_sent_again_before_the_others_but_only_once() -> None:
    calls = Calls(slots=1)
    first, second = calls.add(sentence("one")), calls.add(sentence("two"))
    sent(calls, first)
    calls.process_died("gone")
    sent(calls, first)
    calls.process_died("gone again")
    with pytest.raises(EngineDiedError, match="gone again"):
        await first.answer
    sent(calls, second)


async def test_a_sentence_that_was_begun_fails_with_the_process() -> None:
    calls = Calls(slots=2)
    begun, waiting = calls.add(sentence("one")), calls.add(sentence("two"))
    sent(calls, begun).is_started = True
    sent(calls, waiting)
    calls.process_died("gone")
    with pytest.raises(EngineDiedError):
        await begun.answer
    sent(calls, waiting)


async def test_a_cancelled_sentence_is_not_sent_again() -> None:
    calls = Calls(slots=1)
    first = calls.add(sentence("one"))
    sent(calls, first)
    assert calls.cancel(first)
    calls.process_died("gone")
    assert calls.next() is None
    with pytest.raises(SynthesisCancelledError):
        await first.answer


async def test_a_sentence_that_waits_is_cancelled_without_a_word_to_the_process() -> None:
    calls = Calls(slots=1)
    first = calls.add(sentence("one"))
    assert not calls.cancel(first)
    assert calls.next() is None
    with pytest.raises(SynthesisCancelledError):
        await first.answer


def test_the_limit_is_ten_times_what_was_learnt_but_never_below_the_least() -> None:
    limit = TimeLimit(30.0)
    assert limit.limit("x" * 1000) == 30.0
    limit.learn("x" * 10, 1.0)
    assert limit.predict("x" * 100) == pytest.approx(10.0)
    assert limit.limit("x" * 100) == pytest.approx(100.0)
    assert limit.limit("x") == 30.0


def test_the_prediction_follows_the_machine() -> None:
    limit = TimeLimit(30.0)
    limit.learn("x", 1.0)
    for _ in range(50):
        limit.learn("x", 3.0)
    assert limit.predict("x") == pytest.approx(3.0, rel=0.01)
