"""What is set in the rooms, out of the file of a journal, whether a server has it open or not. It blocks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from wyoming_kokoro.journal.sqlite import queries
from wyoming_kokoro.journal.sqlite.failures import translate
from wyoming_kokoro.journal.sqlite.schema import FILE_NAME, connect
from wyoming_kokoro.model.errors import JournalError
from wyoming_kokoro.model.ids import room_control_stream
from wyoming_kokoro.model.room import RoomSetting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wyoming_kokoro.model.records import Sequenced

_PAGE = 1000
_BEFORE, _BEHIND = room_control_stream("\0").split("\0")


def read_room_settings(data_dir: Path) -> dict[str, list[RoomSetting]]:
    """The settings that count in each room that has any, all as they were at one moment.

    Raises `JournalError` where there is no journal, or where it can't be read.
    """
    path = data_dir / FILE_NAME
    if not path.exists():
        raise JournalError(f"there is no journal in {data_dir}")
    try:
        with closing(connect(path, mode="ro")) as connection:
            connection.execute("BEGIN")  # what is read from here on is one state of the file, whoever writes meanwhile
            found = {room: _last_values(connection, room) for room in _rooms(connection)}
    except sqlite3.Error as error:
        raise JournalError(str(translate(error))) from error
    return {room: settings for room, settings in found.items() if settings}


def _rooms(connection: sqlite3.Connection) -> list[str]:
    names, start_after = [], ""
    while page := queries.names(connection, _BEFORE, start_after, _PAGE):
        names += [name.removeprefix(_BEFORE).removesuffix(_BEHIND) for name in page if name.endswith(_BEHIND)]
        start_after = page[-1]
    return names


def _last_values(connection: sqlite3.Connection, room: str) -> list[RoomSetting]:
    last = {}
    for sequenced in _records(connection, room_control_stream(room)):
        if isinstance(setting := sequenced.record, RoomSetting):
            last[setting.name] = setting
    return [setting for setting in last.values() if setting.value is not None]


def _records(connection: sqlite3.Connection, stream: str) -> Iterator[Sequenced]:
    start = 0
    while page := queries.read(connection, stream, start, _PAGE):
        yield from page
        start = page[-1].seq_num + 1
