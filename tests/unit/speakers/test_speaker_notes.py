"""What speakers owe survives the process; what is broken on the disk does not stop it. States of entities as they come."""

from __future__ import annotations

from pathlib import Path

import pytest

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import HomeAssistantSettings
from wyoming_kokoro.speakers.home_assistant.access import find_access
from wyoming_kokoro.speakers.home_assistant.entity_state import EntityState, apply_event
from wyoming_kokoro.speakers.remembered import Remembered


async def test_a_note_is_there_in_the_next_process_until_it_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "data" / "speakers.json"
    notes = Remembered(path)
    await notes.put("volume media_player.a", {"before": 0.2, "ours": 0.6})
    again = Remembered(path)
    assert again.get("volume media_player.a") == {"before": 0.2, "ours": 0.6}
    await again.forget("volume media_player.a")
    assert Remembered(path).get("volume media_player.a") is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', "\0"])
async def test_notes_that_can_not_be_read_begin_anew(tmp_path: Path, text: str) -> None:
    path = tmp_path / "speakers.json"
    path.write_text(text)
    notes = Remembered(path)
    assert notes.get("a") is None
    await notes.put("b", {"before": 1.0})
    assert Remembered(path).get("b") == {"before": 1.0}


async def test_notes_that_can_not_be_written_are_kept_in_memory(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    notes = Remembered(tmp_path / "file" / "speakers.json")
    await notes.put("a", {"before": 1.0})
    assert notes.get("a") == {"before": 1.0}
    assert "can't be written" in caplog.text


def test_states_follow_the_compressed_messages() -> None:
    states: dict[str, EntityState] = {}
    assert apply_event(states, {"a": {"media_player.a": {"s": "idle", "a": {"volume_level": 1, "source": "tv"}}}}) == [
        "media_player.a"
    ]
    apply_event(states, {"c": {"media_player.a": {"+": {"s": "playing", "a": {"volume_level": 0.5}}, "-": {"a": ["source"]}}}})
    assert states["media_player.a"] == EntityState("playing", {"volume_level": 0.5})
    apply_event(states, {"c": {"media_player.a": {"+": {"lu": 5.0}}}})
    assert states["media_player.a"].is_playing
    assert apply_event(states, {"r": ["media_player.a"]}) == ["media_player.a"]
    assert states == {}


def test_the_owners_address_goes_before_the_supervisors() -> None:
    own = HomeAssistantSettings(url="https://home.example:8123/", token="t" * 20)
    assert find_access(own, {"SUPERVISOR_TOKEN": "s"}).url == "wss://home.example:8123/api/websocket"
    supervised = find_access(HomeAssistantSettings(), {"SUPERVISOR_TOKEN": "s"})
    assert (supervised.url, supervised.token) == ("ws://supervisor/core/websocket", "s")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (HomeAssistantSettings(), "home_assistant_url is missing"),
        (HomeAssistantSettings(url="http://h:8123"), "home_assistant_token is missing"),
    ],
)
def test_a_missing_address_or_token_is_asked_for_by_its_option(settings: HomeAssistantSettings, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        find_access(settings, {})
