"""How much memory a text takes on its way does not depend on its length, and nothing of it is cut off."""

from __future__ import annotations

import tracemalloc

import pytest

from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.pipeline import TextPipeline

PLAIN, MARKDOWN = TextFormat.PLAIN, TextFormat.MARKDOWN
PROSE = "The lamp in the hall is on, and nobody is at home. Rain at 6:45 pm, 12 mm. "
BLOCKS = "# Today\n\nThe **lamp** is [on](http://a.example).\n\n- one\n- two\n\n| a | b |\n"
MOST_BYTES = 1_500_000


def peak_bytes(unit: str, length: int, text_format: TextFormat) -> int:
    stream = TextPipeline().stream(language="en-US", profile=Profile.QUALITY, text_format=text_format)
    spoken = original = 0
    tracemalloc.start()
    try:
        piece = (unit * (1 + 500 // len(unit)))[:500] if len(unit) == 1 else unit * (1 + 500 // len(unit))
        fed = 0
        while fed < length:
            fed += len(piece)
            for sentence in stream.feed(piece):
                spoken, original = spoken + len(sentence.spoken), original + len(sentence.text)
        for sentence in stream.finish():
            spoken, original = spoken + len(sentence.spoken), original + len(sentence.text)
        assert original >= fed - 3
        assert spoken > fed / 4
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("unit", "length", "text_format"),
    [
        (PROSE, 100_000, PLAIN),
        (BLOCKS, 100_000, MARKDOWN),
        ("and then we all went home again ", 40_000, PLAIN),
        ("字", 40_000, PLAIN),
        ("字", 40_000, MARKDOWN),
        ("*a [b `c ", 30_000, MARKDOWN),
        ("```\nx = 1\ny = 2\n", 40_000, MARKDOWN),
    ],
)
def test_a_long_text_takes_no_more_memory_than_a_short_one(unit: str, length: int, text_format: TextFormat) -> None:
    peak_bytes(unit, length // 20, text_format)  # what is made once, such as tables
    short = peak_bytes(unit, length // 5, text_format)
    assert peak_bytes(unit, length, text_format) < min(MOST_BYTES, 2 * short + 200_000)
