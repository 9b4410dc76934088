"""From a real broker through the real core into the rooms: order, refusals, and one announcement for each message."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from benchmarks.mosquitto import find_mosquitto, mosquitto
from benchmarks.mqtt_client import MqttClient, mqtt_client
from benchmarks.server import ServerProcess
from tests.pretend_speaker import PretendSpeaker
from tests.room_house import house_with_rooms
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.voices import KokoroVoices
from wyoming_kokoro.frontends.mqtt.feeds import Told
from wyoming_kokoro.frontends.mqtt.server import MqttServer
from wyoming_kokoro.model.announcement import Play
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.settings import MqttSettings

BASE = "wyoming_kokoro/home"
ROOMS = ("kitchen", "hall", "bath", "attic")
PRIORITIES = ("low", "normal", "high", "background", "normal")
WRONG = ({"text": "x", "speed": 99}, {"text": "x", "priority": "urgent"}, {"text": "x", "colour": "red"}, {"text": " "})

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed (apt-get install mosquitto)")


class QuickSpeaker(PretendSpeaker):
    """Plays everything in no time."""

    async def _seconds(self, play: Play) -> float:
        return 0.0


@contextlib.asynccontextmanager
async def connected(house: House, url: str, *, is_private: bool = True) -> AsyncIterator[MqttServer]:
    """The door at the broker."""
    told = Told(house, KokoroVoices("af_heart"), "tone", 1.0, has_discovery=True, is_private=is_private)
    server = MqttServer(MqttSettings(url=url), told)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(1)


async def online(client: MqttClient) -> None:
    """Return when we are."""
    await client.until(lambda _: [each.payload for each in client.on(f"{BASE}/status")][-1:] == [b"online"])


def events(client: MqttClient, kind: str, room: str | None = None) -> list[str]:
    """Ids of the announcements of which such an event was told, in order."""
    heard = [each.json for each in client.heard if each.topic.endswith("/event")]
    return [each["id"] for each in heard if each["event"] == kind and room in (None, each["room"]) and "id" in each]


def fields(client: MqttClient) -> list[str]:
    """What was refused."""
    heard = [each.json for each in client.heard if each.topic.endswith("/event")]
    return [each["field"] for each in heard if each["event"] == "failed"]


def burst() -> list[tuple[str, dict[str, str | int]]]:
    """200 messages, 50 for each of four rooms, a fifth of them wrong."""
    messages: list[tuple[str, dict[str, str | int]]] = []
    for number in range(200):
        text = {"text": f"Message {number}.", "id": f"n-{number}", "priority": PRIORITIES[number // 4 % 5]}
        messages.append((ROOMS[number % 4], dict(WRONG[number % 4]) if number // 4 % 5 == 2 else dict(text)))
    return messages


async def test_a_burst_is_spoken_by_priority_and_what_is_wrong_in_it_is_refused(tmp_path: Path) -> None:
    speakers = {room: [QuickSpeaker(f"speaker.{room}")] for room in ROOMS}
    messages = burst()
    right = {str(payload["id"]): payload for _, payload in messages if "id" in payload}
    async with (
        mosquitto(tmp_path / "broker") as broker,
        mqtt_client(broker.port, f"{BASE}/#") as client,
        house_with_rooms(speakers, clock=SystemClock()) as house,
        connected(house, broker.url),
    ):
        await online(client)
        for room in ROOMS:
            await client.publish(f"{BASE}/room/{room}/set/dnd", "on")
        await asyncio.gather(*(client.publish(f"{BASE}/room/{room}/say", payload) for room, payload in messages))
        await client.until(lambda _: len(events(client, "queued")) == len(right) and len(fields(client)) == 200 - len(right))
        assert Counter(fields(client)) == {"speed": 10, "priority": 10, "colour": 10, "text": 10}
        assert not events(client, "started")
        for room in ROOMS:
            await client.publish(f"{BASE}/room/{room}/set/dnd", "off")
        await client.until(lambda _: len(events(client, "finished")) == len(right))
        for room in ROOMS:
            accepted = events(client, "queued", room)
            assert len(accepted) == 40
            wanted = sorted(accepted, key=lambda name: -Priority.from_label(str(right[name]["priority"])))
            assert speakers[room][0].air.names == wanted


async def test_with_privacy_off_the_state_says_what_is_heard(tmp_path: Path) -> None:
    for is_private in (True, False):
        speaker = PretendSpeaker("speaker")
        speaker.hangs = True
        async with (
            mosquitto(tmp_path / f"broker-{is_private}") as broker,
            mqtt_client(broker.port, f"{BASE}/#") as client,
            house_with_rooms({"hall": [speaker]}, clock=SystemClock()) as house,
            connected(house, broker.url, is_private=is_private),
        ):
            await online(client)
            await client.publish(f"{BASE}/room/hall/say", "Our secret.")
            state = await client.first(f"{BASE}/room/hall/state", lambda heard: heard.json["now_playing"])
            assert state.json["now_playing"].get("text") == (None if is_private else "Our secret.")


async def test_what_is_brought_again_after_kills_is_announced_once(tmp_path: Path) -> None:
    options = tmp_path / "options.json"
    rooms = [{"name": room, "speakers": [{"type": "mqtt_event"}]} for room in ROOMS]
    texts = [f"This is message number {number}." for number in range(80)]
    async with mosquitto(tmp_path / "broker") as broker, mqtt_client(broker.port, f"{BASE}/#") as client:
        options.write_text(json.dumps({"rooms": rooms, "mqtt_url": broker.url, "engine": "tone"}))
        server = ServerProcess(tmp_path / "data", "--options", str(options))
        for kill in range(4):
            await server.start()
            await client.until(
                lambda _: client.on(f"{BASE}/status")[-1:] and client.on(f"{BASE}/status")[-1].payload == b"online"
            )
            client.heard.clear()
            mine = texts[20 * kill : 20 * kill + 20]
            publishing = [client.publish(f"{BASE}/room/{ROOMS[index % 4]}/say", text) for index, text in enumerate(mine)]
            await asyncio.gather(*publishing)
            await client.until(lambda _: len(events(client, "queued")) > 4)
            await server.kill()
            await client.first(f"{BASE}/status", lambda heard: heard.payload == b"offline")
        await server.start()
        await online(client)
        found: list[str] = []
        while len(found) < len(texts):
            client.heard.clear()
            await client.publish(f"{BASE}/request/list", {"limit": 200})
            answer = await client.first(f"{BASE}/response/list")
            found = [each["text"] for each in answer.json["announcements"]]
        assert sorted(found) == sorted(texts)
        await server.terminate()
