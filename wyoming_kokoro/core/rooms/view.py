"""A room as the doors show it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class RoomState(StrEnum):
    """What a room does."""

    IDLE = "idle"
    SYNTHESIZING = "synthesizing"
    """The speech of the next announcement is still being made."""
    PLAYING = "playing"
    WAITING = "waiting"
    """What is next is tried again in a moment."""
    HELD = "held"
    """Quiet hours, or do-not-disturb, keep everything back that waits."""
    AWAY = "away"
    """Another server runs the room, or it has not begun yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NowPlaying:
    """What is heard."""

    announcement_id: str
    cast_id: str
    play_id: str
    position_seconds: float
    """How far it should have come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomView:
    """One room now."""

    room: str
    state: RoomState
    queue: tuple[str, ...]
    """Announcements that wait, first those that are to be heard first."""
    now_playing: NowPlaying | None
    speakers: tuple[str, ...]
    voice: str | None
    """None is the server's."""
    speed: float | None
    volume: float | None
    """None leaves the speakers as they are."""
    dnd: bool
    held_by: str
    """What keeps announcements back now; empty for nothing."""
    tail: int
    """Number that the next event of the room will get: a cursor for what comes from now on."""

    @property
    def glance(self) -> RoomView:
        """The same without what changes all the time."""
        playing = None if self.now_playing is None else replace(self.now_playing, position_seconds=0.0)
        return replace(self, now_playing=playing, tail=0)
