"""What the Supervisor writes into the app's options file, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import Settings, load_settings
from wyoming_kokoro.settings.speakers import HomeAssistantSpeaker, MqttEventSpeaker
from wyoming_kokoro.settings.supervised import Supervised, find_supervisor


def loaded(folder: Path, options: object, **environment: str) -> Settings:
    path = folder / "options.json"
    path.write_text(json.dumps(options), encoding="utf-8")
    return load_settings({}, environment, options_file=path, in_app=True)


def test_what_was_emptied_on_the_page_counts_as_not_said(tmp_path: Path) -> None:
    options = {"voice": "", "mqtt_url": None, "home_assistant_url": "  ", "rooms": [], "instance": "attic"}
    assert loaded(tmp_path, options) == Settings(data_dir=Path("/data"), instance="attic")


def test_it_holds_inside_of_rooms_too(tmp_path: Path) -> None:
    room = {"name": "hall", "speakers": ["media_player.hall", "", None, "mqtt_event"], "voice": "", "quiet_hours": None}
    (found,) = loaded(tmp_path, {"rooms": [room, None]}).rooms
    assert (found.name, found.voice, found.quiet_hours) == ("hall", None, None)
    assert found.speakers == (HomeAssistantSpeaker(entity="media_player.hall"), MqttEventSpeaker())


def test_a_number_that_was_chosen_from_a_list_is_a_number(tmp_path: Path) -> None:
    assert loaded(tmp_path, {"wyoming_rate": "48000"}).wyoming.rate == 48_000


def test_what_is_wrong_is_refused_as_everywhere(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="wyoming_rate is the number 44101, but must be one of"):
        loaded(tmp_path, {"wyoming_rate": "44101"})
    with pytest.raises(SettingsError, match=r"rooms\[0\].speakers\[0\] is the text 'sonos', but must be such as"):
        loaded(tmp_path, {"rooms": [{"name": "hall", "speakers": ["sonos"]}]})


def test_the_environment_still_goes_before_the_file(tmp_path: Path) -> None:
    settings = loaded(tmp_path, {"voice": "af_bella"}, WYOMING_KOKORO_VOICE="af_sky", WYOMING_KOKORO_DATA_DIR="/elsewhere")
    assert (settings.engine.voice, settings.data_dir) == ("af_sky", Path("/elsewhere"))


def test_the_supervisor_is_found_by_its_token() -> None:
    assert find_supervisor({}) is None
    assert find_supervisor({"SUPERVISOR_TOKEN": ""}) is None
    assert find_supervisor({"SUPERVISOR_TOKEN": "t"}) == Supervised("http://supervisor", "t")
    moved = {"SUPERVISOR_TOKEN": "t", "WYOMING_KOKORO_SUPERVISOR_URL": "http://127.0.0.1:80/"}
    assert find_supervisor(moved) == Supervised("http://127.0.0.1:80", "t")
    assert load_settings({}, {**moved, "XDG_DATA_HOME": "/srv"}).data_dir == Path("/srv/wyoming-kokoro")
