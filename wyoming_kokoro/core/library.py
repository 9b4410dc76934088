"""Which casts are whole, so that asking for one again is a hit."""

from __future__ import annotations

from collections import OrderedDict

from wyoming_kokoro.core.reading import scan_cast
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.ports import Log

_REMEMBERED = 4096


class Library:
    """Looks casts up in the log, and remembers the whole ones."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._whole: OrderedDict[CastId, None] = OrderedDict()

    async def missing(self, recipe: Recipe) -> int | None:
        """First sentence that the cast of that recipe lacks; None where it is whole."""
        cast_id = recipe.cast_id
        if cast_id in self._whole:
            self._whole.move_to_end(cast_id)
            return None
        playback = await scan_cast(self._log, cast_id)
        if not playback.is_whole(recipe.model):
            return playback.next_of(recipe.model)
        self.add(cast_id)
        return None

    def add(self, cast_id: CastId) -> None:
        """It has become whole."""
        self._whole[cast_id] = None
        if len(self._whole) > _REMEMBERED:
            self._whole.popitem(last=False)

    def forget(self, cast_id: CastId) -> None:
        """It may not be whole any more."""
        self._whole.pop(cast_id, None)
