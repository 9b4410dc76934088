"""Announcements that a real Home Assistant plays: a script, since it needs the rig and takes a minute.

Starts Mosquitto, Home Assistant with the automations of docs/automations.md, a Wyoming satellite and the server (which hums),
and announces to two media players and the satellite. Each records what it got, and every receipt is compared with that. Ends
with `passed`, or with what went wrong and exit status 1.

    python -m tests.rig.announcements_in_home_assistant --rig ../shared/home-assistant-rig --dir .home-assistant
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import yaml

from benchmarks.mosquitto import free_port, mosquitto
from benchmarks.server import ServerProcess
from tests.rig.real_home_assistant import PATIENCE_SECONDS, ROOT, eventually, expect, home_assistant, run, run_check

ROOMS = {
    "kitchen": "media_player.rig_kitchen",
    "bedroom": "media_player.rig_bedroom",
    "hall": "assist_satellite.rig_satellite",
}
NOWHERE = {"nursery": "media_player.nursery"}
DINNER = "Dinner is ready. Please come down."
REPORT = " ".join(f"This is sentence {number} of a long report about the garden and the house." for number in range(1, 6))
DOOR = "Somebody is at the front door."
TAXI = "The taxi is here, and it waits at the corner of the street. Please take the umbrella with you."


@dataclass
class Recorded:
    """What the loudspeakers themselves say that they played, in order, with the time at which each ended."""

    heard: list[tuple[float, str, dict[str, Any]]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, entity: str, what: dict[str, Any]) -> None:
        """One thing was played, or stopped."""
        self.heard.append((time.monotonic(), entity, what))
        self.changed.set()

    def of(self, room: str, since: int) -> list[dict[str, Any]]:
        """In that room, after so many in all."""
        return [what for _, entity, what in self.heard[since:] if entity == ROOMS[room]]

    async def until(self, room: str, outcome: str, since: int) -> float:
        """When the first of that outcome ended."""
        async with asyncio.timeout(2 * PATIENCE_SECONDS):
            while True:
                for when, entity, what in self.heard[since:]:
                    if entity == ROOMS[room] and what["outcome"] == outcome:
                        return when
                self.changed.clear()
                await self.changed.wait()


class Door:
    """The server's HTTP API."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server

    async def ask(self, method: str, path: str, **body: Any) -> Any:
        """The JSON of its answer."""
        headers = {"Authorization": f"Bearer {(self.server.data_dir / 'api_token').read_text().strip()}"}
        url = f"http://127.0.0.1:{self.server.http_port}/api/{path}"
        async with (
            aiohttp.ClientSession(headers=headers, raise_for_status=True) as session,
            session.request(method, url, json=body or None) as answer,
        ):
            return None if answer.status == 204 else await answer.json()

    async def announce(self, text: str, *rooms: str, **fields: Any) -> str:
        """Its id."""
        return str((await self.ask("POST", "announcements", text=text, rooms=list(rooms), **fields))["id"])

    async def receipts(self, announcement: str) -> dict[str, dict[str, Any]]:
        """Of each room, once all of them are final."""
        rooms: dict[str, dict[str, Any]] = {}

        async def are_final() -> bool:
            rooms.update((await self.ask("GET", f"announcements/{announcement}"))["rooms"])
            return all(receipt["is_final"] for receipt in rooms.values())

        await eventually(are_final, f"the receipts of {announcement}", seconds=3 * PATIENCE_SECONDS)
        return rooms

    async def plays(self, room: str, announcement: str, *, seconds: float = 1.0) -> None:
        """Return when the room has heard so much of it."""

        async def does() -> bool:
            playing = (await self.ask("GET", f"rooms/{room}"))["now_playing"]
            return playing is not None and playing["id"] == announcement and (playing["position_seconds"] or 0.0) >= seconds

        await eventually(does, f"{announcement} is heard in {room}")


