"""The options of the rooms: a list of mappings, each with a name and its speakers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.model.ids import ROOM_NAME
from wyoming_kokoro.settings.kind import Choice, Flag, Real, Text, Whole, describe_value
from wyoming_kokoro.settings.option import option, options_of, required
from wyoming_kokoro.settings.speakers import SpeakerSettings, read_speakers
from wyoming_kokoro.settings.table import check

VOICE = Text(r"\S(.{0,198}\S)?", "the name of a voice, an alias, or a blend such as af_heart(2)+af_bella(1)")
_NAME = Text(ROOM_NAME.pattern, "1 to 32 of a-z, 0-9, _ and -, beginning with a letter or a digit")
_HOURS = Text(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d", "two times of day such as 22:00-07:00")
_EXAMPLE = "[{name: kitchen, speakers: [{type: home_assistant, entity: media_player.kitchen}]}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSettings:
    """One room. `speakers` stands beside the options of this table."""

    name: str = required(_NAME, "What the room is called in topics, paths and receipts.")
    voice: str | None = option(None, VOICE, "Who speaks here; without it, the server's voice.")
    speed: float | None = option(
        None, Real(0.5, 2.0), "Pace here; without it, the server's.", unit="times the voice's own pace"
    )
    volume: float | None = option(
        None, Real(0.0, 1.0), "Volume while something is announced; without it, the speakers stay as they are."
    )
    night_volume: float | None = option(
        None, Real(0.0, 1.0), "Highest volume in the night hours; what is critical is not lowered."
    )
    night_hours: str = option("22:00-07:00", _HOURS, "When `night_volume` counts, in local time.")
    quiet_hours: str | None = option(
        None, _HOURS, "When nothing but what is critical is heard, in local time: the rest waits for their end."
    )
    chime: str = option("none", Choice(("none", "bell", "doorbell", "rising")), "What is heard before an announcement.")
    lead_ms: int = option(
        0, Whole(0, 10_000), "Silence before everything, for speakers that swallow the beginning.", unit="milliseconds"
    )
    progressive: bool = option(
        False, Flag(), "Whether the speakers begin while the speech is still being made; some can't play such a stream."
    )
    speakers: tuple[SpeakerSettings, ...] = ()


def read_rooms(value: object, place: str) -> tuple[RoomSettings, ...]:
    """The rooms that an options file has at `place`. Raises SettingsError, in one sentence."""
    if not isinstance(value, list):
        raise SettingsError(f"{place} is {describe_value(value)}, but must be a list such as {_EXAMPLE}")
    rooms = tuple(_room(each, f"{place}[{index}]") for index, each in enumerate(value))
    names = [room.name for room in rooms]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise SettingsError(f"{place}[{index}]: there is a room {name} already; each needs a name of its own")
    return rooms


def _room(value: object, place: str) -> RoomSettings:
    if not isinstance(value, Mapping):
        raise SettingsError(f"{place} is {describe_value(value)}, but must be a mapping with a name and speakers")
    values = check({key: each for key, each in value.items() if key != "speakers"}, _OPTIONS, place)
    if "name" not in values:
        raise SettingsError(f"{place}: name is missing, but must be {_NAME}")
    return RoomSettings(**values, speakers=read_speakers(value.get("speakers", []), f"{place}.speakers"))


_OPTIONS = {each.key: each for each in options_of(RoomSettings)}
