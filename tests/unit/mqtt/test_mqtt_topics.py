"""Each topic has one purpose, and an answer goes only where it is nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.frontends.mqtt.topics import Ask, Birth, Command, Say, Set, State, Topics, takes_answers

TOPICS = Topics("home")
LEVELS = st.sampled_from(["wyoming_kokoro", "home", "room", "kitchen", "say", "cmd", "set", "state", "request", "x", ""])


@pytest.mark.parametrize(
    ("topic", "purpose"),
    [
        ("wyoming_kokoro/home/room/kitchen/say", Say("kitchen")),
        ("wyoming_kokoro/home/broadcast/say", Say(None)),
        ("wyoming_kokoro/home/room/kitchen/set/voice", Set("kitchen", "voice")),
        ("wyoming_kokoro/home/room/kitchen/cmd", Command("kitchen")),
        ("wyoming_kokoro/home/room/kitchen/state", State("kitchen")),
        ("wyoming_kokoro/home/request/list", Ask("list")),
        ("homeassistant/status", Birth()),
        ("wyoming_kokoro/home/status", None),
        ("wyoming_kokoro/homes/room/kitchen/say", None),
        ("wyoming_kokoro/home/room/kitchen/say/more", None),
        ("wyoming_kokoro/home", None),
    ],
)
def test_a_topic_has_its_purpose(topic: str, purpose: object) -> None:
    assert TOPICS.purpose(topic) == purpose


def test_every_command_filter_matches_a_purpose() -> None:
    examples = [each.replace("+", "kitchen") for each in TOPICS.commands]
    assert None not in [TOPICS.purpose(each) for each in examples]


def test_other_instances_have_other_topics_and_devices() -> None:
    other = Topics("cabin", "ha/discovery")
    assert other.purpose("wyoming_kokoro/home/room/kitchen/say") is None
    assert (other.device("kitchen"), other.device()) == (
        "ha/discovery/device/wyoming_kokoro_cabin_kitchen/config",
        "ha/discovery/device/wyoming_kokoro_cabin/config",
    )
    assert other.purpose("ha/discovery/status") == Birth()


@given(levels=st.lists(LEVELS, min_size=1, max_size=6))
def test_nothing_that_has_a_purpose_takes_answers(levels: list[str]) -> None:
    topic = "/".join(levels)
    if takes_answers(topic):
        assert TOPICS.purpose(topic) is None
        assert topic.startswith("wyoming_kokoro/")
        assert topic not in (TOPICS.status, TOPICS.info, TOPICS.event)


@pytest.mark.parametrize("topic", ["wyoming_kokoro/+/x", "wyoming_kokoro/#", "wyoming_kokoro/" + "x" * 600, "other/x", ""])
def test_a_pattern_or_a_foreign_topic_takes_no_answers(topic: str) -> None:
    assert not takes_answers(topic)


@pytest.mark.parametrize("topic", ["wyoming_kokoro/answers", "wyoming_kokoro/answers/me", "wyoming_kokoro/home/response/list"])
def test_a_topic_of_the_askers_own_takes_answers(topic: str) -> None:
    assert takes_answers(topic)
