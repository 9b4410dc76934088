"""A subset of SSML, read by the standard library's XML parser.

The text must be one `<speak>` element. Spoken: the text of all elements, `alias` for `<sub>`. Not spoken: comments, processing
instructions, `<metadata>`, `<desc>`. The edges of `<p>` and `<s>` end a sentence; a `<break>` pauses as a comma does, one that
is `strong`, `x-strong` or lasts a second or more as the end of a sentence, `none` not at all. Line breaks are white space.
Every other element has no effect on its text: volume, rate, phonemes and exact pauses are not supported yet.

Refused: a document type or entity of its own, nesting deeper than 32, anything that is not well-formed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.text.markup.runs import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEEPEST = 32
_SILENT = frozenset({"metadata", "desc"})
_SENTENCE_EDGES = frozenset({"p", "s"})
_LONG_STRENGTHS = frozenset({"strong", "x-strong"})
_SECONDS = re.compile(r"\+?(\d+(?:\.\d*)?|\.\d+)(ms|s)")
_SPACE = re.compile(r"\s")


class Ssml:
    """`Markup` of an SSML text. It can be read only as a whole: all runs come from `finish`."""

    def __init__(self) -> None:
        self._text: list[str] = []

    @property
    def held(self) -> bool:
        """See `Markup`."""
        return bool(self._text)

    def feed(self, text: str) -> list[Run]:
        """See `Markup`."""
        self._text.append(text)
        return []

    def finish(self) -> list[Run]:
        """See `Markup`."""
        text = "".join(self._text)
        self._text = []
        return _Reader().read(text) if text.strip() else [Run(text, "")]


class _Event(NamedTuple):
    """From here in the source (a byte) comes this plain text."""

    start: int
    plain: str


class _Reader:
    """One run of the parser."""

    def __init__(self) -> None:
        self._events: list[_Event] = []
        self._open: list[str] = []
        self._silent_from = 0
        """How many elements were open when one began whose text is not spoken; 0 where none is."""
        self._parser = expat.ParserCreate(encoding="UTF-8")
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.CommentHandler = self._on_nothing
        self._parser.ProcessingInstructionHandler = self._on_nothing

    def read(self, text: str) -> list[Run]:
        """The runs of a whole text."""
        try:
            source = text.encode()
            self._parser.Parse(source, True)
        except UnicodeEncodeError as error:
            raise RefusedError("text", "it holds half of a surrogate pair, which is no character") from error
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            raise self._refused(f"not well-formed SSML: {reason}", error.lineno, error.offset) from error
        return _runs(source, self._events)

    def _on_start(self, name: str, attributes: Mapping[str, str]) -> None:
        name = name.rpartition(":")[2]
        if not self._open and name != "speak":
            raise self._refused_here(f"the outermost element of SSML is <speak>, not <{name[:40]}>")
        self._open.append(name)
        if len(self._open) > _DEEPEST:
            raise self._refused_here(f"elements are nested deeper than {_DEEPEST}")
        self._add(self._plain_at_start(name, attributes))
        if not self._silent_from and (name in _SILENT or _is_replaced(name, attributes)):
            self._silent_from = len(self._open)

    def _plain_at_start(self, name: str, attributes: Mapping[str, str]) -> str:
        if name in _SENTENCE_EDGES:
            return "\n"
        if name == "break":
            return _pause(attributes)
        return attributes["alias"] if _is_replaced(name, attributes) else ""

    def _on_end(self, _: str) -> None:
        if self._silent_from == len(self._open):
            self._silent_from = 0
        self._add("\n" if self._open.pop() in _SENTENCE_EDGES else "")

    def _on_text(self, text: str) -> None:
        self._add(_SPACE.sub(" ", text))

    def _on_nothing(self, *_: str) -> None:
        self._add("")

    def _on_doctype(self, *_: object) -> None:
        raise self._refused_here("a document type (<!DOCTYPE>) is not allowed in SSML")

    def _add(self, plain: str) -> None:
        self._events.append(_Event(self._parser.CurrentByteIndex, "" if self._silent_from else plain))

    def _refused_here(self, message: str) -> RefusedError:
        return self._refused(message, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber)

    @staticmethod
    def _refused(message: str, line: int, column: int) -> RefusedError:
        return RefusedError("text", f"{message}; line {line}, column {column + 1}")


def _is_replaced(name: str, attributes: Mapping[str, str]) -> bool:
    return name == "sub" and "alias" in attributes


def _pause(attributes: Mapping[str, str]) -> str:
    strength = attributes.get("strength", "")
    length = _SECONDS.fullmatch(attributes.get("time", "").strip())
    seconds = float(length[1]) / (1000 if length[2] == "ms" else 1) if length is not None else None
    if seconds == 0 or (seconds is None and strength == "none"):
        return ""
    if strength in _LONG_STRENGTHS or (seconds is not None and seconds >= 1):
        return "\n"
    return ", "


def _runs(source: bytes, events: list[_Event]) -> list[Run]:
    """A run from each event to the next; what stands before the first has no plain text."""
    starts = [event.start for event in events]
    runs = [Run(source[: starts[0]].decode(), "")] if starts and starts[0] else []
    for event, end in zip(events, [*starts[1:], len(source)], strict=True):
        runs.append(Run(source[event.start : end].decode(), event.plain))
    return runs
