"""One block of Markdown by `markdown-it-py`: which of its characters are text, and what is spoken for them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.text.markup.markdown_inline import parts, texts
from wyoming_kokoro.text.markup.runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NUMBER = re.compile(r"\d{1,9}[.)](?:[ \t]+|\Z)")
_BOX = re.compile(r"(?<=[-*+] )\[[ xX]\][ \t]+")
_PIPE = re.compile(r"\\.|\|")


class _Slice(NamedTuple):
    """Text of a block within one line, and where it stands in the block."""

    start: int
    text: str


def block_runs(source: str) -> list[Run]:
    """The runs of a heading, an item of a list, a paragraph or a quotation.

    The number of an item is spoken, the marks are not.
    """
    text = source.replace("\r", " ")
    made = _Made(source)
    for slices in _texts(text):
        made.skip_to(slices[0].start, keep=_NUMBER)
        made.speak(slices)
    made.skip_to(len(source), keep=None if made.has_spoken else _NUMBER)
    return made.runs


def text_runs(source: str) -> list[Run]:
    """The runs of text within a block."""
    made = _Made(source)
    made.speak([_Slice(0, source)])
    made.skip_to(len(source))
    return made.runs


def row_runs(source: str) -> list[Run]:
    """The runs of a row of a table: its cells with a comma between them."""
    made = _Made(source)
    pipes = [found.start() for found in _PIPE.finditer(source) if found[0] == "|"]
    for start, end in zip([0, *(pipe + 1 for pipe in pipes)], [*pipes, len(source)], strict=True):
        cell = source[start:end].strip()
        if cell:
            begin = source.index(cell, start)
            made.skip_to(begin, plain=", " if made.has_spoken else "")
            made.speak([_Slice(begin, cell)])
    made.skip_to(len(source))
    return made.runs


def _texts(text: str) -> Iterator[list[_Slice]]:
    """The text of each block that markdown-it finds, line by line."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for token in texts(text):
        first = token.map[0] if token.map else 0
        contents = token.content.split("\n")
        yield [_slice(starts[first + index], lines[first + index], content) for index, content in enumerate(contents)]


def _slice(start: int, line: str, content: str) -> _Slice:
    """A line's content within it: the end of it, but for the closing marks of a heading."""
    bare = content.strip()
    at = len(line.rstrip()) - len(bare)
    if not line.startswith(bare, at):
        at = line.find(bare)
    if at < 0:  # a tab that stands for spaces
        return _Slice(start, line)
    box = _BOX.match(line, at)
    return _Slice(start + at, bare) if box is None else _Slice(start + box.end(), line[box.end() :].rstrip())


class _Made:
    """The runs of one block, in the making."""

    def __init__(self, source: str) -> None:
        self.runs: list[Run] = []
        self.has_spoken = False
        self._source = source
        self._done = 0

    def skip_to(self, place: int, *, plain: str = "", keep: re.Pattern[str] | None = None) -> None:
        """Up to there nothing is spoken, but `plain` and what `keep` finds."""
        for found in () if keep is None else keep.finditer(self._source, self._done, place):
            self.skip_to(found.start())
            self._add(found.end(), found[0])
        if place > self._done:
            self._add(place, plain)

    def speak(self, slices: Sequence[_Slice]) -> None:
        """The text of a block."""
        text = "\n".join(one.text for one in slices)
        starts = [0, *accumulate(len(one.text) + 1 for one in slices[:-1])]

        def place(at: int) -> int:
            index = bisect_right(starts, at) - 1
            return slices[index].start + at - starts[index]

        for part in parts(text):
            self.skip_to(place(part.start))
            self._add(place(part.end), part.plain)
        self.has_spoken = True

    def _add(self, end: int, plain: str) -> None:
        self.runs.append(Run(self._source[self._done : end], plain))
        self._done = end
