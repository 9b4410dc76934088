"""A subset of SSML, read by the standard library's XML parser.

The text must be one `<speak>` element. Within it

| element | what it does |
|---|---|
| `p`, `s` | end a paragraph, a sentence |
| `break` | a pause of `time` (at most 10 s), or of `strength` |
| `say-as` | its text is said as `interpret-as` tells: see `interpreting` |
| `sub` | `alias` is said instead |
| `phoneme` | `ph`, in IPA, is said instead |
| `prosody` | `rate` is kept: a name, a per cent or a factor; pitch and volume are not |
| `emphasis` | its words are stressed, in English |
| `voice` | another voice, by `name` |
| `lang` | another language, by `xml:lang`; so is it on `speak`, `p` and `s` |

Not spoken: comments, processing instructions, `metadata`, `desc`. Every other element, `mark` among them, has no effect: what
is in it is spoken. Line breaks are white space.

Refused: a document type or entity of its own, nesting deeper than 32, anything that is not well-formed; with line and column.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from wyoming_kokoro.model.errors import RefusedError
from wyoming_kokoro.text.markup.controls import LONGEST_BREAK_MS, Break, Said, Say, Style, without_controls
from wyoming_kokoro.text.markup.runs import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.text.markup.controls import Controls

_DEEPEST = 32
_SILENT = frozenset({"metadata", "desc"})
_EDGES = {"p": "\n\n", "s": "\u2028"}
_STRENGTHS_MS = {"none": 0, "x-weak": 100, "weak": 200, "medium": 400, "strong": 700, "x-strong": 1000}
_TIME = re.compile(r"\+?(\d+(?:\.\d*)?|\.\d+)(ms|s)")
_RATES = {"x-slow": 0.5, "slow": 0.75, "medium": 1.0, "default": 1.0, "fast": 1.25, "x-fast": 1.5}
_RATE = re.compile(r"(?P<sign>[+-]?)(?P<number>\d{1,4}(?:\.\d{1,4})?)(?P<percent>%?)")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")
_LONGEST_ATTRIBUTE = 1000
_SPACE = re.compile(r"\s")


class Ssml:
    """`Markup` of an SSML text. It can be read only as a whole: all runs come from `finish`."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
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
        return _Reader(self._controls).read(text) if text.strip() else [Run(text, "")]


class _Event(NamedTuple):
    """From here in the source (a byte) comes this plain text."""

    start: int
    plain: str


class _Reader:
    """One run of the parser."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._styles = [Style()]
        """One for each element that is open, the outermost first."""
        self._said_from = 0
        """How many elements were open when one began whose words are said otherwise; 0 where none is."""
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
        self._add(_EDGES.get(name, "") + self._pause(name, attributes) + self._restyled(name, attributes))
        self._add(self._said(name, attributes))
        if not self._silent_from and (name in _SILENT or _is_replaced(name, attributes)):
            self._silent_from = len(self._open)

    def _pause(self, name: str, attributes: Mapping[str, str]) -> str:
        length_ms = _length_ms(attributes) if name == "break" else 0
        return self._controls.character(Break(length_ms)) if length_ms else ""

    def _restyled(self, name: str, attributes: Mapping[str, str]) -> str:
        """The control of the element's own style, where that is another."""
        outer = self._styles[-1]
        style = _style(name, attributes, outer)
        self._styles.append(style)
        return "" if style == outer else self._controls.character(style)

    def _said(self, name: str, attributes: Mapping[str, str]) -> str:
        """What an element whose words are said otherwise begins with."""
        if _is_replaced(name, attributes):
            return without_controls(attributes["alias"])
        say = None if self._said_from else _say(name, attributes)
        if say is None:
            return ""
        self._said_from = len(self._open)
        return self._controls.character(say)

    def _on_end(self, _: str) -> None:
        if self._silent_from == len(self._open):
            self._silent_from = 0
        if self._said_from == len(self._open):
            self._said_from = 0
            self._add(self._controls.character(Said()))
        inner = self._styles.pop()
        name = self._open.pop()
        style = self._styles[-1]
        self._add(_EDGES.get(name, "") + ("" if inner == style else self._controls.character(style)))

    def _on_text(self, text: str) -> None:
        self._add(_SPACE.sub(" ", without_controls(text)))

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


def _length_ms(attributes: Mapping[str, str]) -> int:
    length = _TIME.fullmatch(attributes.get("time", "").strip())
    if length is not None and len(length[1]) < 10:
        return min(LONGEST_BREAK_MS, round(float(length[1]) * (1 if length[2] == "ms" else 1000)))
    return _STRENGTHS_MS.get(attributes.get("strength", "medium"), _STRENGTHS_MS["medium"])


def _style(name: str, attributes: Mapping[str, str], outer: Style) -> Style:
    """The style within an element; attributes that say nothing understandable change nothing."""
    language = attributes.get("http://www.w3.org/XML/1998/namespace:lang") or attributes.get("xml:lang", "")
    style = replace(outer, language=language) if _LANGUAGE.fullmatch(language) else outer
    if name == "voice" and attributes.get("name"):
        return replace(style, voice=attributes["name"][:_LONGEST_ATTRIBUTE])
    if name == "prosody":
        return replace(style, rate=round(style.rate * _rate(attributes.get("rate", "")), 2))
    return style


def _rate(written: str) -> float:
    known = _RATES.get(written.strip().lower())
    found = _RATE.fullmatch(written.strip())
    if known is not None or found is None:
        return 1.0 if known is None else known
    value = float(found["number"]) / (100 if found["percent"] else 1)
    if found["sign"] and found["percent"]:
        value = 1 - value if found["sign"] == "-" else 1 + value
    return min(2.0, max(0.5, value))


def _say(name: str, attributes: Mapping[str, str]) -> Say | None:
    ways = {
        "say-as": (attributes.get("interpret-as", ""), attributes.get("format", "")),
        "phoneme": ("ipa" if attributes.get("alphabet", "ipa").lower() == "ipa" else "", attributes.get("ph", "")),
        "emphasis": ("emphasis" if attributes.get("level") not in {"none", "reduced"} else "", ""),
    }
    way, detail = ways.get(name, ("", ""))
    return Say(way.lower()[:_LONGEST_ATTRIBUTE], without_controls(detail)[:_LONGEST_ATTRIBUTE]) if way else None


def _runs(source: bytes, events: list[_Event]) -> list[Run]:
    """A run from each event to the next; what stands before the first has no plain text."""
    starts = [event.start for event in events]
    runs = [Run(source[: starts[0]].decode(), "")] if starts and starts[0] else []
    for event, end in zip(events, [*starts[1:], len(source)], strict=True):
        runs.append(Run(source[event.start : end].decode(), event.plain))
    return runs
