"""How long a sentence may take before something must be wrong."""

from __future__ import annotations

FACTOR = 10.0
_WEIGHT = 0.2


class TimeLimit:
    """Learns from the sentences that were spoken how long one takes for each of its characters."""

    def __init__(self, least_seconds: float) -> None:
        """No limit is below `least_seconds`."""
        self._least = least_seconds
        self._per_character: float | None = None

    def learn(self, spoken: str, gen_seconds: float) -> None:
        """That sentence took so long."""
        seconds = gen_seconds / max(1, len(spoken))
        known = self._per_character
        self._per_character = seconds if known is None else known + _WEIGHT * (seconds - known)

    def predict(self, spoken: str) -> float:
        """Seconds that the sentence is thought to take; 0.0 before anything was learnt."""
        return (self._per_character or 0.0) * len(spoken)

    def limit(self, spoken: str) -> float:
        """Seconds that it may take: ten times what is predicted, and the least at any rate."""
        return max(self._least, FACTOR * self.predict(spoken))
