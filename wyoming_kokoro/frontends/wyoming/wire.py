"""Bytes to Wyoming events and back, within limits. Pure: knows no socket and no clock.

An event is a line of JSON, followed by `data_length` bytes of JSON and `payload_length` bytes of anything.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from wyoming import version
from wyoming.event import Event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.frontends.wyoming.limits import Limits


@dataclass(frozen=True, slots=True)
class Malformed:
    """Something came that is no event."""

    code: str
    text: str
    """Readable, and without anything that the peer sent."""
    fatal: bool
    """Whether it is unknown where the next event begins."""


@dataclass(slots=True)
class _Head:
    """A header line as it was read, and what is wrong with its content, if anything."""

    content: dict[str, object]
    data_bytes: int
    payload_bytes: int
    fault: Malformed | None = None


class _ContentError(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class EventDecoder:
    """Takes bytes as they come and gives the events in them; never holds more than one event."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buffer = bytearray()
        self._searched = 0
        self._head: _Head | None = None
        self._payload_left: int | None = None
        self._broken = False

    @property
    def in_event(self) -> bool:
        """Whether an event was begun that is not complete."""
        return bool(self._buffer) or self._head is not None

    def receive(self, data: bytes) -> Iterator[Event | Malformed]:
        """The events that are complete with these bytes. After a fatal `Malformed` all further bytes are thrown away.

        Has to be consumed to its end before the next call.
        """
        if self._broken:
            return
        self._buffer += data
        while (found := self._next()) is not None:
            if isinstance(found, Malformed) and found.fatal:
                self._broken = True
                self._buffer.clear()
                self._head = None
                yield found
                return
            yield found

    def end(self) -> Malformed | None:
        """No more bytes come: what was left incomplete."""
        if self._broken or not self.in_event:
            return None
        return Malformed("truncated_event", "the connection ended in the middle of an event", fatal=True)

    def _next(self) -> Event | Malformed | None:
        if self._head is None:
            line = self._take_line()
            if line is None or isinstance(line, Malformed):
                return line
            head = self._read_head(line)
            if isinstance(head, Malformed):
                return head
            self._head = head
        return self._finish(self._head)

    def _take_line(self) -> bytes | Malformed | None:
        end = self._buffer.find(b"\n", self._searched)
        if max(end, 0) > self._limits.line_bytes or (end < 0 and len(self._buffer) > self._limits.line_bytes):
            return Malformed("line_too_long", f"a header line has at most {self._limits.line_bytes} bytes", fatal=True)
        if end < 0:
            self._searched = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    def _read_head(self, line: bytes) -> _Head | Malformed:
        try:
            content = _parse(line, self._limits.nesting)
        except _ContentError as error:
            return Malformed(error.code, f"header line: {error.text}", fatal=True)
        if not isinstance(content, dict):
            text = f"an event is a JSON object, not {_kind(content)}"
            return _Head({}, 0, 0, Malformed("not_an_object", text, fatal=False))
        lengths = []
        for name, limit in (("data_length", self._limits.data_bytes), ("payload_length", self._limits.payload_bytes)):
            length = _length(content, name, limit)
            if isinstance(length, Malformed):
                return length
            lengths.append(length)
        return _Head(content, lengths[0], lengths[1], _fault(content))

    def _finish(self, head: _Head) -> Event | Malformed | None:
        """The event, once its data has come and its payload has gone by."""
        if self._payload_left is None:
            if len(self._buffer) < head.data_bytes:
                return None
            self._take_data(head)
            self._payload_left = head.payload_bytes
        skipped = min(self._payload_left, len(self._buffer))
        del self._buffer[:skipped]
        self._payload_left -= skipped
        if self._payload_left:
            return None
        self._head = self._payload_left = None
        if head.fault is not None:
            return head.fault
        data = head.content.get("data")
        return Event(type=str(head.content["type"]), data=data if isinstance(data, dict) else {})

    def _take_data(self, head: _Head) -> None:
        raw = bytes(self._buffer[: head.data_bytes])
        del self._buffer[: head.data_bytes]
        if not raw or head.fault is not None:
            return
        try:
            data = _parse(raw, self._limits.nesting)
        except _ContentError as error:
            head.fault = Malformed(error.code, f"data: {error.text}", fatal=False)
            return
        if data is None:
            return
        if not isinstance(data, dict):
            head.fault = Malformed("not_an_object", f"data is a JSON object, not {_kind(data)}", fatal=False)
            return
        inline = head.content.get("data")
        head.content["data"] = {**inline, **data} if isinstance(inline, dict) else data


def _fault(content: dict[str, object]) -> Malformed | None:
    name = content.get("type")
    if not isinstance(name, str) or not name:
        return Malformed("missing_type", "an event needs a type, a string", fatal=False)
    data = content.get("data")
    if data is not None and not isinstance(data, dict):
        return Malformed("not_an_object", f"data is a JSON object, not {_kind(data)}", fatal=False)
    return None


def _length(content: dict[str, object], name: str, limit: int) -> int | Malformed:
    length = content.get(name)
    if length is None:
        return 0
    if not isinstance(length, int) or isinstance(length, bool) or length < 0:
        return Malformed("wrong_length", f"{name} is a number of bytes, 0 or more", fatal=True)
    if length > limit:
        return Malformed("event_too_long", f"{name} is at most {limit}", fatal=True)
    return length


def _parse(raw: bytes, nesting: int) -> object:
    try:
        value: object = json.loads(raw.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise _ContentError("not_utf8", "it is not UTF-8") from None
    except RecursionError:
        raise _ContentError("nested_too_deep", f"it is nested more than {nesting} levels deep") from None
    except ValueError:
        raise _ContentError("not_json", "it is not JSON") from None
    if _is_deeper(value, nesting):
        raise _ContentError("nested_too_deep", f"it is nested more than {nesting} levels deep")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _is_deeper(value: object, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        inner: list[object] = []
        for item in layer:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return False
        layer = inner
    return any(isinstance(item, dict | list) for item in layer)


def _kind(value: object) -> str:
    kinds = {type(None): "null", bool: "a boolean", str: "a string", list: "a list"}
    return kinds.get(type(value), "a number")


def encode_event(event: Event) -> bytes:
    """The bytes of an event, in the form that the `wyoming` library writes. Lone surrogates become question marks."""
    payload = event.payload or b""
    return encode_head(event, len(payload)) + payload


def encode_head(event: Event, payload_bytes: int) -> bytes:
    """The bytes of an event up to its payload, which has to follow."""
    data = json.dumps(event.data, ensure_ascii=False).encode("utf-8", "replace") if event.data else b""
    head: dict[str, object] = {"type": event.type, "version": version.__version__}
    if data:
        head["data_length"] = len(data)
    if payload_bytes:
        head["payload_length"] = payload_bytes
    return json.dumps(head, ensure_ascii=False).encode("utf-8", "replace") + b"\n" + data
