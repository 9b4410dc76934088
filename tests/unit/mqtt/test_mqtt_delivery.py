"""Nothing that the broker took is lost, and nothing counts twice, whoever goes away in between."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from benchmarks.mqtt_client import PATIENCE_SECONDS, mqtt_client
from tests.unit.mqtt.fake_rooms import FakeHouse
from tests.unit.mqtt.mqtt_house import BASE, Door, needs_mosquitto, new_server, open_door
from wyoming_kokoro.model.room import RoomEventKind

pytestmark = needs_mosquitto

ROOMS = ("kitchen", "hall", "bath", "attic")


async def comes_true(condition: Callable[[], bool]) -> None:
    """Return once it does; what it looks at changes while others work."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110 - what is looked at has no event of its own
            await asyncio.sleep(0)


async def came_back(door: Door) -> None:
    """The broker has seen us go and come again."""
    wanted = [b"offline", b"online"]
    await door.client.until(lambda _: [each.payload for each in door.client.on(f"{BASE}/status")][-2:] == wanted)


def cut(door: Door) -> None:
    """The connection breaks without a word."""
    assert door.server._connection is not None
    assert door.server._connection._client is not None
    line = door.server._connection._client.socket()
    assert isinstance(line, socket.socket)
    line.shutdown(socket.SHUT_RDWR)


