"""What the door bears, apart from what an owner sets."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes and times."""

    unacked: int = 20
    """Messages that the broker may have under way to us: the others wait with it."""
    waiting: int = 500
    """Messages that may wait here; the broker can't hold back those that are sent without acknowledgement (QoS 0)."""
    payload_bytes: int = 1024 * 1024
    """Largest payload that is looked at; a larger one is refused."""
    packet_bytes: int = 16 * 1024 * 1024
    """Largest packet that the broker may send; it drops a larger one without a word."""
    session_seconds: int = 7 * 24 * 60 * 60
    """So long does the broker keep what is sent to us while we are away."""
    keepalive_seconds: int = 30
    """After one and a half of it without a word from us the broker says that we are offline."""
    connect_seconds: float = 10.0
    """So long may the broker take to answer."""
    parting_seconds: float = 2.0
    """So long may it take to say goodbye."""
    first_wait_seconds: float = 0.5
    """Before the second try to connect; doubled each time."""
    longest_wait_seconds: float = 30.0
    steady_seconds: float = 10.0
    """After a connection that has lasted so long the next try comes soon."""
    birth_jitter_seconds: float = 5.0
    """Home Assistant asks everybody at once: answers spread over this time."""
