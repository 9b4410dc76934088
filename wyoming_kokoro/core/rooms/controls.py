"""What a room is told: its settings, of which the last value counts, and commands, each carried out once."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.rooms.preferences import Preferences
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.ids import room_control_stream
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.room import RoomCommand, RoomSetting
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)


async def load_settings(log: Log, clock: Clock, room: str, preferences: Preferences) -> None:
    """What was set in earlier runs. Waits for a journal that is away."""
    backoff = Backoff(clock)
    while True:
        try:
            async for sequenced in read_through(log, room_control_stream(room)):
                if isinstance(sequenced.record, RoomSetting):
                    preferences.apply(sequenced.record)
        except LogUnavailableError as error:
            _LOGGER.debug("room %s: its settings wait for the journal: %s", room, error)
            await backoff.wait()
        else:
            return


class Commanded(NamedTuple):
    """A command where it stands."""

    seq_num: SeqNum
    command: RoomCommand


class Controls:
    """Follows `rooms/<room>/control`."""

    def __init__(self, log: Log, room: str, preferences: Preferences, changed: Callable[[], None]) -> None:
        self._log = log
        self._stream = room_control_stream(room)
        self._preferences = preferences
        self._changed = changed
        self.commands: deque[Commanded] = deque()
        """Those that are to be carried out, in order."""
        self.tail: Cursor = 0
        """Next record to take in."""

    async def follow(self, start: Cursor) -> None:
        """Take in what comes from that place on; never returns."""
        async for sequenced in self._log.follow(self._stream, start):
            match sequenced.record:
                case RoomSetting() as setting:
                    self._preferences.apply(setting)
                case RoomCommand() as command:
                    self.commands.append(Commanded(sequenced.seq_num, command))
                case _:
                    pass
            self.tail = sequenced.seq_num + 1
            self._changed()

    @property
    def place(self) -> Cursor:
        """Every command below it was carried out."""
        return self.commands[0].seq_num if self.commands else self.tail
