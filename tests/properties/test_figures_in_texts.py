"""What holds for every figure in a text."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from unicode_rbnf.engine import FormatPurpose

from tests.properties.figures_in_texts import (
    huge,
    is_computed,
    is_silent,
    is_torn,
    least_words,
    rbnf,
    runs_in,
    tokens,
    unheard,
    words_and_runs,
)
from wyoming_kokoro.model.recipe import Profile, TextFormat
from wyoming_kokoro.text.effort import is_speakable
from wyoming_kokoro.text.normalise import SOME_FIGURE, passes_for
from wyoming_kokoro.text.normalise.tongues import tongue_of
from wyoming_kokoro.text.pipeline import TextPipeline
from wyoming_kokoro.text.spoken import Speaking, clean

ENGLISH = ["en-US", "en-GB"]
LANGUAGES = [*ENGLISH, "es", "fr-FR", "hi", "it", "ja", "pt-BR", "zh-CN"]
SPEAKING = {language: Speaking(language) for language in LANGUAGES}
words = st.sampled_from(
    ["the", "House", "in", "on", "and", "about", "字", "घर", "é", ".", ", ", "! ", "(", ")", '"', "\n", " - "]
)
texts = st.lists(st.one_of(tokens, tokens, words), max_size=12).flatmap(
    lambda parts: st.lists(st.sampled_from([" ", " ", ""]), min_size=len(parts), max_size=len(parts)).map(
        lambda gaps: "".join(part + gap for part, gap in zip(parts, gaps, strict=True))
    )
)


def by_all_passes(text: str, language: str) -> str:
    """What is spoken, without the net under a step that raises."""
    for one in passes_for(language):
        if not one.for_figures or SOME_FIGURE.search(text):
            text = one.apply(text)
    return text


@settings(max_examples=150, deadline=None)
@given(text=texts, language=st.sampled_from(LANGUAGES))
def test_no_step_ever_raises(text: str, language: str) -> None:
    (_, cleaned), *_ = stages = SPEAKING[language].stages(text)
    assert by_all_passes(cleaned, language) == stages[-1][1]


@settings(max_examples=40, deadline=None)
@given(text=huge, language=st.sampled_from(LANGUAGES))
def test_figures_of_thousands_of_digits_are_heard_digit_by_digit_or_stay(text: str, language: str) -> None:
    said = by_all_passes(clean(text), language)
    longest = max(runs_in(text), key=len)
    numbers = tongue_of(language).numbers
    assert numbers.gap.join([numbers.digits[int(longest[0])]] * 5000) in said


@settings(max_examples=500, deadline=None)
@given(token=tokens, language=st.sampled_from(ENGLISH))
def test_every_run_of_digits_survives_or_is_read(token: str, language: str) -> None:
    assume(not is_torn(token) and not is_computed(token))
    assert unheard(token, SPEAKING[language].spoken(f"alpha {token} beta")) == []


@settings(max_examples=150, deadline=None)
@given(text=texts, language=st.sampled_from(ENGLISH), profile=st.sampled_from(Profile))
def test_a_text_never_gets_shorter_than_its_words_and_figures(text: str, language: str, profile: Profile) -> None:
    for step in TextPipeline().explain(text, language=language, profile=profile, text_format=TextFormat.PLAIN):
        plain = dict(step.stages)["clean"]
        assert len(words_and_runs(step.spoken)) >= least_words(plain)


@settings(max_examples=150, deadline=None)
@given(text=texts, language=st.sampled_from(LANGUAGES))
def test_no_figure_is_left_to_the_engine(text: str, language: str) -> None:
    assert not any(char.isdecimal() for char in SPEAKING[language].spoken(text))


@settings(max_examples=500, deadline=None)
@given(token=tokens, language=st.sampled_from(LANGUAGES), data=st.data())
def test_every_digit_is_heard_since_another_one_sounds_otherwise(token: str, language: str, data: st.DataObject) -> None:
    places = [index for index, char in enumerate(token) if char in "0123456789"]
    assume(places and not is_computed(token))
    place = data.draw(st.sampled_from(places))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != token[place]]))
    changed = token[:place] + other + token[place + 1 :]
    speaking = SPEAKING[language]
    assert speaking.spoken(f"alpha {token} beta") != speaking.spoken(f"alpha {changed} beta")


@settings(max_examples=150, deadline=None)
@given(text=texts, language=st.sampled_from(LANGUAGES))
def test_what_can_be_spoken_is_never_lost_and_words_alone_stay_as_they_are(text: str, language: str) -> None:
    said = SPEAKING[language].spoken(text)
    assert is_speakable(said) == is_speakable(clean(text))
    if not any(char.isnumeric() for char in said):
        assert SPEAKING[language].spoken(said) == said


@settings(max_examples=300, deadline=None)
@given(number=st.one_of(st.integers(0, 9999), st.integers(0, 10**15 - 1)), language=st.sampled_from(ENGLISH))
def test_a_single_number_is_what_unicode_makes_of_it(number: int, language: str) -> None:
    said = SPEAKING[language].spoken
    cardinal, ordinal = words_and_runs(rbnf(number)), words_and_runs(rbnf(number, FormatPurpose.ORDINAL))
    assert words_and_runs(said(f"{number:,} more")) == [*cardinal, "more"]
    assert words_and_runs(said(f"the {number:,}th")) == ["the", *ordinal]
    assert words_and_runs(said(f"{number:,}%")) == [*cardinal, "percent"]
    metres = "kilometres" if language == "en-GB" else "kilometers"
    assert words_and_runs(said(f"-{number:,}.5 km")) == ["minus", *cardinal, "point", "five", metres]
    assert words_and_runs(said(f"€{number:,}.07")) == (
        ["seven", "cents"] if number == 0 else [*cardinal, "euro" if number == 1 else "euros", "seven", "cents"]
    )
    assert words_and_runs(said(f"{number} more")) == [
        *(cardinal if number < 10**6 or number % 1000 == 0 else [rbnf(int(digit)) for digit in str(number)]),
        "more",
    ]


CHECKED = [
    ("$1,234.56", "one thousand two hundred thirty-four dollars and fifty-six cents", []),
    ("$1,234.56", "one dollar", ["1234", "56"]),
    ("5-5", "five", ["5"]),
    ("$1.00", "one dollar", []),
    ("100", "", ["100"]),
    ("7:00", "seven o'clock", []),
]


@pytest.mark.parametrize(("token", "said", "missing"), CHECKED)
def test_the_count_of_what_is_heard_sees_what_is_missing(token: str, said: str, missing: list[str]) -> None:
    assert unheard(token, said) == missing
    assert not is_silent("100", "100")
