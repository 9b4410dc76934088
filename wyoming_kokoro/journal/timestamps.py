"""The time that records are stamped with: it does not go back when the clock does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock

DAY_MS = 24 * 60 * 60 * 1000


class Timestamps:
    """The later of the clock and the newest record; a record more than a day ahead of the clock does not count."""

    def __init__(self, clock: Clock, newest_ms: int = 0) -> None:
        """`newest_ms` is the newest timestamp that the journal holds, at most a day ahead of the clock."""
        self._clock = clock
        self._newest_ms = newest_ms

    def next_ms(self, stream_newest_ms: int) -> int:
        """Stamp for the next record of a stream, never below that of its newest record."""
        clock_ms = self._clock.now_ms()
        ahead_ms = self._newest_ms - clock_ms
        self._newest_ms = self._newest_ms if 0 < ahead_ms <= DAY_MS else clock_ms
        return max(self._newest_ms, stream_newest_ms)
