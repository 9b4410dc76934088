"""What a message asks for, out of its payload; a wrong field is refused by name. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.announcement import read_announcement, read_id
from wyoming_kokoro.frontends.json_fields import parse_object, read_name, read_number, read_whole, refuse_unknown
from wyoming_kokoro.frontends.mqtt.topics import OPERATIONS, SETTINGS
from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from wyoming_kokoro.frontends.mqtt.message import Message
    from wyoming_kokoro.model.announcement import AnnouncementRequest

_WHOLE = "payload"
"""How a refusal calls all that was sent."""
_SWITCH = {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}
_NOTHING = {"", "null", "none"}
_PLAIN_COMMANDS = ("stop", "skip", "replay", "clear")
_MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class Order:
    """What a room is told to do."""

    action: str
    """`stop`, `skip`, `replay`, `clear` or `played`."""
    play_id: str = ""
    """Of `played` alone."""


def read_say(message: Message, room: str | None, source: str) -> AnnouncementRequest:
    """The announcement in a message to a room, or to many (None): plain text, or a JSON object. Raises `RefusedError`."""
    if message.payload.lstrip()[:1] == b"{":
        document = parse_object(message.payload, _WHOLE)
    else:
        document = {"text": _text(message.payload)}
    if room is not None:
        for field in ("rooms", "exclude"):
            if document.get(field) is not None:
                raise RefusedError(field, "this topic is one room's; broadcast/say takes it")
    asked = read_announcement(document, source)
    asked = replace(asked, digest=message.digest, is_redelivered=message.is_redelivered)
    if room is not None:
        asked = replace(asked, rooms=(room,))
    if asked.expires_in_seconds is None and asked.sent_at_ms is None:
        asked = replace(asked, expires_in_seconds=message.expires_in_seconds)
    return asked


def named_id(payload: bytes) -> str | None:
    """The asker's own name for an announcement that is refused, as far as it can be made out."""
    try:
        return read_id(parse_object(payload).get("id"))
    except RefusedError:
        return None


def read_setting(name: str, payload: bytes) -> str | float | bool | None:
    """The value for a setting; None is the room's own again. Raises `RefusedError`."""
    if name not in SETTINGS:
        raise RefusedError("setting", f"{name[:60]!r} is none; there are {', '.join(SETTINGS)}")
    text = _text(payload).strip()
    if text.lower() in _NOTHING:
        return None
    if name == "voice":
        return read_name(name, text)
    if name == "dnd":
        if text.lower() not in _SWITCH:
            raise RefusedError(name, "on or off is expected")
        return _SWITCH[text.lower()]
    low, high = (0.5, 2.0) if name == "speed" else (0.0, 1.0)
    return read_number(name, _number(text), low, high)


def read_order(payload: bytes) -> Order:
    """The command to a room. Raises `RefusedError`."""
    words = _text(payload).split()
    if len(words) == 1 and words[0] in _PLAIN_COMMANDS:
        return Order(words[0])
    if len(words) == 2 and words[0] == "played":
        return Order("played", read_name("play_id", words[1]) or "")
    raise RefusedError("cmd", f"one of {', '.join(_PLAIN_COMMANDS)}, or played with a play_id, is expected")


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of the list is wanted."""

    limit: int
    before: str | None


def read_page(payload: bytes) -> Page:
    """What `request/list` says; without a payload it is the newest ones. Raises `RefusedError`."""
    document = parse_object(payload, _WHOLE) if payload.strip() else {}
    refuse_unknown(document, ("limit", "before"))
    return Page(read_whole("limit", document.get("limit"), 1, _MOST_LISTED) or 50, read_name("before", document.get("before")))


def read_wanted_id(payload: bytes) -> str:
    """Which announcement a request is about: `{"id": ...}`, or the id alone. Raises `RefusedError`."""
    if payload.lstrip()[:1] == b"{":
        document = parse_object(payload, _WHOLE)
        refuse_unknown(document, ("id",))
        wanted = read_id(document.get("id"))
    else:
        wanted = read_id(_text(payload).strip())
    if wanted is None:
        raise RefusedError("id", "it is missing; the id of an announcement is expected")
    return wanted


def refuse_operation(operation: str) -> RefusedError:
    """What is said to a question that nobody understands."""
    return RefusedError("operation", f"{operation[:60]!r} is none; there are {', '.join(OPERATIONS)}")


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise RefusedError(_WHOLE, "it is not UTF-8") from None


def _number(text: str) -> object:
    """The number in a text; the text itself, which is refused, where there is none."""
    try:
        number: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(number, bool) else number