@dataclass
class Steps:
    """One run, step by step."""

    home: Any
    server: ServerProcess
    door: Door
    recorded: Recorded

    async def speak_everywhere(self) -> None:
        """One text in three rooms: confirmed in each, and each has recorded it whole, once; the volume and the chime fit."""
        receipts = await self.door.receipts(await self.door.announce(DINNER, *ROOMS))
        heard = {room: self.recorded.of(room, 0) for room in ROOMS}
        for room, receipt in receipts.items():
            print(f"{room}: {outcome(receipt)}, recorded {seconds_of(heard[room])} s")
            expect(outcome(receipt) == "finished/confirmed", f"the receipt of {room} says {receipt}")
            expect(len(heard[room]) == 1 and heard[room][0]["seconds"] > 1, f"{room} recorded {heard[room]}")
        [kitchen], [bedroom] = heard["kitchen"], heard["bedroom"]
        expect(kitchen["volume"] == 0.7, f"the kitchen's volume was {kitchen['volume']}")
        expect(kitchen["seconds"] > bedroom["seconds"] + 0.3, "the kitchen heard no chime")

    async def interrupt(self) -> None:
        """The doorbell stops a long report, which goes on at its sentence."""
        since = len(self.recorded.heard)
        report = await self.door.announce(REPORT, "bedroom")
        await self.door.plays("bedroom", report, seconds=5.5)
        asked = time.monotonic()
        door = await self.door.announce(DOOR, "bedroom", priority="critical")
        stopped = await self.recorded.until("bedroom", "stopped", since)
        receipts = [(await self.door.receipts(each))["bedroom"] for each in (door, report)]
        heard = self.recorded.of("bedroom", since)
        print(f"interrupted: silent {1000 * (stopped - asked):.0f} ms after the doorbell was announced; {seconds_of(heard)} s")
        expect([each["outcome"] for each in heard] == ["stopped", "played", "played"], f"the bedroom recorded {heard}")
        expect(heard[2]["seconds"] < heard[0]["seconds"] - 2, "the report did not return at its sentence")
        expect({outcome(each) for each in receipts} == {"finished/confirmed"}, f"the receipts say {receipts}")

    async def stop(self) -> None:
        """Told to be silent, the room is."""
        since = len(self.recorded.heard)
        report = await self.door.announce(REPORT.replace("garden", "cellar"), "bedroom")
        await self.door.plays("bedroom", report)
        asked = time.monotonic()
        await self.door.ask("POST", "rooms/bedroom/stop")
        stopped = await self.recorded.until("bedroom", "stopped", since)
        receipt = (await self.door.receipts(report))["bedroom"]
        print(f"stopped: silent {1000 * (stopped - asked):.0f} ms after the request; {outcome(receipt)}")
        expect(receipt["event"] == "cancelled", f"the receipt says {receipt}")

    async def fail(self) -> None:
        """A room whose player does not exist says so, and the automation of the page tells the owner."""
        receipt = (await self.door.receipts(await self.door.announce(DINNER, *NOWHERE, expires_in=4)))["nursery"]
        reason = "Home Assistant has no entity media_player.nursery"
        expect(receipt["event"] in ("failed", "expired") and reason in json.dumps(receipt), f"the receipt says {receipt}")
        notes: list[dict[str, Any]] = []

        async def are_there() -> bool:
            notes[:] = await self.home.command("persistent_notification/get")
            return bool(notes)

        await eventually(are_there, "the automation's notification")
        print(f"failed: {notes[0]['title']}: {notes[0]['message']}")
        expect("nursery" in notes[0]["title"] and reason in notes[0]["message"], f"the notification says {notes[0]}")

    async def call_to_dinner(self) -> None:
        """The automation of the page announces by MQTT in all rooms but the nursery."""
        since = len(self.recorded.heard)
        await self.home.call_service("input_button.press", {}, "input_button.dinner")
        await asyncio.gather(*(self.recorded.until(room, "played", since) for room in ROOMS))
        heard = {room: seconds_of(self.recorded.of(room, since)) for room in ROOMS}
        print(f"dinner: {heard} s")
        expect(all(len(each) == 1 for each in heard.values()), f"recorded {heard}")

    async def crash(self) -> None:
        """Killed in the middle of two announcements: each ends once and is heard once, and the volume is given back."""
        since = len(self.recorded.heard)
        taxi = await self.door.announce(TAXI, "kitchen", "hall")
        await asyncio.gather(*(self.door.plays(room, taxi) for room in ("kitchen", "hall")))
        await self.server.kill()
        await self.server.start()
        receipts = await self.door.receipts(taxi)
        for room, receipt in receipts.items():
            await self.recorded.until(room, "played", since)
            heard = self.recorded.of(room, since)
            print(f"{room}, after a SIGKILL: {outcome(receipt)}, recorded {seconds_of(heard)} s")
            expect(receipt["event"] == "finished" and len(heard) == 1, f"{room}: {receipt}, recorded {heard}")

        async def is_back() -> bool:
            state = await self.home.request("GET", f"/api/states/{ROOMS['kitchen']}")
            return bool(state["attributes"]["volume_level"] == 0.5)

        await eventually(is_back, "the kitchen has its volume again")


