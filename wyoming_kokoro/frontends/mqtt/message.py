"""A message as it came from the broker."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What was published, and how."""

    topic: str
    payload: bytes
    mid: int = 0
    """What an acknowledgement names; 0 where none is wanted."""
    is_retained: bool = False
    """Whether it was published before we listened."""
    is_redelivered: bool = False
    """Whether the broker may have brought it before."""
    reply_to: str | None = None
    """Topic where the asker expects an answer."""
    correlation: bytes | None = None
    """What the answer has to carry, so that the asker knows it."""
    expires_in_seconds: float | None = None
    """What is left of the time that the sender gave it."""

    @property
    def wants_ack(self) -> bool:
        """Whether the broker keeps it until it is acknowledged (QoS 1)."""
        return self.mid > 0

    @property
    def digest(self) -> str:
        """Equal for what is equal in topic and payload."""
        return hashlib.sha256(self.topic.encode("utf-8", "surrogatepass") + b"\0" + self.payload).hexdigest()[:32]
