"""Markdown: what is spoken, where it stands, and what is given to markdown-it."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wyoming_kokoro.text.markup import markdown, markdown_blocks
from wyoming_kokoro.text.markup.markdown import Markdown
from wyoming_kokoro.text.markup.runs import Run

MARKS = [
    "# ", "- ", "* ", "1. ", "2) ", "> ", "| a | b |", "|---|---|", "```", "```py", "---", "===", "**bold**", "*it", "al*",
    "_u_", "snake_case", "2*3*4", "[a](b)", "![p](q)", "[x", "](y)", "<b>", "</b>", "<http://a.b>", "&amp;", "\\*", "`c`",
    "``d", "word", "Hello there. ", "5.", "- [x] ", "\t", "    ", "\r\n", "\n", "\n\n", "  \n", "\\\n", "😀", "字", "|", "\\|",
    "~~s~~", "!", "[", "]", "(", ")", "x" * 50,
]  # fmt: skip
documents = st.lists(st.sampled_from(MARKS), max_size=30).map("".join)
SPOKEN = [
    ("# Today #\n\nAll *is* __well__.", "Today\n\nAll is well."),
    ("Heading\n=======\ntext", "Heading\n\ntext"),
    ("**Rain\nuntil** five", "Rain until five"),
    ("[the\nlamp](http://a.example) is on", "the lamp is on"),
    ("[Call](tel:5)5 times", "Call5 times"),
    ("![a picture](x.png) and [a ![b](c) d](e)", "a picture and a b d"),
    ("2*3*4 and 2 * 3 and snake_case", "2*3*4 and 2 * 3 and snake_case"),
    ("`a * b` and ``c ` d``", "a * b and c ` d"),
    ("\\*stars\\* &amp; <b>tags</b> <!-- not this -->", "*stars* & tags "),
    ("<https://a.example/b> or <c@d.example>", "https://a.example/b or c@d.example"),
    ("1. One\n2. Two\n   - inner\n10) Ten", "1. One\n2. Two\ninner\n10) Ten"),
    ("5.", "5."),
    ("- 1. both", "1. both"),
    ("- [x] done\n- [ ] open", "done\nopen"),
    ("> a quote\n> of two", "a quote\nof two"),
    ("| a | `b` |\n|:--|--:|\n| 1 \\| 2 | |\n", "a, b\n\n1 | 2\n"),
    ("```py\nx = [1]*2\n```\nDone", "\nx = [1]*2\n\nDone"),
    ("[Anna]: hello", "[Anna]: hello"),
    ("    not *code*", "not code"),
    ("an open *mark and an open [link", "an open *mark and an open [link"),
    ("one\r\ntwo *three*\r\n\r\nfour", "one two three\n\nfour"),
]  # fmt: skip


def runs_of(deltas: list[str]) -> list[Run]:
    reader = Markdown()
    return [*(run for delta in deltas for run in reader.feed(delta)), *reader.finish()]


def by_character(runs: list[Run]) -> list[tuple[str, str]]:
    """Runs that are spoken as they stand are one, however they are parted."""
    return [pair for run in runs for pair in (zip(run[0], run[1], strict=True) if run[0] == run[1] else [tuple(run)])]


@pytest.mark.parametrize(("document", "spoken"), SPOKEN)
def test_what_is_meant_to_be_heard_is_spoken(document: str, spoken: str) -> None:
    assert "".join(run.plain for run in runs_of([document])) == spoken


@pytest.mark.parametrize(("document", "place"), [("[Call](tel:5)5 times", "5 times"), ("- **a** [b](a) a", "a")])
def test_a_word_has_its_own_place_though_an_address_holds_it_too(document: str, place: str) -> None:
    *_, last = runs_of([document])
    assert last.source.endswith(place) and last.source == last.plain


@settings(max_examples=300, deadline=None)
@given(document=documents, cuts=st.lists(st.integers(0, 300), max_size=8))
def test_every_character_has_its_place_however_the_text_arrived(document: str, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(document)) for cut in cuts), len(document)]
    whole = runs_of([document])
    assert "".join(run.source for run in whole) == document
    assert by_character(runs_of([document[start:end] for start, end in itertools.pairwise(edges)])) == by_character(whole)


@pytest.mark.parametrize("element", ["**now", "[a](http", "`code", "<b", "~~no", "![p", "# He", "- **it", "| a | *b"])
def test_a_half_written_element_is_not_spoken(element: str) -> None:
    reader = Markdown()
    assert "".join(run.source for run in reader.feed(f"Plain words.\n\n{element}")) == "Plain words.\n"


def test_a_line_without_open_marks_is_spoken_before_its_paragraph_ends() -> None:
    assert "".join(run.plain for run in Markdown().feed("The first line.\nand mo")) == "The first line."


@pytest.mark.parametrize("mark", ["word ", "*a ", "[", "![a](", "`", "<a ", "- ", "> ", "1. ", "_a_\n", "[\n", "| a ", "\\"])
def test_each_character_is_given_to_markdown_it_once_and_never_too_many(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, list[int]] = {"texts": [], "parts": []}
    for name, known in given.items():
        real = getattr(markdown_blocks, name)
        monkeypatch.setattr(markdown_blocks, name, lambda text, real=real, known=known: known.append(len(text)) or real(text))
    document = mark * (30_000 // len(mark))
    choose = random.Random(1)
    cuts = sorted(choose.randrange(len(document)) for _ in range(200))
    runs_of([document[start:end] for start, end in itertools.pairwise([0, *cuts, len(document)])])
    for lengths in given.values():
        assert max(lengths, default=0) <= 2 * markdown.LONGEST
        assert sum(lengths) <= len(document) + len(lengths)
