"""The server as Home Assistant's app starts it: a Supervisor, the real broker, Home Assistant behind the Supervisor's proxy."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import yaml

from benchmarks.mosquitto import find_mosquitto, free_port, mosquitto
from benchmarks.mqtt_client import mqtt_client
from benchmarks.server import ServerProcess
from tests.fake_home_assistant import Entity, FakeHomeAssistant
from tests.fake_supervisor import HOSTNAME, TOKEN, FakeSupervisor
from tests.wyoming_client import connected
from wyoming_kokoro.core.clock import SystemClock

BASE = "wyoming_kokoro/home"
APP = yaml.safe_load((Path(__file__).parents[2] / "config.yaml").read_text(encoding="utf-8"))


class AppProcess(ServerProcess):
    """`serve --supervisor`, with ports and folders that a test can have."""

    command = ("serve", "--supervisor")

    def __init__(self, folder: Path, supervisor: FakeSupervisor, options: dict[str, Any]) -> None:
        self.wyoming_port, http_port = free_port(), free_port()
        supervisor.info["network"] = {"10200/tcp": None, f"{http_port}/tcp": 8210}
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "options.json"
        file.write_text(json.dumps({**APP["options"], "engine": "tone", **options}))
        environment = {
            **supervisor.environment,
            "WYOMING_KOKORO_OPTIONS": str(file),
            "WYOMING_KOKORO_WYOMING_URI": f"tcp://127.0.0.1:{self.wyoming_port}",
            "WYOMING_KOKORO_HTTP_PORT": str(http_port),
        }
        super().__init__(folder, environment=environment)


@contextlib.asynccontextmanager
async def a_supervisor(**changes: Any) -> AsyncIterator[FakeSupervisor]:
    """One that has read our config.yaml, but for the changes."""
    supervisor = FakeSupervisor.of_app({**APP, **changes})
    await supervisor.start()
    try:
        yield supervisor
    finally:
        await supervisor.stop()


@contextlib.asynccontextmanager
async def a_home(*entities: Entity) -> AsyncIterator[FakeHomeAssistant]:
    home = FakeHomeAssistant(SystemClock(), *entities, token=TOKEN)
    await home.start()
    try:
        yield home
    finally:
        await home.close()


@contextlib.asynccontextmanager
async def an_app(folder: Path, supervisor: FakeSupervisor, **options: Any) -> AsyncIterator[AppProcess]:
    app = AppProcess(folder, supervisor, options)
    try:
        await app.start()
        yield app
        assert await app.terminate() == 0
    finally:
        await app.kill()


async def speaks(app: AppProcess, text: str = "Good evening.") -> bool:
    async with connected(app.port) as client:
        events = await client.speak(text)
    return [event.type for event in (events[0], events[-1])] == ["audio-start", "audio-stop"]


@pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed (apt-get install mosquitto)")
async def test_it_speaks_is_found_and_announces_through_the_supervisor(tmp_path: Path) -> None:
    rooms = [{"name": "hall", "speakers": ["media_player.hall"], "voice": "", "volume": None}]
    async with (
        mosquitto(tmp_path / "broker") as broker,
        mqtt_client(broker.port, f"{BASE}/#") as client,
        a_home(Entity("media_player.hall")) as home,
        a_supervisor() as supervisor,
    ):
        supervisor.home_url = home.url
        supervisor.provide("mqtt", host="127.0.0.1", port=broker.port, username="addons", password="secret")
        async with an_app(tmp_path / "data", supervisor, rooms=rooms, mqtt_url=None) as app:
            assert await speaks(app)
            await supervisor.until(lambda it: it.messages)
            (message,) = supervisor.messages
            assert (message.service, message.config) == ("wyoming", {"uri": f"tcp://{HOSTNAME}:{app.wyoming_port}"})
            await client.until(lambda _: [each.payload for each in client.on(f"{BASE}/status")][-1:] == [b"online"])
            await client.publish(f"{BASE}/room/hall/say", {"text": "Dinner is ready.", "id": "dinner"})
            started = await client.first(f"{BASE}/room/hall/event", lambda heard: heard.json["event"] == "started")
            assert started.json["urls"]["mp3"].startswith("http://192.168.1.10:8210/audio/")
            await client.until(lambda _: home.calls)
            service, entity, data = home.calls[0]
            assert (service, entity, data["media_content_id"]) == (
                "media_player.play_media",
                "media_player.hall",
                started.json["urls"]["mp3"],
            )
            assert "zeroconf" not in app.log
            assert "Traceback" not in app.log
        assert [what for what, _ in supervisor.pushed] == ["post"]
        assert client.on(f"{BASE}/status")[-1].payload == b"offline"


async def test_a_restart_tells_the_same_message_and_switching_it_off_takes_it_back(tmp_path: Path) -> None:
    async with a_supervisor(services=[]) as supervisor:
        for _ in range(2):
            async with an_app(tmp_path / "data", supervisor) as app:
                await app.logged("announced to Home Assistant by the Supervisor")
                await app.logged("no MQTT: the app's config.yaml must list the service")
        (message,) = supervisor.messages
        assert {uuid for _, uuid in supervisor.pushed} == {message.uuid}
        supervisor.asked.clear()
        async with an_app(tmp_path / "data", supervisor, zeroconf=False, mqtt_url="mqtt://127.0.0.1:1") as app:
            await app.logged("Home Assistant was told to forget the server")
            await app.logged("MQTT: 127.0.0.1 port 1 can't be reached")
        assert supervisor.pushed[-1] == ("delete", message.uuid)
        assert not {"GET /services/mqtt", "POST /discovery"} & set(supervisor.asked)


async def test_with_a_supervisor_that_is_away_it_speaks_and_is_made_known_later(tmp_path: Path) -> None:
    async with a_supervisor() as supervisor:
        port = free_port()
        supervisor.info |= {"ingress": True, "ingress_port": port}
        await supervisor.stop()
        async with an_app(tmp_path / "data", supervisor) as app:
            assert await speaks(app)
            await app.logged("the address for players: the Supervisor is not reached")
            await supervisor.start()
            await supervisor.until(lambda it: it.messages)
            await app.logged("no MQTT: the Supervisor knows no broker yet (Service not enabled)")
            await app.logged(f"HTTP: listening for Ingress on 0.0.0.0 port {port}")
            assert await turned_away(f"http://127.0.0.1:{port}/api/casts")


async def turned_away(url: str) -> bool:
    """Whether somebody who is not the proxy is, with the proxy's header."""
    headers = {"X-Ingress-Path": "/api/hassio_ingress/x"}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
        return response.status == 403 and (await response.json())["error"]["code"] == "not_by_ingress"
