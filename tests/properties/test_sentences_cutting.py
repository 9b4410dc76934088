"""What holds for every text that is cut into sentences."""

from __future__ import annotations

import itertools
import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.model.recipe import Boundary, Profile, Sentence, TextFormat
from wyoming_kokoro.text.effort import effort, is_speakable
from wyoming_kokoro.text.pipeline import SentenceStream, TextPipeline
from wyoming_kokoro.text.sizes import sizes_of

LANGUAGES = ["en-US", "en-GB", "es", "fr-FR", "hi", "it", "ja", "pt-BR", "zh-CN"]
FRAGMENTS = [
    "Dr. ", "U.S. ", "Her brother", "stayed. ", "3.14", "4,318", "6:02 a.m. ", "e.g. ", "etc. ", "1. ", "J. R. R. Tolkien",
    "No. ", "… ", "...", "?!", "! ", "? ", '." ', "”", "(", ") ", "¿", "¡", "\n", "\r\n", "\u2028", " ", "  ", ", ", "; ", ": ",
    " — ", " – ", "-", "。", "！", "、", "「", "」", "と言った", "今日はいい天気です", "नमस्ते", "। ", "डॉ. ", "😀",
    "\U0001f469\u200d\U0001f467", "e\u0301", "\u0301", "\u200d", "shop.example", "http://a.example/b?c=d", "<b>", "</b>", "<",
    "x<y", "[pause=1]", "[", "**", "_", "`", "#", "$5", "½", "\x00", "\ud800", "word", "unbreakable" * 20, "字" * 60, "a", "B",
    "9", "and then we all went home again ",
]  # fmt: skip
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
WORDS = [
    "U.S.",
    "Dr.",
    "a.m.",
    "etc.",
    "No.",
    "J.",
    "1.",
    "5.",
    "The",
    "Her",
    "Monday",
    "brother",
    "it,",
    "end.",
    "Wait…",
    '"Yes."',
    "Ends?",
]
phrases = st.lists(st.sampled_from(WORDS), min_size=2, max_size=12).map(" ".join)
OPENINGS = [
    "the", "lamp", "in", "don't", "because", "and", "we", "that", "porque", "मगर", "नमस्ते", "now,", "on —", "end.", "Then", "—",
    "… ", "unbreakable" * 12, "字字字、", "字", "1,2", "\n",
]  # fmt: skip
openings = st.lists(st.sampled_from(OPENINGS), min_size=8, max_size=30).map(" ".join)
texts = st.one_of(
    phrases, openings, fragments, st.text(alphabet=st.characters(), max_size=80), st.text("aB.,!? \n1😀e\u0301-。", max_size=60)
)
languages = st.sampled_from(LANGUAGES)
profiles = st.sampled_from(Profile)
PIPELINE = TextPipeline()


def cut(text: str, language: str, profile: Profile, text_format: TextFormat = TextFormat.PLAIN) -> tuple[Sentence, ...]:
    return PIPELINE.cut(text, language=language, profile=profile, text_format=text_format)


def deltas_of(text: str, cuts: list[int]) -> list[str]:
    edges = [0, *sorted(place % (len(text) + 1) for place in cuts), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges)]


def in_order(stream: SentenceStream, deltas: list[str]) -> tuple[Sentence, ...]:
    sentences = [sentence for delta in deltas for sentence in stream.feed(delta)]
    return (*sentences, *stream.finish())


@settings(max_examples=300, deadline=None)
@given(text=texts, language=languages, profile=profiles)
def test_no_character_is_lost_or_repeated(text: str, language: str, profile: Profile) -> None:
    joined = "".join(sentence.text for sentence in cut(text, language, profile))
    if is_speakable(joined):
        assert joined == unicodedata.normalize("NFC", text).strip()
    else:
        assert joined == ""


