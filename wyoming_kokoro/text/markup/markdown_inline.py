"""Markdown by `markdown-it-py`: the texts of a block, what of them is spoken, and where each part of it stands.

That library's tokens keep no places within a line. But its rules move one position forward, so the places can be noted while
they run: `_Noting` is its own loop over the rules, with a note of where each began and ended.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline, link
from markdown_it.rules_inline.emphasis import tokenize as emphasis

if TYPE_CHECKING:
    from markdown_it.token import Token

ANY_MARK = re.compile(r"[!&*_~`<\[\\\r\n]")
"""Found in every text that is not spoken as it stands."""

_NOTES = "notes"


class Part(NamedTuple):
    """Some characters and what is spoken for them."""

    start: int
    end: int
    plain: str


class _Note(NamedTuple):
    """What a rule read, and the tokens that it made of it; none where it is text."""

    start: int
    end: int
    tokens: list[Token]


class _Noting(ParserInline):
    """The library's parser, but that `env` gets a note of every step. A rule that reads the inside of what it found, as that of
    links does, leaves the notes of these steps alone.
    """

    def tokenize(self, state: StateInline) -> None:
        notes: list[_Note] = state.env[_NOTES]
        end = state.posMax
        while state.pos < end:
            begin, made, noted = state.pos, len(state.tokens), len(notes)
            waits = bool(state.pending)
            self._step(state)
            tokens = state.tokens[made:]
            if waits and tokens and tokens[0].type == "text":  # the text before, which has its notes
                del tokens[0]
            if len(notes) == noted:
                notes.append(_Note(begin, state.pos, tokens))
        if state.pending:
            state.pushPending()

    def _step(self, state: StateInline) -> None:
        """One rule, or one character that none reads."""
        if state.level < state.md.options["maxNesting"]:
            for rule in self.ruler.getRules(""):
                if rule(state, False):
                    return
        state.pending += state.src[state.pos]
        state.pos += 1


def _image(state: StateInline, silent: bool) -> bool:
    """A picture is spoken as a link is: by its label."""
    if not state.src.startswith("![", state.pos):
        return False
    state.pos += 1
    if link(state, silent):
        return True
    state.pos -= 1
    return False


def _emphasis(state: StateInline, silent: bool) -> bool:
    """A single star between two figures is a sign: `2*3*4`."""
    at = state.pos
    around = state.src[at - 1 : at] + state.src[at + 1 : at + 2]
    if state.src[at] == "*" and len(around) == 2 and around.isdigit():
        return False
    return emphasis(state, silent)


def _made() -> MarkdownIt:
    markdown = MarkdownIt("commonmark")
    markdown.inline = _Noting()
    markdown.inline.ruler.at("image", _image)
    markdown.inline.ruler.at("emphasis", _emphasis)
    markdown.inline.ruler.disable("linkify")
    markdown.inline.ruler2.disable("fragments_join")  # it moves the text of a token to another one
    markdown.block.ruler.disable(["code", "fence", "html_block", "reference", "lheading"])
    return markdown


_MARKDOWN = _made()
"""Knows headings, lists, quotes and rules; what it holds no rules for here is read by `markdown` line by line."""


def texts(source: str) -> list[Token]:
    """The texts of headings, items and paragraphs, each with its lines (`map`) and its content line by line."""
    tokens: list[Token] = []
    _MARKDOWN.block.parse(source, _MARKDOWN, {}, tokens)
    return [token for token in tokens if token.type == "inline"]


def parts(text: str) -> list[Part]:
    """What is spoken of the text of one paragraph, in order; what lies between two parts, and behind the last, is not."""
    if ANY_MARK.search(text) is None:
        return [Part(0, len(text), text)]
    notes: list[_Note] = []
    state = StateInline(text, _MARKDOWN, {_NOTES: notes}, [])
    _MARKDOWN.inline.tokenize(state)
    for rule in _MARKDOWN.inline.ruler2.getRules(""):
        rule(state)
    return [_spoken(text, note) if note.tokens else Part(*note[:2], text[note.start : note.end]) for note in notes]


def _spoken(text: str, note: _Note) -> Part:
    first = note.tokens[0]
    match first.type:
        case "softbreak" | "hardbreak":
            plain = " "
        case "link_open":
            plain = text[note.start + 1 : note.end - 1] if first.markup == "autolink" else ""
        case "code_inline":
            plain = first.content.strip()
        case "text_special":
            plain = first.content
        case _:  # marks that belong to no pair are text
            plain = "".join(token.content for token in note.tokens if token.type == "text")
    return Part(note.start, note.end, plain)
