"""Announcements in four rooms while everybody is restarted over and over: receipts against what speakers recorded.

The server is killed (SIGKILL), the broker and Home Assistant are stopped and started again, `--restarts` times each, while
`--announcements` are published. Two rooms are played by a player that follows the broker, two by loudspeakers of a real Home
Assistant where the rig is there (`--rig`), else by the same player. At the end the journal has to show exactly one end per room
and announcement, everything that the broker took, and nothing that was confirmed and not heard, or heard twice.

    python -m benchmarks.torture.rooms --announcements 100 --restarts 10 --rig ../shared/home-assistant-rig
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.mosquitto import MosquittoProcess, free_port, mosquitto
from benchmarks.mqtt_client import MqttClient, mqtt_client
from benchmarks.server import ServerProcess
from benchmarks.torture.receipts import Receipts, Recording, examine
from benchmarks.torture.recorders import HomeAssistant, event_player

_BASE = "wyoming_kokoro/home"
_BY_EVENT = ("hall", "bath")
_BY_HOME_ASSISTANT = {"media_player.rig_kitchen": "kitchen", "media_player.rig_bedroom": "bedroom"}
_ROOMS = (*_BY_EVENT, *_BY_HOME_ASSISTANT.values())
_MOST_WAITING = 30
"""Fewer than a room's queue holds."""


@dataclass(slots=True)
class Torture:
    """One run."""

    announcements: int
    restarts: int
    seed: int
    rig: Path | None
    folder: Path
    recordings: list[Recording] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    async def run(self, place: Path) -> Receipts:
        """Announce, restart, wait for the end of all, examine."""
        async with contextlib.AsyncExitStack() as stack:
            broker = await stack.enter_async_context(mosquitto(place / "broker"))
            client = await stack.enter_async_context(mqtt_client(broker.port, f"{_BASE}/response/#", lasting_name="driver"))
            home = await stack.enter_async_context(self._home_assistant())
            by_event = _BY_EVENT if home is not None else _ROOMS
            await stack.enter_async_context(event_player(broker.port, by_event, self.recordings))
            server = self._new_server(place, broker, home)
            await server.start()
            try:
                await self._torture(client, server, broker, home)
                await self._finish(client)
            finally:
                await server.terminate()
        return await examine(place / "data", self.asked, self.recordings)

    @contextlib.asynccontextmanager
    async def _home_assistant(self) -> AsyncIterator[HomeAssistant | None]:
        if self.rig is None:
            yield None
            return
        home = HomeAssistant(self.rig.resolve(), self.folder.resolve(), free_port(), _BY_HOME_ASSISTANT, self.recordings)
        try:
            await home.start(is_fresh=True)
            yield home
        finally:
            await home.close()

    def _new_server(self, place: Path, broker: MosquittoProcess, home: HomeAssistant | None) -> ServerProcess:
        port = free_port()
        players = {room: {"type": "home_assistant", "entity": entity} for entity, room in _BY_HOME_ASSISTANT.items()}
        if home is None:
            players = {}
        options = {
            "engine": "tone",
            "mqtt_url": broker.url,
            "http_host": "127.0.0.1",
            "base_url": f"http://127.0.0.1:{port}",
            "rooms": [{"name": room, "speakers": [players.get(room, {"type": "mqtt_event"})]} for room in _ROOMS],
        }
        if home is not None:
            options |= {"home_assistant_url": home.url, "home_assistant_token": home.token}
        path = place / "options.json"
        path.write_text(json.dumps(options), encoding="utf-8")
        return ServerProcess(place / "data", "--options", str(path), "--http-port", str(port))

    async def _torture(
        self, client: MqttClient, server: ServerProcess, broker: MosquittoProcess, home: HomeAssistant | None
    ) -> None:
        chance = random.Random(self.seed)
        for number in range(self.restarts):
            first, last = (self.announcements * each // self.restarts for each in (number, number + 1))
            await self._announce(client, chance, range(first, last))
            await asyncio.sleep(chance.uniform(0.0, 3.0))
            await server.kill()
            await server.start()
            await asyncio.sleep(chance.uniform(0.0, 3.0))
            await broker.stop()
            await broker.start()
            if home is not None:
                await asyncio.sleep(chance.uniform(0.0, 3.0))
                await home.stop()
                await home.start()
            print(f"  restart {number + 1}: {last} announced, {len(self.recordings)} recorded", flush=True)
        await self._announce(
            client, chance, range(self.announcements * self.restarts // max(1, self.restarts), self.announcements)
        )

    async def _announce(self, client: MqttClient, chance: random.Random, numbers: range) -> None:
        """Publish, each to some of the rooms; no faster than the queues bear."""
        for number in numbers:
            await self._waiting(client, below=_MOST_WAITING)
            rooms = chance.sample(_ROOMS, chance.randint(1, len(_ROOMS)))
            name, sentences = f"n-{number}", chance.randint(1, 3)
            text = " ".join(f"Number {number}, part {part}." for part in range(sentences))
            priority = chance.choice(["low", "normal", "normal", "high", "critical"])
            message = {"text": text, "id": name, "rooms": rooms, "priority": priority, "expires_in": 86_400}
            await client.publish(f"{_BASE}/broadcast/say", message)
            self.asked.append(name)

    async def _waiting(self, client: MqttClient, *, below: int) -> None:
        """Return once fewer announcements than that have not ended everywhere."""
        while True:
            with contextlib.suppress(TimeoutError, AssertionError):
                if await self._unfinished(client) < below:
                    return
            await asyncio.sleep(0.2)

    async def _unfinished(self, client: MqttClient) -> int:
        client.heard.clear()
        await client.publish(f"{_BASE}/request/list", {"limit": 200})
        answer = (await client.first(f"{_BASE}/response/list")).json["announcements"]
        known = {each["id"] for each in answer}
        return sum(not each["is_over"] for each in answer) + len([name for name in self.asked[-200:] if name not in known])

    async def _finish(self, client: MqttClient) -> None:
        """Until all has ended."""
        await self._waiting(client, below=1)


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--announcements", type=int, default=100)
    parser.add_argument("--restarts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rig", type=Path, help="the Home Assistant rig; without it there is no Home Assistant")
    parser.add_argument("--dir", type=Path, default=Path(".home-assistant"), help="where the rig installs it")
    arguments = parser.parse_args()
    torture = Torture(arguments.announcements, arguments.restarts, arguments.seed, arguments.rig, arguments.dir)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        receipts = asyncio.run(torture.run(Path(folder)))
    homes = arguments.restarts if arguments.rig else 0
    print(f"restarts                   server {arguments.restarts}, broker {arguments.restarts}, Home Assistant {homes}")
    print(f"seconds                    {time.monotonic() - started:.0f}")
    print(f"asked for, accepted        {len(torture.asked)}, {receipts.announcements}")
    print(f"ends                       {', '.join(f'{count} {name}' for name, count in receipts.ends.most_common())}")
    print(f"speakers say of finished   {', '.join(f'{count} {name}' for name, count in receipts.outcomes.most_common())}")
    print(f"playbacks, recorded whole  {receipts.tries}, {receipts.recorded}")
    print(f"assumed, but not heard     {receipts.assumed_in_vain}")
    print(f"faults                     {len(receipts.faults)}")
    for fault in receipts.faults:
        print(f"  {fault}")
    raise SystemExit(bool(receipts.faults))


if __name__ == "__main__":
    main()
