"""How much one client may ask of the Wyoming door, and how long it may take over it."""

from __future__ import annotations

from dataclasses import dataclass

from wyoming_kokoro.frontends.listener_limits import ListenerLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(ListenerLimits):
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
    parting_seconds: float = 2.0
    """How long a client is given to read the last words, and after a failed request to ask something else."""
    turned_away: int = 50
    """Clients beyond the allowed number that are told so at the same time; more are just disconnected."""
