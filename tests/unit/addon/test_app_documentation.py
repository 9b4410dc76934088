"""DOCS.md, which Home Assistant shows to owners: what it shows to be copied is taken, what it names is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.unit.addon.supervisor_rules import taken
from wyoming_kokoro.engine.voice_table import VOICE_NAMES
from wyoming_kokoro.frontends.announcement import read_announcement
from wyoming_kokoro.frontends.wyoming.info import PROGRAM
from wyoming_kokoro.settings.app_form import SHOWN
from wyoming_kokoro.settings.rooms import read_rooms

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "DOCS.md").read_text(encoding="utf-8")
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
BLOCKS: list[dict[str, Any]] = [
    yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
]

OF_HOME_ASSISTANT = {
    *(
        "Install",
        "Install app",
        "Start",
        "Add",
        "Actions",
        "Network",
        "Log",
        "Watchdog",
        "Repositories",
        "Configuration",
        "Ignored",
    ),
    *("Add-on store", "Edit in YAML", "Home Assistant URL", "Text-to-speech", "Show unused optional configuration options"),
}
"""What Home Assistant itself calls its buttons and pages."""


def test_every_voice_is_named() -> None:
    assert set(re.findall(r"`([a-z][fm]_[a-z]+)`", TEXT)) == set(VOICE_NAMES)


def test_rooms_that_it_shows_are_taken_by_the_form_and_by_the_program() -> None:
    (options,) = [block for block in BLOCKS if "rooms" in block]
    assert taken({"rooms": CONFIG["schema"]["rooms"]}, options) == options
    assert [room.name for room in read_rooms(options["rooms"], "DOCS.md")] == ["kitchen", "nursery"]


@pytest.mark.parametrize(
    "speaker", re.findall(r"^\| `([a-z_]+(?:[.:][^`]*)?)` \| (?:a media|a voice|the same|a TCP|nothing)", TEXT, re.MULTILINE)
)
def test_each_way_to_write_a_speaker_is_understood(speaker: str) -> None:
    (room,) = read_rooms([{"name": "kitchen", "speakers": [speaker]}], "DOCS.md")
    assert len(room.speakers) == 1


def test_actions_that_it_shows_have_the_form_of_home_assistant() -> None:
    actions = {block["action"]: block for block in BLOCKS if "action" in block}
    assert set(actions) == {"tts.speak", "notify.send_message", "mqtt.publish"}
    assert actions["tts.speak"]["target"]["entity_id"] == f"tts.{PROGRAM}"
    assert read_announcement(json.loads(actions["mqtt.publish"]["data"]["payload"]), "DOCS.md").text


def test_what_it_sets_in_italics_is_called_so_in_the_form_or_in_home_assistant() -> None:
    english = yaml.safe_load((ROOT / "translations" / "en.yaml").read_text(encoding="utf-8"))["configuration"]
    names = {entry["name"] for entry in (*english.values(), *english["rooms"]["fields"].values())}
    said = {" ".join(each.split()) for each in re.findall(r"(?<!\*)\*([^*|`]+)\*(?!\*)", TEXT)}
    assert {each for each in said if ">" not in each} <= names | OF_HOME_ASSISTANT


def test_it_counts_the_options_that_are_shown_at_once() -> None:
    assert len(SHOWN) == 8
    assert "Home Assistant shows the first eight" in TEXT
