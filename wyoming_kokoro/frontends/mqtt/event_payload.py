"""What was refused, as the JSON of an event; and how often events of sentences are told. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.model.errors import RefusedError

_SHORTEST_GAP_MS = 500
"""Between two sentences that are told."""


def encode(document: Mapping[str, object]) -> bytes:
    """As it is sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def refusal(refused: RefusedError, *, topic: str, room: str | None, announcement_id: str | None, now_ms: int) -> bytes:
    """The event of a message that was not accepted."""
    fields = {
        "event": "failed",
        "id": announcement_id,
        "room": room,
        "field": refused.field,
        "reason": refused.message,
        "code": refused.code,
        "topic": topic,
        "at": datetime.fromtimestamp(now_ms / 1000, UTC).isoformat(timespec="milliseconds"),
    }
    return encode({name: value for name, value in fields.items() if value is not None})


@dataclass(slots=True)
class SentencePace:
    """Lets at most two a second through."""

    _last_ms: int = -_SHORTEST_GAP_MS

    def lets_through(self, at_ms: int) -> bool:
        """Whether one of that moment is told."""
        if at_ms - self._last_ms < _SHORTEST_GAP_MS:
            return False
        self._last_ms = at_ms
        return True
