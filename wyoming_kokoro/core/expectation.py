"""That a room waits for a cast: when it is due there, and whether all of it has to be there by then. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Expectation:
    """Of one room."""

    due_at: float
    """When its playback is to start, on the scheduler's clock: when those before it in the room end."""
    whole_seconds: float | None = None
    """How long all of it is, as far as can be guessed, where the room's speakers fetch it whole; None where they begin with
    its first sentence."""
    pace: float = 1.0
    """Seconds of sound that a second of making gives."""

    def lead(self, ready_seconds: float, now: float) -> float:
        """Seconds to spare: of sound that is ready before it is due, or of time until what is left has to be begun."""
        if self.whole_seconds is None:
            return ready_seconds - (now - self.due_at)
        return self.due_at - now - self._rest_seconds(ready_seconds)

    def put_off(self, lead: float, ready_seconds: float, now: float) -> None:
        """The room waits: from now on its lead is that."""
        self.due_at += lead - self.lead(ready_seconds, now)

    def _rest_seconds(self, ready_seconds: float) -> float:
        return max((self.whole_seconds or 0.0) - ready_seconds, 0.0) / self.pace
