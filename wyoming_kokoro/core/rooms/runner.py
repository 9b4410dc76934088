"""Keeps one room running: whatever goes wrong in it is told in the log, and the room goes on from what is written down."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.rooms.director import Director
from wyoming_kokoro.core.rooms.ledger import RoomLostError
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.signal import Signal

_LOGGER = logging.getLogger(__name__)


class RoomRunner:
    """Of one room."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.told = Signal()
        """Notified when what can be seen of the room may have changed."""
        self.director: Director | None = None
        """None before it has begun, and where another server runs the room."""

    async def work(self) -> None:
        """Run the room; ends where another server has taken it over."""
        backoff = Backoff(self.stage.shop.clock)
        while True:
            self.director = Director(self.stage, self.told)
            try:
                await self.director.run()
            except RoomLostError as error:
                _LOGGER.warning("room %s is run by another server now: %s", self.stage.room, error)
                self.director = None
                return
            except Exception:  # a fault in one room must not end the others
                _LOGGER.exception("room %s: begun again", self.stage.room)
                await backoff.wait()
