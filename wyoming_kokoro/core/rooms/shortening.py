"""Shortens the streams of announcements and rooms: what has ended everywhere and is old goes, and of settings the last stay."""

from __future__ import annotations

from collections.abc import Iterable

from wyoming_kokoro.core.announcements.shelf import AnnouncementShelf
from wyoming_kokoro.core.reading import read_last, read_through
from wyoming_kokoro.core.trimming import trim_old
from wyoming_kokoro.model.errors import SeqNumMismatchError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, room_control_stream, room_place_stream, room_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import COMMANDS, Record, Trim
from wyoming_kokoro.model.room import RoomPlace, RoomSetting
from wyoming_kokoro.ports import Log

_WORTH_IT = 100
"""So many records of a room's control are rewritten as its few settings."""


class Shortening:
    """Of all rooms of a house."""

    def __init__(self, log: Log, shelf: AnnouncementShelf, rooms: Iterable[str]) -> None:
        self._log = log
        self._shelf = shelf
        self._rooms = tuple(rooms)

    async def run(self, old_ms: int) -> None:
        """Let go of what is older than that (Unix time), and below the committed place of every room. Raises `LogError`."""
        places = {room: await self._place(room) for room in self._rooms}
        limit = min([place.announcements for place in places.values()], default=0)
        if first := await trim_old(self._log, ANNOUNCEMENTS, old_ms, limit):
            self._shelf.forget_below(first)
        for room, place in places.items():
            await trim_old(self._log, room_stream(room), old_ms, place.events)
            await self._compact_control(room, place.control)

    async def _place(self, room: str) -> RoomPlace:
        found, _ = await read_last(self._log, room_place_stream(room), RoomPlace)
        return found or RoomPlace(announcements=0, events=0, control=0)

    async def _compact_control(self, room: str, below: Cursor) -> None:
        """Write the last value of each setting again, in one append with the trim of all that was carried out."""
        stream, tail, done = room_control_stream(room), 0, 0
        last: dict[str, Record] = {}
        async for sequenced in read_through(self._log, stream):
            tail = sequenced.seq_num + 1
            done += sequenced.seq_num < below and not isinstance(sequenced.record, COMMANDS)
            if isinstance(sequenced.record, RoomSetting):
                last[sequenced.record.name] = sequenced.record
        if done < _WORTH_IT:
            return
        try:
            await self._log.append(stream, [*last.values(), Trim(below)], match_seq_num=tail)
        except SeqNumMismatchError:
            # Something was told meanwhile: the next run does it.
            return
