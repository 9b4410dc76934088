"""Word from outside that a playback has ended, for speakers that can't know it themselves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator


class PlayedReports:
    """Brings a report to the speaker that waits for it, by the id of the playback."""

    def __init__(self) -> None:
        self._expected: dict[str, asyncio.Event] = {}

    def report(self, play_id: str) -> bool:
        """Somebody says that this playback has ended; False where nobody waits for it."""
        event = self._expected.get(play_id)
        if event is None:
            return False
        event.set()
        return True

    @contextlib.contextmanager
    def expect(self, play_id: str) -> Iterator[asyncio.Event]:
        """An event that is set by the first report within this block."""
        event = self._expected.setdefault(play_id, asyncio.Event())
        try:
            yield event
        finally:
            self._expected.pop(play_id, None)
