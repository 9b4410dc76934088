"""The room's book: what happens is written down first, then it counts for the room's place."""

from __future__ import annotations

from wyoming_kokoro.core.rooms.ledger import RoomLedger
from wyoming_kokoro.core.rooms.places import Places
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.model.room import RoomEvent


class Book:
    """Of one room."""

    def __init__(self, ledger: RoomLedger, places: Places, told: Signal) -> None:
        self._ledger = ledger
        self._places = places
        self._told = told

    async def tell(self, *events: RoomEvent) -> None:
        """Return once they are durable. Raises `RoomLostError`."""
        for event in events:
            self._places.begin(event.order)
        await self._ledger.write(*events)
        self._places.events = self._ledger.tail
        for event in events:
            if event.event.is_final:
                self._places.end(event.order)
        if events:
            self._told.notify()
