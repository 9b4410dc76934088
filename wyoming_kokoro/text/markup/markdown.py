"""The plain text of Markdown as language models write it, line by line.

Not spoken: marks of headings, quotes, bullets, task boxes, emphasis, strike-through and code; fences and their language; rules;
the lines under headings and table heads; the addresses of links and pictures; HTML tags and comments within a line. Spoken:
the text of all of these, the numbers of numbered lists, what a code block holds, the cells of a table with a comma between
them. A line break within a paragraph is a space, any other ends a sentence.

Not supported: reference links, footnotes, indented code, HTML blocks over several lines.
"""

from __future__ import annotations

import html
import re

from wyoming_kokoro.text.markup.runs import Run

_BLOCK = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?:#{1,6}(?=[ \t]|$)[ \t]*|(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?))?")
_STARTS_BLOCK = re.compile(r"[ \t]*(?:>|#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|```|~~~|\||$)")
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[^`]*")
_UNSPOKEN = re.compile(r"[ \t]*(?:(?:[-*_][ \t]*){3,}|=+[ \t]*|\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+)")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]|$)")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<ticks>`{1,3})(?!`)[^`\n]{1,300}(?<!`)(?P=ticks)(?!`))"
    r"|(?P<link>!?\[(?P<label>[^\[\]\n]{0,300})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,500}\))"
    r"|(?P<auto><(?P<address>(?:https?|mailto):[^<>\s]{1,300})>)"
    r"|(?P<tag></?[A-Za-z][^<>\n]{0,200}>|<!--[^\n]{0,300}?-->)"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});)"
    r"|(?P<emphasis>\*+|_+|~~+|`+)"
    r"|(?P<cell>[ \t]{0,8}\|[ \t]{0,8})"
)

_LONGEST_RULE = 1000


class Markdown:
    """`Markup` of a Markdown text; holds back the line that is not complete."""

    def __init__(self) -> None:
        self._line: list[str] = []
        self._fence = ""
        self._break: str | None = None
        """The line break whose meaning depends on the next line."""
        self._breaks_always = True
        """Whether that line break ends a sentence whatever comes."""

    @property
    def held(self) -> bool:
        """See `Markup`."""
        return bool(self._line)

    def feed(self, text: str) -> list[Run]:
        """See `Markup`."""
        *lines, rest = text.split("\n")
        runs = []
        for line in lines:
            runs += self._read("".join([*self._line, line]))
            self._break = "\n"
            self._line = []
        if rest:
            self._line.append(rest)
        return runs

    def finish(self) -> list[Run]:
        """See `Markup`."""
        runs = self._read("".join(self._line))
        self._line = []
        return runs

    def _read(self, line: str) -> list[Run]:
        fence = _FENCE.fullmatch(line)
        if fence is not None and (not self._fence or fence[1].startswith(self._fence)):
            self._fence = "" if self._fence else fence[1]
            return self._with_break([Run(line, "")], breaks=True)
        if self._fence:
            return self._with_break([Run(line, line)], breaks=True)
        if len(line) < _LONGEST_RULE and _UNSPOKEN.fullmatch(line):
            return self._with_break([Run(line, "")], breaks=True)
        breaks = _STARTS_BLOCK.match(line) is not None
        runs = self._with_break(_spoken_line(line), breaks=breaks)
        self._breaks_always = not line.strip() or _HEADING.match(line) is not None
        return runs

    def _with_break(self, runs: list[Run], *, breaks: bool) -> list[Run]:
        before = [] if self._break is None else [Run(self._break, "\n" if breaks or self._breaks_always else " ")]
        self._break = None
        self._breaks_always = True
        return before + runs


def _spoken_line(line: str) -> list[Run]:
    block = _BLOCK.match(line)
    done = block.end() if block is not None else 0
    runs = [Run(line[:done], "")] if done else []
    for found in _INLINE.finditer(line, done):
        plain = _plain(line, found)
        if plain == found[0]:
            continue
        runs += [Run(line[done : found.start()], line[done : found.start()]), Run(found[0], plain)]
        done = found.end()
    runs.append(Run(line[done:], line[done:]))
    return [run for run in runs if run.source]


def _plain(line: str, found: re.Match[str]) -> str:
    """What an inline mark is spoken as; itself where it is none."""
    match found.lastgroup:
        case "escape":
            return found[0][1:]
        case "code":
            return found[0].strip("`").strip()
        case "link":
            return _INLINE.sub(lambda inner: _plain(found["label"], inner), found["label"])
        case "auto":
            return found["address"]
        case "tag":
            return ""
        case "entity":
            return html.unescape(found[0])
        case "cell":
            return _cell(line, found)
        case _:
            return _emphasis(line, found)


def _cell(line: str, found: re.Match[str]) -> str:
    is_row = line.lstrip().startswith("|")
    is_edge = not line[: found.start()].strip() or not line[found.end() :].strip()
    if not is_row:
        return found[0]
    return "" if is_edge else ", "


def _emphasis(line: str, found: re.Match[str]) -> str:
    """Marks between spaces are meant; so is an underscore, or a single star between digits, inside a word."""
    before, after = line[found.start() - 1 : found.start()] or " ", line[found.end() : found.end() + 1] or " "
    inside = before.isalnum() and after.isalnum()
    if (before.isspace() and after.isspace()) or (inside and found[0].startswith("_")):
        return found[0]
    return found[0] if before.isdigit() and after.isdigit() and found[0] == "*" else ""
