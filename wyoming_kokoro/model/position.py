"""Places in a stream, in S2's terms."""

from __future__ import annotations

from dataclasses import dataclass

SeqNum = int
"""Number of a record in its stream: dense, from 0, command records included."""

Cursor = int
"""Number of the next record to read (half-open)."""


@dataclass(frozen=True, slots=True)
class Ack:
    """Where an append landed, once it is durable."""

    start: SeqNum
    """Number of its first record."""
    tail: SeqNum
    """Number that the next record of the stream will get."""
