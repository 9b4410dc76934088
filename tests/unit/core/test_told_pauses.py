"""Pauses that a text asks for, in the records of its cast."""

from __future__ import annotations

import pytest

from tests.house import open_house, say
from wyoming_kokoro.engine.melody import melody
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.recipe import Boundary, TextFormat, Utterance


async def pause_ms_in(text: str, text_format: TextFormat) -> int:
    """Silence that the record of the first sentence holds beside its sound."""
    async with open_house() as house:
        _, pieces = await say(house, text, text_format=text_format)
        first = next(piece for piece in pieces if piece.index == 0)
        utterance = Utterance(
            spoken="Dinner",
            voice="af_heart",
            speed=1.0,
            language="en-US",
            opens=Boundary.START,
            closes=Boundary.PAUSE,
            model="x",
        )
        return SPEECH.milliseconds(len(first.pcm) - len(melody(utterance)[0]))


@pytest.mark.parametrize(
    ("text", "text_format", "pause_ms"),
    [
        ('<speak>Dinner<break time="400ms"/> is ready</speak>', TextFormat.SSML, 400),
        ("Dinner [pause=2] is ready", TextFormat.PLAIN, 2000),
        ("Dinner\n\nis ready", TextFormat.PLAIN, 1000),
    ],
)
async def test_the_silence_is_in_the_record(text: str, text_format: TextFormat, pause_ms: int) -> None:
    assert await pause_ms_in(text, text_format) == pytest.approx(pause_ms - 60, abs=2)
