"""The text stages take any text: nothing raises, nothing is lost, and the way it arrives changes nothing."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.normalise import passes_for
from wyoming_kokoro.text.pipeline import TextPipeline
from wyoming_kokoro.text.spoken import clean

LANGUAGES = ["en-US", "en-GB", "es", "fr-FR", "hi", "it", "ja", "pt-BR", "zh-CN"]
SIGNS = "0123456789.,:/-–+=<>^~%°ºª½²€$£¥₹#@&_*'\"()[]<>IVXL年月日時点分 aAkKmMhs\n\t\u200b\u00a0\U00100000\U0010c000"
texts = st.one_of(st.text(max_size=60), st.text(alphabet=SIGNS, max_size=60))


@settings(max_examples=400, deadline=None)
@given(text=texts, language=st.sampled_from(LANGUAGES))
def test_no_step_raises_and_no_figure_is_left(text: str, language: str) -> None:
    said = clean(text)
    for one in passes_for(language):
        said = one.apply(said)
    assert not any(char.isdecimal() for char in said)


@settings(max_examples=150, deadline=None)
@given(text=texts, language=st.sampled_from(LANGUAGES), text_format=st.sampled_from([TextFormat.PLAIN, TextFormat.MARKDOWN]))
def test_originals_joined_are_the_text_however_it_arrives(text: str, language: str, text_format: TextFormat) -> None:
    options = {"language": language, "profile": Profile.LATENCY, "text_format": text_format}
    whole = TextPipeline().cut(text, **options)
    stream = TextPipeline().stream(**options)
    by_character = [sentence for char in text for sentence in stream.feed(char)] + stream.finish()
    assert tuple(by_character) == whole
    if whole:
        assert "".join(sentence.text for sentence in whole) == unicodedata.normalize("NFC", text).strip()


def steps_for(text: str, language: str) -> int:
    """Calls of functions, ours and the interpreter's, for that text."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    stream = TextPipeline().stream(language=language, profile=Profile.BALANCED, text_format=TextFormat.PLAIN)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        stream.feed(text)
        stream.finish()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", ["At 5:30 pm it is 21 °C, $5 for 3 kg. ", "1,", "a", "# ", "字", "<b>x</b> ", "5/"])
def test_twice_the_text_takes_twice_the_steps(unit: str, language: str) -> None:
    text = unit * (3000 // len(unit))
    steps_for(text, language)
    assert steps_for(text * 2, language) < 2.3 * steps_for(text, language) + 500
