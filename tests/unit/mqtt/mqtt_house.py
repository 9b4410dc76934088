"""The MQTT door on a fake core, at a real broker."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mosquitto import MosquittoProcess, find_mosquitto, mosquitto
from benchmarks.mqtt_client import MqttClient, mqtt_client
from tests.unit.mqtt.fake_rooms import FakeHouse, FakeVoices
from wyoming_kokoro.frontends.mqtt.feeds import Told
from wyoming_kokoro.frontends.mqtt.limits import Limits
from wyoming_kokoro.frontends.mqtt.server import MqttServer
from wyoming_kokoro.settings import MqttSettings

BASE = "wyoming_kokoro/home"
LIMITS = Limits(first_wait_seconds=0.02, longest_wait_seconds=0.1, birth_jitter_seconds=0.0)

needs_mosquitto = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed (apt-get install mosquitto)")


@dataclass
class Door:
    """What a test asks, and what it looks into."""

    broker: MosquittoProcess
    house: FakeHouse
    server: MqttServer
    client: MqttClient

    async def say(self, room: str, payload: Any, **options: Any) -> None:
        """To a room."""
        await self.client.publish(f"{BASE}/room/{room}/say", payload, **options)

    def refusals(self) -> list[tuple[str, str]]:
        """Which rooms refused which fields."""
        events = [each for each in self.client.heard if each.topic.endswith("/event")]
        return [(each.json.get("room", ""), each.json["field"]) for each in events if each.json["event"] == "failed"]


def new_server(
    house: FakeHouse,
    url: str,
    *,
    has_discovery: bool = True,
    instance: str = "home",
    settings: MqttSettings | None = None,
    **limits: Any,
) -> MqttServer:
    """A door that is not started yet."""
    told = Told(house, FakeVoices(), "model-1", speed=1.0, has_discovery=has_discovery, is_private=True)
    return MqttServer(settings or MqttSettings(url=url), told, instance=instance, limits=replace(LIMITS, **limits))


@contextlib.asynccontextmanager
async def open_door(folder: Path, house: FakeHouse | None = None, **limits: Any) -> AsyncIterator[Door]:
    """A broker, the door at it, and a client that hears everything of ours."""
    house = house or FakeHouse()
    async with mosquitto(folder / "broker") as broker, mqtt_client(broker.port, f"{BASE}/#") as client:
        server = new_server(house, broker.url, **limits)
        await server.start()
        try:
            await client.first(f"{BASE}/status", lambda heard: heard.payload == b"online")
            yield Door(broker, house, server, client)
        finally:
            house.announcements.gate.set()
            await server.stop(1)