def burst(number: int) -> object:
    """What the message of that number says; three in ten are wrong, in four ways."""
    wrong = [{"text": "x", "speed": 99}, {"text": "x", "colour": "red"}, {"text": ""}, "{"]
    return wrong[number // 4 % 4] if number % 10 < 3 else {"text": f"Number {number}.", "id": f"n-{number}"}


async def test_a_burst_of_200_is_accepted_or_refused_one_by_one_and_all_acknowledged(tmp_path: Path) -> None:
    async with open_door(tmp_path, FakeHouse(ROOMS)) as door:
        wrong = [{"text": "x", "speed": 99}, {"text": "x", "colour": "red"}, {"text": ""}, "{"]
        messages = [
            (
                ROOMS[number % 4],
                wrong[number // 4 % 4] if number % 10 < 3 else {"text": f"Number {number}.", "id": f"n-{number}"},
            )
            for number in range(200)
        ]
        await asyncio.gather(*(door.say(room, payload) for room, payload in messages))
        right = [(room, payload["id"]) for room, payload in messages if isinstance(payload, dict) and "id" in payload]
        await comes_true(lambda: len(door.house.announcements.asked) == len(right))
        await comes_true(lambda: len(door.refusals()) == 200 - len(right))
        assert sorted((asked.rooms[0], asked.announcement_id) for asked in door.house.announcements.asked) == sorted(right)
        for room in ROOMS:
            asked_there = [asked.announcement_id for asked in door.house.announcements.asked if asked.rooms == (room,)]
            assert asked_there == [name for where, name in right if where == room]
        assert {field for _, field in door.refusals()} == {"speed", "colour", "text", "payload"}
        await door.server.stop(1)
        entered, server = door.house.announcements.entered, new_server(door.house, door.broker.url)
        await server.start()
        await door.say("hall", "Last.")
        await comes_true(lambda: door.house.announcements.asked[-1].text == "Last.")
        await server.stop(1)
        assert door.house.announcements.entered == entered + 1, "something was not acknowledged"


async def test_no_more_comes_in_than_may_be_under_way(tmp_path: Path) -> None:
    async with open_door(tmp_path, unacked=4) as door:
        door.house.announcements.gate.clear()
        for number in range(30):
            await door.say("kitchen", f"Number {number}.")
        inbox = door.server._desk._inbox
        await comes_true(lambda: inbox.unfinished == 4)
        await door.say("hall", "The broker has this one, too.")
        assert inbox.unfinished == 4
        door.house.announcements.gate.set()
        await comes_true(lambda: len(door.house.announcements.asked) == 31)
        in_kitchen = [asked.text for asked in door.house.announcements.asked if asked.rooms == ("kitchen",)]
        assert in_kitchen == [f"Number {number}." for number in range(30)]


async def test_what_is_sent_without_acknowledgement_is_dropped_where_too_much_waits(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_door(tmp_path, waiting=10) as door:
        door.house.announcements.gate.clear()
        for number in range(20):
            await door.say("kitchen", f"Number {number}.", qos=0)
        await comes_true(lambda: "dropped" in caplog.text)
        door.house.announcements.gate.set()
        await comes_true(lambda: len(door.house.announcements.asked) >= 10)


async def test_what_is_sent_while_we_are_away_comes_later(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.server.stop(1)
        await door.client.first(f"{BASE}/status", lambda heard: heard.payload == b"offline")
        await door.say("kitchen", "While you were away.")
        server = new_server(door.house, door.broker.url)
        await server.start()
        await comes_true(lambda: len(door.house.announcements.asked) == 1)
        await server.stop(1)


async def test_a_message_under_way_when_the_connection_breaks_counts_once(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        door.house.announcements.gate.clear()
        await door.say("kitchen", "Ding.")
        await door.say("kitchen", "Ding.")
        await door.say("kitchen", "Dong.")
        await comes_true(lambda: door.server._desk._inbox.unfinished == 3)
        cut(door)
        await door.client.until(
            lambda _: [each.payload for each in door.client.on(f"{BASE}/status")][-2:] == [b"offline", b"online"]
        )
        await comes_true(lambda: len(door.server._desk._inbox._order) == 3)
        door.house.announcements.gate.set()
        await comes_true(lambda: not door.server._desk._inbox._order)
        assert [asked.text for asked in door.house.announcements.asked] == ["Ding.", "Ding.", "Dong."]


async def test_what_was_accepted_but_not_acknowledged_counts_once_after_a_restart(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        door.house.announcements.gate.clear()
        await door.say("kitchen", "Ding.")
        await comes_true(lambda: door.house.announcements.entered == 1)
        door.server._outlet.acknowledge = lambda mid: None  # type: ignore[method-assign]  # it is killed before it can
        door.house.announcements.gate.set()
        await comes_true(lambda: len(door.house.announcements.asked) == 1)
        await door.server.stop(1)
        server = new_server(door.house, door.broker.url)
        await server.start()
        await comes_true(lambda: door.house.announcements.entered == 2)
        await comes_true(lambda: not server._desk._inbox.unfinished)
        assert len(door.house.announcements.asked) == 1
        await server.stop(1)


async def test_the_broker_says_for_us_that_we_are_gone(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        cut(door)
        await door.client.first(f"{BASE}/status", lambda heard: heard.payload == b"offline")
        await door.client.until(lambda _: door.client.on(f"{BASE}/status")[-1].payload == b"online")


async def push_out(door: Door) -> None:
    """Somebody else connects under our name, and goes."""
    name, protocol = "wyoming_kokoro_home", MQTTProtocolVersion.MQTTv5
    rival = paho.Client(CallbackAPIVersion.VERSION2, name, protocol=protocol, reconnect_on_failure=False)
    await asyncio.to_thread(rival.connect, "127.0.0.1", door.broker.port, clean_start=False)
    rival.loop_start()
    await door.client.first(f"{BASE}/status", lambda heard: heard.payload == b"online")
    rival.disconnect()
    await asyncio.to_thread(rival.loop_stop)


async def test_another_client_under_our_name_is_told_of_and_we_come_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_door(tmp_path) as door:
        for _ in range(4):
            door.client.heard.clear()
            await push_out(door)
        assert "is there another server called home?" in caplog.text
        await door.say("kitchen", "Still here.")
        await comes_true(lambda: [asked.text for asked in door.house.announcements.asked] == ["Still here."])


@pytest.mark.parametrize("how", ["stop", "kill"])
async def test_after_the_brokers_end_everything_retained_and_every_event_is_told(tmp_path: Path, how: str) -> None:
    async with open_door(tmp_path) as door:
        await door.broker.stop() if how == "stop" else await door.broker.kill()
        await comes_true(lambda: door.server._connection is None)
        for number in range(3):
            door.house.rooms.happens("hall", RoomEventKind.QUEUED, f"n-{number}")
        door.house.rooms.happens("hall", RoomEventKind.SENTENCE, "n-0", at_ms=1000)
        await door.broker.start()
        async with mqtt_client(door.broker.port, f"{BASE}/#") as later:
            await later.until(
                lambda heard: {"status", "info", "room/hall/state"} <= {each.topic.removeprefix(f"{BASE}/") for each in heard}
            )
        await comes_true(lambda: door.server._outlet._connection is not None)
        await door.say("hall", "And on.")
        await comes_true(lambda: len(door.house.announcements.asked) == 1)


async def test_events_of_the_time_without_a_broker_are_told_afterwards_in_order(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        cut(door)
        for number in range(20):
            door.house.rooms.happens("hall", RoomEventKind.QUEUED, f"n-{number}")
        await door.client.first(f"{BASE}/room/hall/event", lambda heard: heard.json["id"] == "n-19")
        told = list(dict.fromkeys(heard.json["seq_num"] for heard in door.client.on(f"{BASE}/room/hall/event")))
        assert told == list(range(20))
