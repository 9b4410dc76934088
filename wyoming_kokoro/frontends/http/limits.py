"""How much one client may ask of the HTTP door, and how long it may take over it."""

from __future__ import annotations

from dataclasses import dataclass

from wyoming_kokoro.frontends.listener_limits import ListenerLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(ListenerLimits):
    """Bounds of one connection. The number of connections and the size of a body are settings."""

    line_bytes: int = 8 * 1024
    """Longest request line, and longest header."""
    headers: int = 100
    """Headers of one request."""
    head_seconds: float = 30.0
    """A connection without a complete request is closed after so long, whether it is new, idle or dripping."""
    body_seconds: float = 30.0
    """A body has to be complete by then."""
    linger_seconds: float = 2.0
    """How long the rest of a refused body is taken from the wire, so that the refusal can be read."""
    first_bytes_seconds: float = 5.0
    """After so long the answer begins even if there is no sound yet: players give up on a server that says nothing."""
    keepalive_seconds: float = 5.0
    """An event stream in which nothing happens shows so often that it is there."""
    first_event_seconds: float = 0.2
    """After so long an event stream begins even if nothing has happened yet."""
    ready_seconds: float = 0.5
    """How long a question about readiness waits for the engine."""
    slice_bytes: int = 16 * 1024
    """Sound is handed to a connection in pieces of this size at most: with `pending_bytes`, what a listener costs us."""
    memory_bytes: int = 4 * 1024 * 1024
    """Served sound of one cast that is held in memory; what is more is put into a temporary file."""
    page_casts: int = 200
    """Casts of one page of the list."""
