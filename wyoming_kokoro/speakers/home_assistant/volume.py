"""The volume of a player for the time of an announcement: set, and given back, after a crash of ours too."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.speakers.home_assistant.answer import Away, Done, Lost
from wyoming_kokoro.speakers.home_assistant.service_call import Feature, volume_set

if TYPE_CHECKING:
    from wyoming_kokoro.speakers.home_assistant.connection import HomeAssistant
    from wyoming_kokoro.speakers.remembered import Owed, Remembered

_LOGGER = logging.getLogger(__name__)

_SAME = 0.02
"""Devices round volumes."""


class Volume:
    """Of one entity. What it was before is on the disk before it is changed."""

    def __init__(self, entity: str, home: HomeAssistant, remembered: Remembered) -> None:
        self._entity = entity
        self._home = home
        self._remembered = remembered
        self._key = f"volume {entity}"

    @property
    def is_owed(self) -> bool:
        """Whether it is to be given back."""
        return self._owed is not None

    @property
    def _owed(self) -> Owed | None:
        return self._remembered.get(self._key)

    async def set(self, level: float) -> str:
        """Set it for a while; returns why not, or nothing."""
        state = self._home.state(self._entity)
        if state is None or not state.can(Feature.VOLUME_SET):
            return "its volume can't be set"
        before = self._before(state.volume)
        if before is None:
            _LOGGER.info("%s does not say its volume, so it keeps the announcement's", self._entity)
        elif _is_same(before, level) and _is_same(state.volume, level):
            return ""
        else:
            await self._remembered.put(self._key, {"before": before, "ours": level})
        answer = await self._home.call(volume_set(self._entity, level))
        if isinstance(answer, Done):
            return ""
        if not isinstance(answer, Lost):
            await self._remembered.forget(self._key)
        return f"its volume was not set: {answer.reason}"

    async def restore(self) -> None:
        """Give it back, unless somebody has changed it meanwhile. Without a connection it stays owed."""
        owed, state = self._owed, self._home.state(self._entity)
        if owed is None or state is None:
            return
        before, ours = float(owed["before"]), float(owed["ours"])
        if state.volume is None or _is_same(state.volume, ours) or _is_same(state.volume, before):
            answer = await self._home.call(volume_set(self._entity, before))
            if isinstance(answer, Away | Lost):
                return
            if not isinstance(answer, Done):
                _LOGGER.warning("%s keeps the announcement's volume: %s", self._entity, answer.reason)
        await self._remembered.forget(self._key)

    def _before(self, volume: float | None) -> float | None:
        """What it is without us: where the last one is still owed, that."""
        owed = self._owed
        if owed is not None and (volume is None or _is_same(volume, float(owed["ours"]))):
            return float(owed["before"])
        return volume


def _is_same(one: float | None, other: float) -> bool:
    return one is not None and abs(one - other) < _SAME
