"""Server-sent events out of the lines that they come in. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Event:
    """A record of a cast, as a watcher is told of it."""

    seq_num: int
    name: str
    """The kind of the record: `audio`, `eos` ..."""
    data: dict[str, Any]  # Any: JSON


def events(lines: Iterable[bytes]) -> Iterator[Event]:
    """The events that are complete, as soon as they are; comments and unknown fields are passed over.

    Raises `ServerError` for what is no event of ours.
    """
    fields: dict[str, str] = {}
    for raw in lines:
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        if not line:
            if "event" in fields:
                yield _event(fields)
            fields = {}
            continue
        name, _, value = line.partition(":")
        if name:
            fields[name] = value.removeprefix(" ")


def _event(fields: dict[str, str]) -> Event:
    try:
        data = json.loads(fields["data"])
        seq_num = int(fields["id"])
    except (KeyError, ValueError) as error:
        raise ServerError(f"the server tells of an event {fields['event']!r} that can't be read") from error
    if not isinstance(data, dict):
        raise ServerError(f"the server tells of an event {fields['event']!r} that can't be read")
    return Event(seq_num, fields["event"], data)