def outcome(receipt: dict[str, Any]) -> str:
    """The event, and what each speaker made of it."""
    return "/".join([receipt["event"], *(speaker["outcome"] for speaker in receipt["speakers"])])


def seconds_of(heard: list[dict[str, Any]]) -> list[float]:
    """How long each was."""
    return [each["seconds"] for each in heard]


def package(folder: Path) -> Path:
    """Every automation of the page, and the button that one of them waits for."""
    page = (ROOT / "docs" / "automations.md").read_text(encoding="utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)]
    automations = [{"id": str(number), **block} for number, block in enumerate(blocks) if "alias" in block]
    path = folder / "page.yaml"
    path.write_text(yaml.safe_dump({"automation": automations, "input_button": {"dinner": None}}), encoding="utf-8")
    return path


@contextlib.asynccontextmanager
async def satellite(rig: Path, folder: Path, recorded: Recorded) -> AsyncIterator[None]:
    """The rig's: it prints a line of JSON for each thing that it has got. Home Assistant owns it."""
    python, port = folder / "venv" / "bin" / "python", free_port()
    program = [python, "-B", rig / "fake_satellite.py", "--port", port, "--out", folder / "heard"]
    process = await asyncio.create_subprocess_exec(*map(str, program), stdout=subprocess.PIPE)
    assert process.stdout is not None
    stdout = process.stdout

    async def read() -> None:
        while line := await stdout.readline():
            heard = json.loads(line)
            recorded.note(ROOMS["hall"], {"outcome": "played" if heard["peak"] else "silence", "seconds": heard["heard_s"]})

    reading = asyncio.create_task(read())
    try:
        await run(python, "-B", rig / "drive.py", "add-wyoming", "--port", port, "--wait", "30", "--dir", folder)
        yield
    finally:
        process.kill()
        await process.wait()
        await reading


@contextlib.asynccontextmanager
async def recording(home: Any, recorded: Recorded) -> AsyncIterator[None]:
    """What the media players tell is noted meanwhile."""
    async with home.subscription("subscribe_events", event_type="rig_played") as events:

        async def read() -> None:
            while True:
                data = (await events.get())["data"]
                recorded.note(data["entity_id"], data)

        reading = asyncio.create_task(read())
        try:
            yield
        finally:
            reading.cancel()


def options(scratch: Path, folder: Path, mqtt_url: str) -> Path:
    """The server's."""
    speakers = {room: [{"type": "home_assistant", "entity": entity}] for room, entity in (ROOMS | NOWHERE).items()}
    rooms: list[dict[str, Any]] = [{"name": room, "speakers": those} for room, those in speakers.items()]
    rooms[0] |= {"chime": "bell", "volume": 0.7}
    facts = json.loads((folder / "rig.json").read_text(encoding="utf-8"))
    token = (folder / "token").read_text(encoding="utf-8").strip()
    home = {"home_assistant_url": facts["url"], "home_assistant_token": token}
    path = scratch / "options.json"
    path.write_text(json.dumps({**home, "engine": "tone", "mqtt_url": mqtt_url, "rooms": rooms}), encoding="utf-8")
    return path


async def check(rig: Path, folder: Path) -> None:
    """All steps, on one Home Assistant."""
    recorded = Recorded()
    async with contextlib.AsyncExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = await stack.enter_async_context(mosquitto(scratch / "broker"))
        home, _ = await stack.enter_async_context(home_assistant(rig, folder, package(scratch)))
        await home.add_integration("mqtt", broker="127.0.0.1", port=broker.port)
        for service in ("automation.turn_off", "automation.turn_on"):  # they were there before the broker was
            await home.call_service(service, {}, "all")
        await stack.enter_async_context(satellite(rig, folder, recorded))
        await stack.enter_async_context(recording(home, recorded))
        server = ServerProcess(scratch / "data", "--options", str(options(scratch, folder, broker.url)))
        steps = Steps(home, server, Door(server), recorded)
        try:
            await server.start()
            for step in (steps.speak_everywhere, steps.interrupt, steps.stop, steps.fail, steps.call_to_dinner, steps.crash):
                await step()
        except BaseException:
            print(server.log[-4000:])
            raise
        finally:
            await server.terminate()


if __name__ == "__main__":
    run_check("announcements_in_home_assistant", __doc__, check)
