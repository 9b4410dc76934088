"""The speaker that plays nothing itself: whoever reads the room's `started` event fetches the sound and plays it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.announcement import Played, PlayOutcome
from wyoming_kokoro.speakers.waiting import within

if TYPE_CHECKING:
    from wyoming_kokoro.core.played_reports import PlayedReports
    from wyoming_kokoro.model.announcement import Play, Stopped
    from wyoming_kokoro.ports import Clock

_LOOK_SECONDS = 0.5
"""How often it is looked whether the sound has been fetched."""
_TOLERANCE_SECONDS = 1.0
"""Said to have been played so much too early, it counts as played."""
_LATE_SECONDS = 1.0
"""Players need a moment to begin, and reports one to arrive."""
_FETCH_SECONDS = 10.0
"""So long may an automation take to fetch something short."""
_UNKNOWN_LENGTH_SECONDS = 900.0
"""A sound whose length is not known yet is waited for so long."""


class MqttEventSpeaker:
    """Waits for the report that it was played, or a little longer than its duration. It can't stop what others play."""

    outlives_us = True

    def __init__(self, name: str, clock: Clock, reports: PlayedReports) -> None:
        self.name = name
        self._clock = clock
        self._reports = reports

    async def start(self) -> None:
        """There is nothing to reach for."""

    async def play(self, play: Play) -> Played:
        """Confirmed by a report, assumed where the sound was fetched, failed where nobody fetched it."""
        began = self._clock.monotonic()
        with self._reports.expect(play.play_id) as reported:
            while not reported.is_set():
                elapsed, length = self._clock.monotonic() - began, play.known_duration_seconds
                if play.is_fetched() and length is not None and elapsed >= length + _LATE_SECONDS:
                    return Played(PlayOutcome.ASSUMED)
                left = _LATE_SECONDS + max(_FETCH_SECONDS, _UNKNOWN_LENGTH_SECONDS if length is None else length) - elapsed
                if left <= 0:
                    return _at_last(play)
                await within(self._clock, min(_LOOK_SECONDS, left), reported.wait())
        early = (play.known_duration_seconds or 0.0) - _TOLERANCE_SECONDS - (self._clock.monotonic() - began)
        if early <= 0:
            return Played(PlayOutcome.CONFIRMED)
        await self._clock.sleep(early + _TOLERANCE_SECONDS)
        return Played(PlayOutcome.ASSUMED, f"it was said to have been played {early + _TOLERANCE_SECONDS:.1f} s too early")

    async def stop(self) -> Stopped | None:
        """Never possible."""
        return None

    async def close(self) -> None:
        """There is nothing to let go of."""


def _at_last(play: Play) -> Played:
    if play.is_fetched():
        return Played(PlayOutcome.ASSUMED)
    if play.known_duration_seconds is None:
        return Played(PlayOutcome.UNKNOWN, "nobody said that it was played, and the sound was not fetched to its end")
    return Played(PlayOutcome.FAILED, "nobody fetched the sound: no automation played it")
