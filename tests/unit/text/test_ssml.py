"""SSML: what each element does, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.recipe import Boundary, Profile, Sentence, TextFormat
from wyoming_kokoro.text.pipeline import TextPipeline

VOICES = {"bob": ("am_michael", "en-US"), "emma": ("bf_emma", "en-GB"), "siwis": ("ff_siwis", "fr")}


def voice_of(name: str) -> tuple[str, str]:
    if name not in VOICES:
        raise RefusedError("text", f"there is no voice {name!r}")
    return VOICES[name]


def cut(text: str, language: str = "en-US", profile: Profile = Profile.BALANCED) -> tuple[Sentence, ...]:
    pipeline = TextPipeline(voice_of=voice_of)
    return pipeline.cut(f"<speak>{text}</speak>", language=language, profile=profile, text_format=TextFormat.SSML)


def spoken(text: str, language: str = "en-US") -> list[str]:
    return [sentence.spoken for sentence in cut(text, language)]


SAID = [
    ('<say-as interpret-as="characters">AB12</say-as> it is', "A B one two it is"),
    ('<say-as interpret-as="spell-out">tv</say-as>', "T V"),
    ('Code <say-as interpret-as="digits">1234</say-as>', "Code one two three four"),
    ('<say-as interpret-as="telephone">+44 20</say-as>', "plus four four, two zero"),
    ('<say-as interpret-as="cardinal">1905</say-as>', "one thousand nine hundred five"),
    ('the <say-as interpret-as="ordinal">3</say-as> day', "the third day"),
    ('on <say-as interpret-as="date" format="dmy">3/4/2026</say-as>', "on April third, twenty twenty-six"),
    ('on <say-as interpret-as="date" format="mdy">3/4/2026</say-as>', "on March fourth, twenty twenty-six"),
    ('at <say-as interpret-as="time">5:30pm</say-as>', "at five thirty P M"),
    ('<say-as interpret-as="currency">$5</say-as>', "five dollars"),
    ('what a <say-as interpret-as="expletive">darn</say-as> day', "what a day"),
    ('<say-as interpret-as="nobody knows">5</say-as>', "five"),
    ('<sub alias="World Wide Web">WWW</sub> is big', "World Wide Web is big"),
    ('say <phoneme alphabet="ipa" ph="təˈmeɪtoʊ">tomato</phoneme> now', "say [tomato](/təˈmeɪtoʊ/) now"),
    ('say <phoneme alphabet="x-sampa" ph="t@">to</phoneme>', "say to"),
    ('say <phoneme ph="字">to</phoneme>', "say to"),
    ("<emphasis>never ever</emphasis> stop", "[never](+1) [ever](+1) stop"),
    ('<emphasis level="none">never</emphasis> stop', "never stop"),
    ('here<mark name="x"/> we <foo bar="1">are</foo><!-- no --><metadata>no</metadata>', "here we are"),
    ("5 &lt; 6 &amp; so on", "five is less than six and so on"),
    ('<say-as interpret-as="digits"><emphasis>12</emphasis></say-as>', "one two"),
]


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_an_element_is_said_as_it_asks(text: str, expected: str) -> None:
    assert spoken(text) == [expected]


@pytest.mark.parametrize(
    ("attributes", "pause_ms"),
    [
        ('time="400ms"', 400),
        ('time="1.5s"', 1500),
        ('time="1h"', 400),
        ('time="99s"', 10_000),
        ('strength="x-weak"', 100),
        ('strength="strong"', 700),
        ("", 400),
    ],
)
def test_a_break_is_a_pause_of_its_length(attributes: str, pause_ms: int) -> None:
    first, second = cut(f"Dinner<break {attributes}/> is ready")
    assert (first.spoken, first.closes, first.pause_ms) == ("Dinner", Boundary.PAUSE, pause_ms)
    assert (second.spoken, second.opens, second.pause_ms) == ("is ready", Boundary.PAUSE, 0)


def test_a_break_that_is_none_is_no_pause() -> None:
    assert spoken('Dinner <break strength="none"/>is ready') == ["Dinner is ready"]


def test_breaks_add_up_and_the_last_one_is_kept() -> None:
    first, last = cut('One.<break time="1s"/><break time="2s"/> Two.<break time="500ms"/>')
    assert (first.pause_ms, last.pause_ms, last.closes) == (3000, 500, Boundary.PAUSE)


def test_a_paragraph_ends_in_a_pause_and_a_sentence_does_not() -> None:
    sentences = cut("<p><s>One</s><s>Two</s></p><p>Three</p>")
    assert [(sentence.spoken, sentence.pause_ms) for sentence in sentences] == [("One", 0), ("Two", 1000), ("Three", 0)]


@pytest.mark.parametrize("profile", Profile)
def test_a_voice_speaks_its_part_alone_and_in_its_language(profile: Profile) -> None:
    sentences = cut('Bob says <voice name="siwis">il y a 3 chats</voice> again.', profile=profile)
    assert [(sentence.spoken, sentence.voice, sentence.language) for sentence in sentences] == [
        ("Bob says", None, None),
        ("il y a trois chats", "ff_siwis", "fr"),
        ("again.", None, None),
    ]
    assert sentences[0].closes is Boundary.CLAUSE


def test_a_voice_that_is_not_there_is_refused() -> None:
    with pytest.raises(RefusedError, match="nobody"):
        cut('<voice name="nobody">Hi</voice>')


def test_a_language_is_read_by_its_own_rules() -> None:
    sentences = cut('It is <lang xml:lang="es">21 personas</lang>.')
    assert [(sentence.spoken, sentence.language) for sentence in sentences][1] == ("veintiuna personas.", "es")


@pytest.mark.parametrize(
    ("rate", "factor"), [("slow", 0.75), ("x-fast", 1.5), ("80%", 0.8), ("+20%", 1.2), ("1.3", 1.3), ("9", 2.0), ("odd", 1.0)]
)
def test_the_rate_is_kept_as_a_factor(rate: str, factor: float) -> None:
    assert cut(f'<prosody rate="{rate}">Slowly now</prosody>')[0].rate == factor


REFUSED = [
    ("<speak>\nTest.<b></speak>", r"mismatched tag; line 2, column 11"),
    ("plain", r"line 1, column"),
    ("<p>no</p>", r"outermost element of SSML is <speak>, not <p>; line 1, column 1"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><speak>&a;</speak>', r"document type .* line 1"),
    ("<speak>&nbsp;</speak>", r"undefined entity; line 1, column 8"),
    ("<speak>" + "<b>" * 40 + "</b>" * 40 + "</speak>", r"nested deeper than 32; line 1"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_is_wrong_is_told_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason) as refusal:
        TextPipeline().cut(text, language="en-US", profile=Profile.BALANCED, text_format=TextFormat.SSML)
    assert refusal.value.field == "text"


@given(st.text(alphabet=st.characters(codec="utf-8", min_codepoint=32), max_size=40))
def test_characters_for_private_use_never_become_controls(text: str) -> None:
    sentences = TextPipeline().cut(
        f"{text}\U00100000{text}\U0010c000x", language="en-US", profile=Profile.BALANCED, text_format=TextFormat.PLAIN
    )
    assert all(not sentence.manner or sentence.closes is Boundary.PAUSE for sentence in sentences)
    assert not any("\U00100000" <= char <= "\U0010fffe" for sentence in sentences for char in sentence.spoken)
