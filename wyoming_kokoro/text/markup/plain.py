"""Plain text: spoken as it stands, but for two things that are never meant to be heard.

- tags of HTML or SSML, such as `<b>`, `</b>`, `<br/>` and `<a href="...">`: a known name, or any name with attributes; those of
  paragraphs, list items and the like are line breaks;
- pause tokens of other speech servers, such as `[pause=1]` and `[pause:0.5s]`: they are pauses of that length.

`x < y`, `<3` and `[1]` stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.text.markup.controls import LONGEST_BREAK_MS, Break
from wyoming_kokoro.text.markup.runs import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.text.markup.controls import Controls

_NAMES = (
    "a|abbr|amazon:[a-z]+|article|aside|audio|b|big|blockquote|body|br|break|button|center|cite|code|dd|del|details|div|dl|dt|em"
    "|emphasis|figure|font|footer|h[1-6]|head|header|hr|html|i|img|ins|kbd|lang|li|link|main|mark|meta|nav|ol|p|phoneme|pre"
    "|prosody|q|s|samp|say-as|script|section|small|span|speak|strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead"
    "|title|tr|tt|u|ul|var|video|voice|w"
)
_ATTRIBUTES = r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'))"
_TAG = re.compile(rf"</?(?:(?:{_NAMES}){_ATTRIBUTES}*|[A-Za-z][\w:.-]*{_ATTRIBUTES}+)\s*/?>", re.IGNORECASE)
_PAUSE = re.compile(r"\[(?:pause|break)(?:\s*[:= ]\s*[\d.]+\s*(?:ms|s|sec|seconds?)?)?\]", re.IGNORECASE)
_BREAKING = re.compile(r"</?(?:p|br|div|li|h[1-6]|tr|hr|ul|ol|table|blockquote)\b", re.IGNORECASE)
_OPENING = re.compile(r"[<\[]")
_PROMISING = {"<": re.compile(r"</?[A-Za-z]"), "[": re.compile(r"\[[pPbB]")}
_CLOSING = {"<": re.compile(r"[>\n]"), "[": re.compile(r"[\]\n]")}
_LENGTH = re.compile(r"(?P<number>\d+(?:\.\d*)?|\.\d+)\s*(?P<unit>ms|s)?", re.IGNORECASE)
_PAUSE_MS = 500
_LONGEST = 200


class Plain:
    """`Markup` of a plain text; holds back at most the beginning of what may be a tag."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._held = ""

    @property
    def held(self) -> bool:
        """See `Markup`."""
        return bool(self._held)

    def feed(self, text: str) -> list[Run]:
        """See `Markup`."""
        text = self._held + text
        runs, end = self._read(text, final=False)
        self._held = text[end:]
        return runs

    def finish(self) -> list[Run]:
        """See `Markup`."""
        runs, _ = self._read(self._held, final=True)
        self._held = ""
        return runs

    def _read(self, text: str, *, final: bool) -> tuple[list[Run], int]:
        """The runs that are certain, and where the uncertain rest begins."""
        runs: list[Run] = []
        done = 0
        for start, token in _tokens(text, final=final):
            if start > done:
                runs.append(Run(text[done:start], text[done:start]))
            if token is None:
                return runs, start
            runs.append(Run(token, self._plain(token)))
            done = start + len(token)
        if done < len(text):
            runs.append(Run(text[done:], text[done:]))
        return runs, len(text)

    def _plain(self, token: str) -> str:
        if token[0] == "[":
            return self._controls.character(Break(_length_ms(token)))
        return "\n" if _BREAKING.match(token) else ""


def _length_ms(token: str) -> int:
    found = _LENGTH.search(token)
    if found is None:
        return _PAUSE_MS
    unit_ms = 1 if found["unit"] == "ms" else 1000
    return min(LONGEST_BREAK_MS, round(float(found["number"]) * unit_ms))


def _tokens(text: str, *, final: bool) -> Iterator[tuple[int, str | None]]:
    """Each tag or pause and where it stands; None, as the last, for a beginning that is not certain yet."""
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = opening.end()
        kind = opening[0]
        if not _PROMISING[kind].match(text, opening.start()):
            if not final and len(text) - opening.start() < len("</x"):
                yield opening.start(), None
                return
            continue
        closing = _CLOSING[kind].search(text, position, position + _LONGEST)
        if closing is None and not final and len(text) - position < _LONGEST:
            yield opening.start(), None
            return
        if closing is None or closing[0] == "\n":
            continue
        found = (_TAG if kind == "<" else _PAUSE).match(text, opening.start(), closing.end())
        if found is not None:
            yield opening.start(), found[0]
            position = found.end()
