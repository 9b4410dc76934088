"""Rooms in a real Home Assistant, by MQTT: a script, since it needs the rig and takes half a minute.

Starts Mosquitto, the server and Home Assistant, lets Home Assistant find the rooms, speaks through it, and looks what came of
it; stops what it started. Ends with `passed`, or with what went wrong and exit status 1.

    python -m tests.rig.mqtt_in_home_assistant --rig ../shared/home-assistant-rig --dir .home-assistant
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from benchmarks.mosquitto import MosquittoProcess, mosquitto
from benchmarks.mqtt_client import Heard, MqttClient, mqtt_client
from benchmarks.server import ServerProcess
from tests.rig.real_home_assistant import PATIENCE_SECONDS, ROOT, eventually, expect, home_assistant, run_check

BLUEPRINT = ROOT / "addon" / "blueprints" / "play_announcements.yaml"
PACKAGE = "automations.yaml"
BASE = "wyoming_kokoro/home"

ENTITIES = {
    "notify.kokoro_home_broadcast", "event.kokoro_home_refused",
    *(f"{entity.replace('.', '.kokoro_home_ROOM_')}" for entity in (
        "notify.say", "event.event", "sensor.state", "sensor.queue", "select.voice", "number.speed", "number.volume",
        "switch.dnd", "button.stop", "button.skip", "button.replay",
    )),
}  # fmt: skip


def wanted_entities(*rooms: str) -> set[str]:
    """Of the server and of these rooms."""
    return {entity.replace("ROOM", room) for entity in ENTITIES for room in rooms}


class Check:
    """One run, step by step."""

    def __init__(self, home: Any, broker: MosquittoProcess, client: MqttClient, folder: Path, config: Path) -> None:
        self.home = home
        self.client = client
        self._config = config
        self._options = folder / "options.json"
        self._url = broker.url
        self.server = ServerProcess(folder / "data", "--options", str(self._options))

    async def serve(self, *rooms: str) -> None:
        """The server starts again, with these rooms."""
        if self._options.exists():
            await self.server.terminate()
        speakers = [{"type": "mqtt_event"}]
        options = {"engine": "tone", "mqtt_url": self._url, "rooms": [{"name": each, "speakers": speakers} for each in rooms]}
        self._options.write_text(json.dumps(options), encoding="utf-8")
        await self.server.start()

    async def discover(self, *rooms: str) -> None:
        """The devices are there, with all their entities and no others."""

        async def found() -> bool:
            listed = await self.home.command("config/entity_registry/list")
            return {each["entity_id"] for each in listed if each["platform"] == "mqtt"} == wanted_entities(*rooms)

        await eventually(found, "the entities of " + ", ".join(rooms))
        devices = await self.home.command("config/device_registry/list")
        ours = {each["name"]: each for each in devices if each["manufacturer"] == "wyoming-kokoro"}
        expect(set(ours) == {"Kokoro home", *(f"Kokoro {room}" for room in rooms)}, f"devices: {sorted(ours)}")
        for room in rooms:
            expect(ours[f"Kokoro {room}"]["via_device_id"] == ours["Kokoro home"]["id"], f"{room} is below the server")
        print(f"discovered {len(ours)} devices, {len(wanted_entities(*rooms))} entities")

    async def set_up_the_room(self) -> None:
        """The entities of settings show what is, and set it."""
        await self._state("select.kokoro_home_hall_voice", "af_heart")
        await self._call("select.select_option", "select.kokoro_home_hall_voice", option="bf_emma")
        await self._call("number.set_value", "number.kokoro_home_hall_speed", value=1.25)
        await self._call("number.set_value", "number.kokoro_home_hall_volume", value=0.35)
        await self._call("switch.turn_on", "switch.kokoro_home_hall_dnd")
        wanted = {"voice": "bf_emma", "speed": 1.25, "volume": 0.35, "dnd": True}
        await self.client.first(f"{BASE}/room/hall/state", lambda heard: heard.json["settings"] == wanted)
        for entity, state in (("number.kokoro_home_hall_volume", "0.35"), ("switch.kokoro_home_hall_dnd", "on")):
            await self._state(entity, state)
        print(f"settings {json.dumps(wanted)}")

    async def hold_back(self) -> None:
        """What is said while nobody wants to be disturbed waits, is shown, and can be dropped."""
        await self._say("notify.kokoro_home_hall_say", "This one waits in the hall.")
        held = await self._event("hall", "held")
        await self._state("sensor.kokoro_home_hall_queue", "1")
        await self._state("sensor.kokoro_home_hall_state", "held")
        await self._state("event.kokoro_home_hall_event", "held", attribute="event_type")
        await self._call("button.press", "button.kokoro_home_hall_stop")
        await self._event("hall", "cancelled", held["id"])
        await self._call("switch.turn_off", "switch.kokoro_home_hall_dnd")
        print(f"held and dropped {held['id']}")

    async def play(self) -> None:
        """What is said is played by the blueprint's automation, and the receipt says so."""
        automation = {
            "alias": "Play in the kitchen",
            "use_blueprint": {
                "path": f"wyoming_kokoro/{BLUEPRINT.name}",
                "input": {"announcements": "event.kokoro_home_kitchen_event", "player": "media_player.rig_kitchen"},
            },
        }
        # JSON is YAML.
        (self._config / "packages" / PACKAGE).write_text(json.dumps({"automation": [automation]}), encoding="utf-8")
        await self.home.call_service("automation.reload", {})
        await self._state("automation.play_in_the_kitchen", "on")
        async with self.home.subscription("subscribe_events", event_type="rig_played") as played:
            await self._say("notify.kokoro_home_kitchen_say", "Dinner is ready. Come down, please.")
            started = await self._event("kitchen", "started")
            async with asyncio.timeout(PATIENCE_SECONDS):
                report = (await played.get())["data"]
            finished = await self._event("kitchen", "finished", started["id"])
        expect(report["url"] == started["urls"]["mp3"], f"the player got {report['url']}")
        expect(abs(report["seconds"] - started["duration_seconds"]) < 0.2, f"{report['seconds']} s were played")
        outcomes = [speaker["outcome"] for speaker in finished["speakers"]]
        expect(outcomes == ["confirmed"], f"the receipt says {finished['speakers']}")
        expect(played.empty(), "it was played twice")
        print(f"played {report['seconds']} s, announced {started['duration_seconds']} s: {outcomes[0]}")

    async def refuse(self) -> None:
        """A wrong message is refused, and Home Assistant sees it."""
        await self.client.publish(f"{BASE}/room/cellar/say", "Anybody?")
        await self._state("event.kokoro_home_refused", "room", attribute="field")
        print("refused a room that there is not")

    async def forget(self) -> None:
        """The log of Home Assistant has nothing to say about us."""
        log = (self._config / "home-assistant.log").read_text(encoding="utf-8")
        loud = [line for line in log.splitlines() if (" WARNING " in line or " ERROR " in line) and "mqtt" in line]
        expect(not loud, "Home Assistant complains:\n" + "\n".join(loud[:5]))

    async def _say(self, entity: str, message: str) -> None:
        await self._call("notify.send_message", entity, message=message)

    async def _call(self, service: str, entity: str, **data: Any) -> None:
        await self.home.call_service(service, data, entity)

    async def _event(self, room: str, kind: str, announcement_id: str | None = None) -> dict[str, Any]:
        def is_it(heard: Heard) -> bool:
            return heard.json["event"] == kind and announcement_id in (None, heard.json["id"])

        found: dict[str, Any] = (await self.client.first(f"{BASE}/room/{room}/event", is_it)).json
        return found

    async def _state(self, entity: str, wanted: str, *, attribute: str | None = None) -> None:
        async def is_there() -> bool:
            states = {each["entity_id"]: each for each in await self.home.request("GET", "/api/states")}
            if entity not in states:
                return False
            state = states[entity]
            return str(state["state"] if attribute is None else state["attributes"].get(attribute)) == wanted

        await eventually(is_there, f"{entity} is {wanted}")


