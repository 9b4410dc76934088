"""Records as server-sent events: a cast's by the headers that the journal keeps, without sound; a room's as they are. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.room_document import event_document
from wyoming_kokoro.model.records import Alive, Audio, Eos, Expired, Fail, Meta, Start
from wyoming_kokoro.model.room import RoomEvent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.model.position import SeqNum
    from wyoming_kokoro.model.records import Record, Sequenced

TERMINAL = (Eos, Fail, Expired)
"""Records after which nothing more comes."""

_VERSION = 1


def event_of(sequenced: Sequenced) -> bytes | None:
    """The event that tells of a record; None for one that listeners have no use for."""
    found = _headers(sequenced.record)
    if found is None:
        return None
    name, headers = found
    present = {key: value for key, value in headers.items() if value is not None}
    return _event(sequenced.seq_num, name, {"v": _VERSION, **present})


def room_event_of(room: str, sequenced: Sequenced) -> bytes | None:
    """The event that tells of something in a room."""
    event = sequenced.record
    if not isinstance(event, RoomEvent):
        return None
    document = event_document(room, sequenced.seq_num, sequenced.timestamp_ms, event)
    return _event(sequenced.seq_num, event.event.value, document)


def _event(seq_num: SeqNum, name: str, document: Mapping[str, object]) -> bytes:
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return f"id: {seq_num}\nevent: {name}\ndata: {data}\n\n".encode("utf-8", "replace")


def _headers(record: Record) -> tuple[str, dict[str, str | int | None]] | None:
    """Event and headers, beside the reason of an end."""
    match record:
        case Meta():
            return "meta", {}
        case Start():
            return "start", {"a": record.attempt, "w": record.worker, "n": record.next_index}
        case Audio():
            return "audio", _audio(record)
        case Alive():
            return "alive", {"w": record.worker, "x": record.died_under}
        case Eos():
            return "eos", {"n": record.count, "reason": record.reason.value}
        case Fail():
            return "fail", {"j": record.jobs_tail, "reason": record.reason}
        case Expired():
            return "expired", {}
        case _:
            return None


def _audio(audio: Audio) -> dict[str, str | int | None]:
    return {
        "i": audio.index,
        "d": audio.duration_ms,
        "t": audio.text,
        "f": audio.body_format,
        "r": audio.rate,
        "a": audio.attempt,
        "w": audio.worker,
        "k": audio.key,
        "h": audio.checksum,
    }
