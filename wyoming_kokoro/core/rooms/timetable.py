"""When each cast that a room waits for is due there: when those before it have ended."""

from __future__ import annotations

from collections.abc import Iterable

from wyoming_kokoro.core.expectation import Expectation
from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.model.ids import CastId

_SECONDS_A_CHARACTER = 0.065
"""What a voice takes at its own pace."""
_USUAL_PACE = 2.0
"""Seconds of sound a second, before anything was made."""
_WORTH_TELLING_SECONDS = 0.5
"""A change of less makes no difference."""


class Timetable:
    """Of one room."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._dues: dict[CastId, float] = {}

    def tell(self, waiting: Iterable[Entry], seconds_left: float) -> None:
        """Say when each of those is due that wait for their cast or others, in their order; what is heard now takes
        `seconds_left` more."""
        due_at, dues, known = self._stage.now + seconds_left, {}, {}
        for entry in waiting:
            cast_id, seconds = entry.announcement.cast_id, _guess_seconds(entry)
            if cast_id not in dues:
                dues[cast_id], known[cast_id] = due_at, seconds
            due_at += seconds
        for cast_id, at in dues.items():
            if cast_id not in self._dues or abs(self._dues[cast_id] - at) >= _WORTH_TELLING_SECONDS:
                self._dues[cast_id] = at
                self._stage.expect(cast_id, self._stage.room, self._expectation(at, known[cast_id]))
        for cast_id in self._dues.keys() - dues.keys():
            self._forget(cast_id)

    def close(self) -> None:
        """The room waits for nothing any more."""
        for cast_id in list(self._dues):
            self._forget(cast_id)

    def _expectation(self, due_at: float, seconds: float) -> Expectation:
        is_progressive = self._stage.preferences.options.progressive
        pace = self._stage.shop.metrics.realtime_factor or _USUAL_PACE
        return Expectation(due_at=due_at, whole_seconds=None if is_progressive else seconds, pace=pace)

    def _forget(self, cast_id: CastId) -> None:
        del self._dues[cast_id]
        self._stage.expect(cast_id, self._stage.room, None)


def _guess_seconds(entry: Entry) -> float:
    recipe = entry.announcement.recipe
    return len(recipe.text) * _SECONDS_A_CHARACTER / recipe.speed
