"""Times of day between which something counts. Pure: it is handed the time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

_MINUTES_A_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Hours:
    """From one time of day to another, over midnight where the second is the earlier one. Equal ones are the whole day."""

    begin: int
    """Minutes since midnight."""
    end: int
    zone: tzinfo | None = None
    """None is the machine's."""

    @classmethod
    def parse(cls, text: str, zone: tzinfo | None = None) -> Hours:
        """What `22:00-07:00` means; a ValueError for anything else."""
        begin, end = text.split("-")
        return cls(_minutes(begin), _minutes(end), zone)

    def seconds_left(self, now_ms: int) -> float | None:
        """How long they last from now on; None where they have not begun."""
        minute, rest_seconds = self._place(now_ms)
        length = (self.end - self.begin) % _MINUTES_A_DAY or _MINUTES_A_DAY
        passed = (minute - self.begin) % _MINUTES_A_DAY
        return (length - passed) * 60 - rest_seconds if passed < length else None

    def seconds_to_begin(self, now_ms: int) -> float:
        """How long until they begin next."""
        minute, rest_seconds = self._place(now_ms)
        return ((self.begin - minute) % _MINUTES_A_DAY or _MINUTES_A_DAY) * 60 - rest_seconds

    def _place(self, now_ms: int) -> tuple[int, float]:
        """Minute of the day, and the seconds of it that have passed."""
        now = datetime.fromtimestamp(now_ms / 1000, self.zone)
        since = timedelta(hours=now.hour, minutes=now.minute, seconds=now.second, microseconds=now.microsecond)
        minute = int(since.total_seconds() // 60)
        return minute, since.total_seconds() - 60 * minute


def _minutes(text: str) -> int:
    hour, minute = text.split(":")
    return 60 * int(hour) + int(minute)
