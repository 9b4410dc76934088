"""A cast's records as server-sent events: the headers that the journal keeps, and no sound. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.model.records import Alive, Audio, Eos, Expired, Fail, Meta, Start

if TYPE_CHECKING:
    from wyoming_kokoro.model.records import Record, Sequenced

KEEPALIVE = b": still here\n\n"
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
    data = json.dumps({"v": _VERSION, **present}, ensure_ascii=False, separators=(",", ":"))
    return f"id: {sequenced.seq_num}\nevent: {name}\ndata: {data}\n\n".encode("utf-8", "replace")


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