@settings(max_examples=300, deadline=None)
@given(text=texts, language=languages, profile=profiles)
def test_every_sentence_can_be_spoken_and_opens_as_the_last_closed(text: str, language: str, profile: Profile) -> None:
    closes = Boundary.START
    for sentence in cut(text, language, profile):
        assert is_speakable(sentence.spoken)
        assert sentence.spoken == " ".join(sentence.spoken.split())
        assert sentence.opens is closes
        closes = sentence.closes
    asks_for_pause = re.search(r"\[(?:pause|break)", text, re.IGNORECASE) is not None
    assert closes in {Boundary.START, Boundary.SENTENCE} or (closes is Boundary.PAUSE and asks_for_pause)


@settings(max_examples=500, deadline=None)
@given(text=texts, language=languages, profile=profiles, cuts=st.lists(st.integers(0, 10_000), max_size=12))
def test_the_deltas_make_no_difference(text: str, language: str, profile: Profile, cuts: list[int]) -> None:
    whole = cut(text, language, profile)
    for deltas in (deltas_of(text, cuts), list(text)):
        stream = PIPELINE.stream(language=language, profile=profile, text_format=TextFormat.PLAIN)
        assert in_order(stream, deltas) == whole


MARKDOWN = [
    "# ", "- ", "> ", "**", "*", "_", "`", "```\n", "[a](b)", "![c](d)", "| a | b |\n", "|---|---|\n", "\n", "\n\n", "***\n",
    "\\*", "&amp;", "<br>", "word", "Two words. ", " ", "1. ",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(MARKDOWN), max_size=25).map("".join), cuts=st.lists(st.integers(0, 10_000), max_size=6))
def test_markdown_keeps_its_source_however_it_arrives(text: str, cuts: list[int]) -> None:
    whole = cut(text, "en-US", Profile.BALANCED, TextFormat.MARKDOWN)
    assert not whole or "".join(sentence.text for sentence in whole) == text.strip()
    stream = PIPELINE.stream(language="en-US", profile=Profile.BALANCED, text_format=TextFormat.MARKDOWN)
    assert in_order(stream, deltas_of(text, cuts)) == whole


SSML = [
    "<s>", "</s>", "<p>", "</p>", "<break/>", "<sub alias='x y'>z</sub>", "&amp;", "&#65;", "<!-- c -->", "é", "Hello. ", "\n",
    "😀", "<", "&x;",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(text=st.lists(st.sampled_from(SSML), max_size=12).map("".join))
def test_ssml_is_refused_or_keeps_its_source(text: str) -> None:
    text = f"<speak>{text}</speak>"
    try:
        whole = cut(text, "en-US", Profile.LATENCY, TextFormat.SSML)
    except RefusedError as error:
        assert "line" in error.message
        assert "column" in error.message
        return
    assert not whole or "".join(sentence.text for sentence in whole) == text
    assert not any("<" in sentence.spoken for sentence in whole)


@settings(max_examples=300, deadline=None)
@given(text=texts, profile=profiles, language=languages)
def test_no_piece_is_longer_than_its_profile_allows(text: str, profile: Profile, language: str) -> None:
    sizes = sizes_of(profile)
    for sentence in cut(text.replace("<", "").replace("[", ""), language, profile):
        assert effort(sentence.text) <= sizes.most


@settings(max_examples=400, deadline=None)
@given(
    deltas=st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.none(), st.just("")), max_size=30),
    clauses=st.booleans(),
    profile=profiles,
    language=languages,
)
def test_the_rule_of_time_loses_nothing_that_can_be_spoken(
    deltas: list[str | None], clauses: bool, profile: Profile, language: str
) -> None:
    stream = PIPELINE.stream(language=language, profile=profile, text_format=TextFormat.PLAIN)
    sentences = []
    for delta in deltas:
        sentences += stream.release(clauses=clauses) if delta is None else stream.feed(delta)
    sentences += stream.finish()
    text = unicodedata.normalize("NFC", "".join(delta or "" for delta in deltas)).strip()
    joined = unicodedata.normalize("NFC", "".join(sentence.text for sentence in sentences)).strip()
    rest = text.removeprefix(joined)
    assert text.startswith(joined)
    assert not is_speakable(rest.replace("[pause=1]", "").replace("<b>", "").replace("</b>", ""))
    assert all(is_speakable(sentence.spoken) for sentence in sentences)
