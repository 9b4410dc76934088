"""A room, and what happens in it, as JSON, the same at every door. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.announcement_document import results_document
from wyoming_kokoro.model.ids import room_stream

if TYPE_CHECKING:
    from wyoming_kokoro.core.rooms.view import NowPlaying, RoomView
    from wyoming_kokoro.model.position import SeqNum
    from wyoming_kokoro.model.room import RoomEvent


def room_document(view: RoomView) -> dict[str, object]:
    """The room as it is now."""
    return {
        "room": view.room,
        "state": view.state,
        "held_by": view.held_by or None,
        "queue_length": len(view.queue),
        "queue": list(view.queue),
        "now_playing": None if view.now_playing is None else _now_playing_document(view.now_playing),
        "speakers": list(view.speakers),
        "settings": {"voice": view.voice, "speed": view.speed, "volume": view.volume, "dnd": view.dnd},
        "tail": view.tail,
    }


def event_document(room: str, seq_num: SeqNum, timestamp_ms: int, event: RoomEvent) -> dict[str, object]:
    """One thing that happened; what does not apply is left out."""
    document: dict[str, object] = {
        "event": event.event.value,
        "id": event.announcement_id,
        "room": room,
        "cast": event.cast_id,
        "stream": room_stream(room),
        "seq_num": seq_num,
        "at": datetime.fromtimestamp(timestamp_ms / 1000, UTC).isoformat(timespec="milliseconds"),
        "index": event.index,
        "position_seconds": event.position_seconds,
        "duration_seconds": event.duration_seconds,
        "reason": event.reason or None,
        "field": event.field or None,
        "play_id": event.play_id or None,
        "urls": dict(event.urls) or None,
        "speakers": results_document(event.speakers) or None,
    }
    return {name: value for name, value in document.items() if value is not None}


def _now_playing_document(playing: NowPlaying) -> dict[str, object]:
    return {
        "id": playing.announcement_id,
        "cast": playing.cast_id,
        "play_id": playing.play_id,
        "position_seconds": playing.position_seconds,
    }
