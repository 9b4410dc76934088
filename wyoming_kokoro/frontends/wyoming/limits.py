"""How much one client may ask of the Wyoming door, and how long it may take over it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one connection. The number of connections and the length of a text are settings."""

    line_bytes: int = 64 * 1024
    """Longest header line: clients put the text of a request behind it, in the data."""
    data_bytes: int = 1024 * 1024
    """Longest data of an event: the longest text that is accepted fits, even with most of its characters escaped."""
    payload_bytes: int = 64 * 1024
    """Longest payload: none is needed, and what comes is thrown away."""
    nesting: int = 32
    """Levels of JSON; a request needs three."""
    held_events: int = 1000
    """Events that may wait while an earlier request is being answered."""
    held_chars: int = 200_000
    """Characters that they may have together."""
    held_replies: int = 100
    """Replies that may wait for the end of an open frame."""
    mistakes: int = 20
    """Events that make no sense, before a client is given up: each is answered and logged."""
    event_seconds: float = 30.0
    """An event that was begun has to be complete by then."""
    idle_seconds: float = 600.0
    """A connection without any request is closed after so long."""
    write_seconds: float = 900.0
    """A listener that has not read a single byte for so long is gone. One that reads slowly gets everything."""
    parting_seconds: float = 2.0
    """How long a client is given to read the last words, and after a failed request to ask something else."""
    send_buffer_bytes: int = 256 * 1024
    """What the system holds for a listener that does not read: five seconds of speech."""
    pending_bytes: int = 16 * 1024
    """What this process holds for it."""
    turned_away: int = 50
    """Clients beyond the allowed number that are told so at the same time; more are just disconnected."""
