"""Which playbacks have been fetched from us to the last byte: evidence that something was heard."""

from __future__ import annotations

from collections import OrderedDict

_REMEMBERED = 1000


class Fetches:
    """Told by the door that serves the sound, asked by speakers."""

    def __init__(self) -> None:
        self._fetched: OrderedDict[str, None] = OrderedDict()

    def complete(self, play_id: str) -> None:
        """Somebody has the last byte of what that playback plays."""
        self._fetched[play_id] = None
        self._fetched.move_to_end(play_id)
        if len(self._fetched) > _REMEMBERED:
            self._fetched.popitem(last=False)

    def is_complete(self, play_id: str) -> bool:
        """Whether somebody has."""
        return play_id in self._fetched
