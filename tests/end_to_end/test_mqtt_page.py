"""The page about MQTT: its options are read, its commands are run, and what it shows of their effect is what happens."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from pathlib import Path

import pytest
import yaml

from benchmarks.mosquitto import find_mosquitto, mosquitto
from benchmarks.mqtt_client import Heard, mqtt_client
from benchmarks.server import running

PAGE = (Path(__file__).parents[2] / "docs" / "mqtt.md").read_text(encoding="utf-8")
BASE = "wyoming_kokoro/home"

pytestmark = [
    pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is not installed (apt-get install mosquitto)"),
    pytest.mark.skipif(
        shutil.which("mosquitto_pub") is None, reason="mosquitto_pub is not installed (apt-get install mosquitto-clients)"
    ),
]


def blocks(language: str) -> list[str]:
    """What the page has in fences of that language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


async def run(script: str, home: Path) -> str:
    """What it prints; the clients find the broker by files of options below `home`."""
    process = await asyncio.create_subprocess_exec(
        "bash", "-e", "-c", script, env={**os.environ, "XDG_CONFIG_HOME": str(home)}, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, script
    return output.decode()


def write_options(folder: Path, url: str) -> Path:
    """Those of the page, at our broker."""
    (options,) = (yaml.safe_load(block) for block in blocks("yaml"))
    assert set(options) == {"mqtt_url", "mqtt_user", "mqtt_password", "rooms"}
    path = folder / "options.json"
    path.write_text(json.dumps({"rooms": options["rooms"], "mqtt_url": url, "engine": "tone"}))
    return path


async def test_what_the_page_shows_is_what_happens(tmp_path: Path) -> None:
    publishing = [block for block in blocks("sh") if "mosquitto_pub" in block]
    asking = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("mosquitto_rr")]
    async with mosquitto(tmp_path / "broker") as broker, mqtt_client(broker.port, f"{BASE}/#") as client:
        for name in ("mosquitto_pub", "mosquitto_rr"):
            (tmp_path / name).write_text(f"-h 127.0.0.1\n-p {broker.port}\n")
        options = write_options(tmp_path, broker.url)
        async with running(tmp_path / "data", "--options", str(options)):
            await client.first(f"{BASE}/status", lambda heard: heard.payload == b"online")
            for block in publishing:
                await run(block, tmp_path)
            queued = [("kitchen", None), ("hall", "door-4711"), ("kitchen", None), ("hall", None)]
            await client.until(lambda heard: len(events(heard, "queued")) == len(queued))
            assert {room for room, _ in events(client.heard, "queued")} == {"kitchen", "hall"}
            assert ("hall", "door-4711") in events(client.heard, "queued")
            refused = await client.first(f"{BASE}/room/kitchen/event", lambda heard: heard.json.get("id") == "hurry")
            shown = next(json.loads(block) for block in blocks("json") if "hurry" in block)
            assert {**refused.json, "at": ""} == {**shown, "at": ""}
            wanted = {"voice": "bf_emma", "speed": 1.0, "volume": 0.4, "dnd": True}
            await client.first(f"{BASE}/room/hall/state", lambda heard: heard.json["settings"] == wanted)
            newest, found, cancelled = [json.loads(await run(line, tmp_path)) for line in asking]
            assert len(newest["announcements"]) == 3
            assert (found["id"], found["text"]) == ("door-4711", "Somebody is at the door.")
            assert cancelled == {"id": "door-4711", "cancelled": True}


def events(heard: list[Heard], kind: str) -> list[tuple[str, str]]:
    """Rooms and ids of the events of a kind."""
    documents = [each.json for each in heard if each.topic.endswith("/event")]
    return [(document["room"], document["id"]) for document in documents if document["event"] == kind]