@contextlib.asynccontextmanager
async def with_blueprint(rig: Path, folder: Path, scratch: Path) -> AsyncIterator[tuple[Any, Path]]:
    """A fresh Home Assistant that knows our blueprint; yields its client and its configuration."""
    package = scratch / PACKAGE
    package.write_text("automation: []\n", encoding="utf-8")
    async with home_assistant(rig, folder, package) as (home, config):
        blueprints = config / "blueprints" / "automation" / "wyoming_kokoro"
        blueprints.mkdir(parents=True, exist_ok=True)
        shutil.copy(BLUEPRINT, blueprints)
        yield home, config


async def check(rig: Path, folder: Path) -> None:
    """All steps, on one Home Assistant."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        async with (
            mosquitto(place / "broker") as broker,
            mqtt_client(broker.port, f"{BASE}/#") as client,
            with_blueprint(rig, folder, place) as (home, config),
        ):
            await home.add_integration("mqtt", broker="127.0.0.1", port=broker.port)
            steps = Check(home, broker, client, place, config)
            try:
                await steps.serve("kitchen", "hall")
                await steps.discover("kitchen", "hall")
                await steps.set_up_the_room()
                await steps.hold_back()
                await steps.play()
                await steps.refuse()
                await steps.serve("kitchen")
                await steps.discover("kitchen")
                await steps.forget()
            finally:
                await steps.server.terminate()


if __name__ == "__main__":
    run_check("mqtt_in_home_assistant", __doc__, check)
