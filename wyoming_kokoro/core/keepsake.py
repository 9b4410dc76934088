"""What the house has set and would not want to set again, in one small file beside the journal.

A copy of a live journal is no backup: the file is in the midst of being changed, and nobody has use for last month's cursors
over this month's announcements. So a backup leaves the journal out and holds this instead: the settings of the rooms and the
words of the lexicon, without commands, announcements and cursors. A start that finds a journal without them brings them back.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.core.lexicon_entry import word_of
from wyoming_kokoro.core.whole_text import write_whole
from wyoming_kokoro.model.errors import BackupError, RefusedError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, JOBS, ROOM_NAME, room_control_stream
from wyoming_kokoro.model.room import RoomSetting, SettingName
from wyoming_kokoro.ports import Log, Won

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.core.lexicon import Lexicon
    from wyoming_kokoro.text.lexicon import Word

_LOGGER = logging.getLogger(__name__)

FILE_NAME = "backup.json"
_VERSION = 1
_MODE = 0o600


@dataclasses.dataclass(frozen=True, slots=True)
class Keepsake:
    """All of it."""

    rooms: Mapping[str, Sequence[RoomSetting]]
    """The last value of each setting that a room has, by the room's name; rooms that have none are missing."""
    words: Sequence[Word]

    def write(self, data_dir: Path) -> Path:
        """Keep it, whole or not at all; returns where. Raises `BackupError`."""
        rooms = {room: {setting.name: setting.value for setting in settings} for room, settings in self.rooms.items()}
        document = {"version": _VERSION, "rooms": rooms, "words": [dataclasses.asdict(word) for word in self.words]}
        path = data_dir / FILE_NAME
        try:
            write_whole(path, json.dumps(document, ensure_ascii=False, indent=1) + "\n", mode=_MODE)
        except OSError as error:
            raise BackupError(f"{path} can't be written: {error.strerror}") from error
        return path


def read_keepsake(data_dir: Path) -> Keepsake | None:
    """The one that is kept there; None where there is none. Raises `BackupError` for what nobody can make sense of."""
    path = data_dir / FILE_NAME
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["version"] != _VERSION:
            raise BackupError(f"{path} was made by another version of the program")
        rooms = {_room(room): _settings(values) for room, values in document["rooms"].items()}
        return Keepsake(rooms, [word_of(each) for each in document["words"]])
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BackupError(f"{path} can't be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError, RefusedError) as error:
        raise BackupError(f"{path} is no backup of this program: {error}") from error


async def bring_back(data_dir: Path, log: Log, lexicon: Lexicon) -> None:
    """Set again what a lost journal has lost. Done again it changes nothing; what was set since then stays.

    Raises `LogError`; a backup that can't be read is only a warning, since the house must speak.
    """
    try:
        keepsake = read_keepsake(data_dir)
    except BackupError as error:
        _LOGGER.warning("the backup is of no use: %s", error)
        return
    if keepsake is None:
        return
    # The words first: that the journal is new is seen by what the rooms get.
    await _bring_back_words(keepsake, log, lexicon)
    for room, settings in keepsake.rooms.items():
        await _bring_back_room(log, room, settings)


async def _bring_back_words(keepsake: Keepsake, log: Log, lexicon: Lexicon) -> None:
    """Only to a new house without any: elsewhere their owner may have removed the file."""
    if not keepsake.words or lexicon.is_kept or await log.check_tail(JOBS) or await log.check_tail(ANNOUNCEMENTS):
        return
    try:
        lexicon.put_all(keepsake.words)
    except RefusedError as error:
        _LOGGER.warning("the words of the backup can't be used: %s", error)
    else:
        _LOGGER.info("%d words are back from the backup", len(keepsake.words))


async def _bring_back_room(log: Log, room: str, settings: Sequence[RoomSetting]) -> None:
    """A room of which the backup knows settings has had some: where nothing was ever written, the journal is another one."""
    if not settings:
        return
    if isinstance(await log.claim(room_control_stream(room), settings), Won):
        _LOGGER.info("room %s: %s from the backup", room, ", ".join(setting.name for setting in settings))


def _room(name: str) -> str:
    if not ROOM_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a room")
    return name


def _settings(values: Mapping[str, Any]) -> list[RoomSetting]:  # Any: what JSON holds
    for value in values.values():
        if not isinstance(value, str | int | float | bool):
            raise TypeError(f"{value!r} is no setting")
    return [RoomSetting(name=SettingName(name), value=value) for name, value in values.items()]
