"""What Home Assistant is told fits its schema, and names only what is really published."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import yaml

from tests.unit.mqtt.fake_rooms import FakeHouse, FakeVoices
from wyoming_kokoro.core.rooms.view import RoomState
from wyoming_kokoro.frontends.mqtt.board import Board
from wyoming_kokoro.frontends.mqtt.discovery import Discovery
from wyoming_kokoro.frontends.mqtt.feeds import Feeds, Told
from wyoming_kokoro.frontends.mqtt.outlet import Outlet
from wyoming_kokoro.frontends.mqtt.topics import Topics
from wyoming_kokoro.model.room import RoomEventKind

TOPICS = Topics("home")
DISCOVERY = Discovery(TOPICS, events=list(RoomEventKind), states=list(RoomState))
BLUEPRINT = Path(__file__).parents[3] / "addon" / "blueprints" / "play_announcements.yaml"

ALLOWED = {"device", "origin", "availability_topic", "qos", "components"}
"""Home Assistant refuses a whole device for one unknown key at the top."""


def messages() -> list[dict[str, Any]]:
    return [json.loads(DISCOVERY.server()), json.loads(DISCOVERY.room("kitchen", ["af_heart"]))]


def retained() -> dict[str, bytes]:
    """What stands on the board."""
    told = Told(FakeHouse(), FakeVoices(), "model", 1.0, has_discovery=True, is_private=True)
    board = Board(Outlet())
    Feeds(told, TOPICS, DISCOVERY, Outlet(), board).post_all()
    return board._pages


async def test_each_message_has_what_home_assistant_asks_for_and_nothing_else_at_the_top() -> None:
    for message in messages():
        assert set(message) == ALLOWED
        assert message["origin"]["name"]
        for component in message["components"].values():
            assert component["platform"]
            assert component["unique_id"]
            assert component.get("retain", False) is False


async def test_no_two_entities_of_a_house_share_a_name() -> None:
    everything = [json.loads(page) for topic, page in retained().items() if topic.startswith("homeassistant/")]
    components = [component for message in everything for component in message["components"].values()]
    for key in ("unique_id", "default_entity_id"):
        names = [component[key] for component in components]
        assert len(names) == len(set(names))


async def test_every_command_topic_has_its_purpose_and_every_state_topic_is_published() -> None:
    published = {*retained(), TOPICS.event, TOPICS.room("kitchen", "event")}
    for message in messages():
        assert message["availability_topic"] in published
        for component in message["components"].values():
            if "command_topic" in component:
                assert TOPICS.purpose(component["command_topic"]) is not None
            if "state_topic" in component:
                assert component["state_topic"] in published


async def test_every_field_that_a_template_reads_is_in_the_state() -> None:
    state = json.loads(retained()[TOPICS.room("kitchen", "state")])
    found = json.dumps(messages()[1])
    for path in set(re.findall(r"value_json\.([a-z_.]+)", found)) - {"event"}:
        part: Any = state
        for name in path.split("."):
            assert name in part, path
            part = part[name]


async def test_that_we_are_online_is_said_last() -> None:
    assert list(retained())[-1] == TOPICS.status


async def test_a_voice_that_is_not_listed_can_be_shown_all_the_same() -> None:
    house = FakeHouse()
    await house.rooms.set("kitchen", voice="af_heart(2)+bm_lewis(1)")
    board = Board(Outlet())
    told = Told(house, FakeVoices(), "model", 1.0, has_discovery=True, is_private=True)
    Feeds(told, TOPICS, DISCOVERY, Outlet(), board).post_all()
    device = json.loads(board._pages[TOPICS.device("kitchen")])
    assert device["components"]["voice"]["options"] == ["af_heart", "bm_lewis", "af_heart(2)+bm_lewis(1)"]


class _Loader(yaml.SafeLoader):
    """Home Assistant's YAML, as far as blueprints use it."""


_Loader.add_constructor("!input", lambda loader, node: f"input {loader.construct_scalar(node)}")


def test_the_blueprint_uses_every_input_that_it_asks_for() -> None:
    blueprint = yaml.load(BLUEPRINT.read_text(encoding="utf-8"), _Loader)
    used = set(re.findall(r"'input (\w+)'", str({key: blueprint[key] for key in blueprint if key != "blueprint"})))
    assert used == set(blueprint["blueprint"]["input"])
