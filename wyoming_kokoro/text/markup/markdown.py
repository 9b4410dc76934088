"""The plain text of Markdown as language models write it, block by block.

Not spoken: marks of headings, quotes, bullets, task boxes, emphasis, strike-through and code; fences and their language; rules;
the lines under headings and table heads; the addresses of links and pictures; HTML tags and comments within a line. Spoken:
the text of all of these, the numbers of numbered lists, what a code block holds, the cells of a table with a comma between
them. A line break within a paragraph is a space, any other ends a sentence.

`markdown-it-py` reads blocks and what is in them. It is given each character once, and never the whole text: a paragraph is
complete where a line begins another block, and so is every line in which no mark is open, so that it can be heard before its
paragraph ends.

Not supported: reference links, footnotes, indented code, HTML blocks over several lines.
"""

from __future__ import annotations

import re

from wyoming_kokoro.text.markup.markdown_blocks import block_runs, row_runs, text_runs
from wyoming_kokoro.text.markup.markdown_inline import ANY_MARK
from wyoming_kokoro.text.markup.runs import Run

_STARTS_BLOCK = re.compile(r"[ \t]*(?:>|#{1,6}(?:\s|$)|[-*+][ \t]|\d{1,9}[.)](?:\s|$)|```|~~~|\||\r?$)")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[^`]*")
_UNSPOKEN = re.compile(r"[ \t]*(?:(?:[-*_][ \t]*){3,}|=+[ \t]*|\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+)\r?")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:\s|$)")
_ROW = re.compile(r"[ \t]*\|")
_MAY_GO_ON = re.compile(r"[*_~`<\[]")
"""Marks of what may end in another line."""
_LONGEST_RULE = 1000
LONGEST = 4000
"""A longer line or paragraph is read in parts, so that no text takes more memory than that."""


class Markdown:
    """`Markup` of a Markdown text; holds back the line and the paragraph that are not complete."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._length = 0
        self._goes_on = False
        """Whether the line began in a part that was read already."""
        self._block: list[str] = []
        self._fence = ""
        self._break: str | None = None
        """The line break whose meaning depends on the next line."""
        self._breaks_always = True
        """Whether that line break ends a sentence whatever comes."""

    @property
    def held(self) -> bool:
        """See `Markup`."""
        return bool(self._length or self._block)

    def feed(self, text: str) -> list[Run]:
        """See `Markup`."""
        *lines, rest = text.split("\n")
        runs = []
        for line in lines:
            runs += self._add(line)
            runs += self._read(self._taken())
            self._goes_on = False
            self._break = "\n"
        return runs + self._add(rest)

    def finish(self) -> list[Run]:
        """See `Markup`."""
        return self._read(self._taken()) + self._complete()

    def _add(self, text: str) -> list[Run]:
        """More of a line; what is too much of it for one part."""
        self._line.append(text)
        self._length += len(text)
        if self._length <= LONGEST:
            return []
        runs, line = [], self._taken()
        while len(line) > LONGEST:
            end = line.rfind(" ", 1, LONGEST) + 1 or LONGEST
            runs += self._read(line[:end])
            self._goes_on = True
            line = line[end:]
        self._line, self._length = [line], len(line)
        return runs

    def _taken(self) -> str:
        line = "".join(self._line)
        self._line, self._length = [], 0
        return line

    def _read(self, line: str) -> list[Run]:
        if self._goes_on:
            return self._complete() + ([Run(line, line)] if self._fence else text_runs(line))
        fence = _FENCE.fullmatch(line)
        if fence is not None and (not self._fence or fence[1].startswith(self._fence)):
            self._fence = "" if self._fence else fence[1]
            return self._alone([Run(line, "")])
        if self._fence:
            return self._alone([Run(line, line)])
        if len(line) < _LONGEST_RULE and _UNSPOKEN.fullmatch(line):
            return self._alone([Run(line, "")])
        if _ROW.match(line):
            return self._alone(row_runs(line))
        return self._in_block(line)

    def _alone(self, runs: list[Run]) -> list[Run]:
        """A line that is no part of a paragraph."""
        before = self._complete()
        before += self._with_break(runs, breaks=True)
        return before

    def _in_block(self, line: str) -> list[Run]:
        starts = _STARTS_BLOCK.match(line) is not None
        if self._block and not starts:
            self._block.append(f"{self._break}{line}")
            self._break = None
            runs = []
        else:
            runs = self._complete() + self._with_break([], breaks=starts)
            self._block = [line]
            if not starts and ANY_MARK.search(line) is None:
                self._block, self._breaks_always = [], False
                return [*runs, Run(line, line)]
        self._breaks_always = not line.strip() or _HEADING.match(line) is not None
        block = "".join(self._block)
        ends = self._breaks_always or len(block) > LONGEST or _MAY_GO_ON.search(block) is None
        return runs + self._complete() if ends else runs

    def _complete(self) -> list[Run]:
        """The block that was held back."""
        block, self._block = "".join(self._block), []
        return block_runs(block) if block else []

    def _with_break(self, runs: list[Run], *, breaks: bool) -> list[Run]:
        before = [] if self._break is None else [Run(self._break, "\n" if breaks or self._breaks_always else " ")]
        self._break = None
        self._breaks_always = True
        return before + runs
