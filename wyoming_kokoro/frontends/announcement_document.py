"""An announcement with its receipts as JSON, the same at every door. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.core.announcements.view import AnnouncementView, RoomReceipt
    from wyoming_kokoro.model.room import SpeakerResult


def announcement_document(view: AnnouncementView) -> dict[str, object]:
    """All of it."""
    return {
        "id": view.announcement_id,
        "cast": view.cast_id,
        "text": view.text,
        "voice": view.voice,
        "language": view.language,
        "priority": view.priority.label,
        "source": view.source,
        "topic": view.topic,
        "replay_of": view.replay_of,
        "accepted_ms": view.accepted_ms,
        "expires_ms": view.expires_ms,
        "is_over": view.is_over,
        "rooms": {room: _receipt_document(receipt) for room, receipt in view.rooms.items()},
    }


def results_document(results: Iterable[SpeakerResult]) -> list[dict[str, object]]:
    """What each speaker made of it."""
    return [
        {
            "speaker": result.speaker,
            "outcome": result.outcome,
            "reason": result.reason or None,
            "position_seconds": result.position_seconds,
        }
        for result in results
    ]


def _receipt_document(receipt: RoomReceipt) -> dict[str, object]:
    return {
        "event": receipt.event,
        "is_final": receipt.is_final,
        "at_ms": receipt.at_ms,
        "seq_num": receipt.seq_num,
        "reason": receipt.reason or None,
        "field": receipt.field or None,
        "position_seconds": receipt.position_seconds,
        "speakers": results_document(receipt.speakers),
    }
