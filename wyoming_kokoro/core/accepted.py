"""What a door gets for a request that was accepted."""

from __future__ import annotations

from dataclasses import dataclass

from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum


@dataclass(frozen=True, slots=True)
class Accepted:
    """The request is durable, or was answered before."""

    cast_id: CastId
    is_hit: bool
    is_new: bool = False
    """Whether this request was the first ever to ask for the cast."""
    job: SeqNum | None = None
