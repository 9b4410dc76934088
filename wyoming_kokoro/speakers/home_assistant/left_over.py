"""A playback that an earlier process began and that may go on: known from a note, so that it can be stopped all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.speakers.home_assistant.evidence import Evidence
    from wyoming_kokoro.speakers.remembered import Remembered

_UNKNOWN_LENGTH_SECONDS = 900.0


class LeftOver:
    """Of one entity."""

    def __init__(self, entity: str, remembered: Remembered, clock: Clock) -> None:
        self._key = f"playing {entity}"
        self._remembered = remembered
        self._clock = clock

    async def note(self, evidence: Evidence) -> None:
        """It begins now."""
        length = _UNKNOWN_LENGTH_SECONDS if evidence.duration_seconds is None else evidence.duration_seconds
        now_ms = self._clock.now_ms()
        note: dict[str, float | str] = {"began_ms": now_ms, "ends_ms": now_ms + 1000 * length}
        await self._remembered.put(self._key, note | ({"over": "something else"} if evidence.was_playing else {}))

    async def forget(self) -> None:
        """It has ended."""
        await self._remembered.forget(self._key)

    @property
    def heard_seconds(self) -> float | None:
        """How long it has been playing; None where nothing can be left."""
        note = self._remembered.get(self._key)
        now_ms = self._clock.now_ms()
        if note is None or now_ms >= float(note["ends_ms"]):
            return None
        return max(0.0, now_ms - float(note["began_ms"])) / 1000

    @property
    def is_over_music(self) -> bool:
        """Whether a stop would end what somebody was listening to."""
        return "over" in (self._remembered.get(self._key) or {})
