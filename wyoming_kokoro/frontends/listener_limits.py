"""What a door spends on a listener that reads slowly, or not at all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ListenerLimits:
    """Bounds of one connection that takes sound."""

    write_seconds: float = 900.0
    """A listener that has not read a single byte for so long is gone. One that reads slowly gets everything."""
    send_buffer_bytes: int = 256 * 1024
    """What the system holds for a listener that does not read: five seconds of speech."""
    pending_bytes: int = 16 * 1024
    """What this process holds for it."""
