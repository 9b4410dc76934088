"""What may stand in an entry of `rooms`, and what each wrong value is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import RoomSettings, load_settings
from wyoming_kokoro.settings.kind import Choice
from wyoming_kokoro.settings.option import options_of
from wyoming_kokoro.settings.rooms import read_rooms

DATA = {"data_dir": "/data"}
KITCHEN = {
    "name": "kitchen",
    "speakers": [{"type": "mqtt_event"}],
    "quiet_hours": "22:00-06:30",
    "volume": 0.4,
    "chime": "bell",
}


def test_rooms_come_from_a_file_and_as_json_from_a_flag_or_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "options.yaml"
    file.write_text(yaml.safe_dump({"rooms": [KITCHEN]}), encoding="utf-8")
    (room,) = load_settings(DATA, {}, options_file=file).rooms
    assert (room.name, room.volume, room.quiet_hours, room.chime) == ("kitchen", 0.4, "22:00-06:30", "bell")
    assert [speaker.name for speaker in room.speakers] == ["mqtt_event"]
    named = load_settings({**DATA, "rooms": '[{"name": "attic"}]'}, {}).rooms
    assert named == load_settings(DATA, {"WYOMING_KOKORO_ROOMS": '[{"name": "attic"}]'}).rooms == (RoomSettings(name="attic"),)


@pytest.mark.parametrize(
    ("rooms", "complaint"),
    [
        ("kitchen", "rooms is the text 'kitchen', but must be a list such as"),
        (["kitchen"], "rooms[0] is the text 'kitchen', but must be a mapping"),
        ([{}], "rooms[0]: name is missing, but must be 1 to 32 of a-z"),
        ([{"name": "Kitchen"}], "rooms[0]: name is the text 'Kitchen', but must be 1 to 32 of a-z"),
        ([KITCHEN, KITCHEN], "rooms[1]: there is a room kitchen already"),
        ([{**KITCHEN, "colour": 1}], "rooms[0]: there is no option colour"),
        ([{**KITCHEN, "volume": 2}], "rooms[0]: volume is the number 2, but must be a number from 0 to 1"),
        ([{**KITCHEN, "quiet_hours": "22-6"}], "rooms[0]: quiet_hours is the text '22-6', but must be two times of day"),
        ([{**KITCHEN, "speakers": {}}], "rooms[0].speakers is a mapping"),
    ],
)
def test_a_wrong_room_is_told_where_and_what_would_be_right(rooms: Any, complaint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_rooms(rooms, "rooms")
    assert str(caught.value).startswith(complaint)


def test_the_chimes_are_those_that_there_are() -> None:
    (chime,) = (option for option in options_of(RoomSettings) if option.key == "chime")
    assert chime.kind == Choice(("none", *CHIMES))
