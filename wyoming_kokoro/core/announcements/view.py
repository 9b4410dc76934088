"""An announcement as the doors show it."""

from __future__ import annotations

from dataclasses import dataclass

from wyoming_kokoro.core.rooms.past import Past
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.room import RoomEventKind, SpeakerResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomReceipt:
    """What has become of it in one room."""

    event: RoomEventKind | None
    """None where the room has not met it yet."""
    is_final: bool
    at_ms: int | None
    """Unix time of the last event."""
    seq_num: SeqNum | None
    """Place of the last event in the room's stream."""
    reason: str
    field: str
    position_seconds: float | None
    speakers: tuple[SpeakerResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementView:
    """One announcement, with its receipts."""

    announcement_id: str
    cast_id: CastId
    text: str
    """The original."""
    voice: str
    language: str
    priority: Priority
    source: str
    topic: str | None
    replay_of: str | None
    accepted_ms: int
    expires_ms: int
    rooms: dict[str, RoomReceipt]

    @property
    def is_over(self) -> bool:
        """Whether it has ended in every room."""
        return all(receipt.is_final for receipt in self.rooms.values())


def receipt_of(past: Past | None) -> RoomReceipt:
    """As the events of the room tell it."""
    if past is None or past.event is None:
        return RoomReceipt(
            event=None, is_final=False, at_ms=None, seq_num=None, reason="", field="", position_seconds=None, speakers=()
        )
    return RoomReceipt(
        event=past.event,
        is_final=past.is_over,
        at_ms=past.at_ms,
        seq_num=past.last_event,
        reason=past.reason,
        field=past.wrong_field,
        position_seconds=past.position_seconds,
        speakers=tuple(past.results.values()),
    )
