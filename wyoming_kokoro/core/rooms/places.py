"""How far a room has come, kept so that a restart begins to read there. It only saves reading: nothing is lost without it."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.reading import read_last
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.model.errors import LogError, LogUnavailableError, SeqNumMismatchError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, room_control_stream, room_place_stream, room_stream
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.records import Trim
from wyoming_kokoro.model.room import RoomPlace
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)

_COMMIT_SECONDS = 1.0


class Places:
    """The cursor of one room."""

    def __init__(self, log: Log, clock: Clock, room: str) -> None:
        self._log = log
        self._clock = clock
        self._room = room
        self._stream = room_place_stream(room)
        self._committed = RoomPlace(announcements=0, events=0, control=0)
        self._tail: Cursor | None = None
        self._open: dict[SeqNum, SeqNum] = {}
        """Announcements that have not ended here, with the first event of each."""
        self.announcements: Cursor = 0
        """Next record of `announcements` to take in."""
        self.events: Cursor = 0
        """Number that the next event will get."""
        self.control: Cursor = 0
        """Next command to carry out."""

    async def load(self) -> RoomPlace:
        """Where to begin; what lies above its stream counts as the stream's beginning. Waits for a journal that is away."""
        backoff = Backoff(self._clock)
        while True:
            try:
                place = await self._load()
            except LogUnavailableError:
                await backoff.wait()
                continue
            self.announcements, self.control = place.announcements, place.control
            self._committed = place
            return place

    def begin(self, order: SeqNum) -> None:
        """That announcement is to be played here; its first event comes now, or came before."""
        self._open[order] = min(self._open.get(order, self.events), self.events)

    def began(self, order: SeqNum, first_event: SeqNum) -> None:
        """Its first event stands there already."""
        self._open[order] = first_event

    def end(self, order: SeqNum) -> None:
        """It has ended here."""
        self._open.pop(order, None)

    @property
    def place(self) -> RoomPlace:
        """What could be committed now."""
        return RoomPlace(
            announcements=min([*self._open, self.announcements]),
            events=min([*self._open.values(), self.events]),
            control=self.control,
        )

    async def commit_forever(self) -> None:
        """Commit what has moved, now and then; never returns."""
        while True:
            await self._clock.sleep(_COMMIT_SECONDS)
            try:
                await self.commit()
            except LogError as error:
                _LOGGER.debug("room %s: its place is not committed yet: %s", self._room, error)
                self._tail = None

    async def commit(self) -> None:
        """Commit if it has moved. Raises `LogError`."""
        place = self.place
        if place == self._committed:
            return
        if self._tail is None:
            self._tail = await self._log.check_tail(self._stream)
        try:
            ack = await self._log.append(self._stream, [place, Trim(self._tail)], match_seq_num=self._tail)
        except SeqNumMismatchError:
            self._tail = None
        else:
            self._tail, self._committed = ack.tail, place

    async def _load(self) -> RoomPlace:
        found, self._tail = await read_last(self._log, self._stream, RoomPlace)
        if found is None:
            return RoomPlace(announcements=0, events=0, control=0)
        tails = [
            await self._log.check_tail(stream)
            for stream in (ANNOUNCEMENTS, room_stream(self._room), room_control_stream(self._room))
        ]
        if found.announcements > tails[0] or found.events > tails[1] or found.control > tails[2]:
            _LOGGER.warning("room %s: its place %s lies above the log; reading from the beginning", self._room, found)
            return RoomPlace(announcements=0, events=0, control=0)
        return found
