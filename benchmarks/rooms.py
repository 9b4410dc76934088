"""Fairness across rooms on the whole path: a doorbell in one room, a ten-minute report for another, a third out of reach.

    python -m benchmarks.rooms [--engine auto] [--rounds 5] [--priority normal] [--json FILE]

Each round rings in a quiet house, then in the busy one, with a text that was never spoken. The figures are seconds from
asking to the ack, to `started` in the hall, and to the first byte of sound on the link that `started` names. The
engine alone speaks the same kind of text in the quiet house of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from benchmarks.bare_engine import first_piece_seconds
from benchmarks.server import ServerProcess, running
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.engine.build import build_engine
from wyoming_kokoro.model.recipe import Profile
from wyoming_kokoro.ports import Engine
from wyoming_kokoro.settings import EngineSettings

_ROOMS = [
    {"name": "study", "speakers": [{"type": "mqtt_event"}]},
    {"name": "hall", "speakers": [{"type": "mqtt_event"}]},
    # Nobody listens on the port of tcpmux.
    {"name": "attic", "speakers": [{"type": "snapcast", "host": "127.0.0.1", "port": 1}]},
]
_FIGURES = ("ack", "started", "first byte")
_SENTENCES = 150
"""Some four seconds each."""


def _report(number: int) -> str:
    """Ten minutes, no sentence of which was said before."""
    return " ".join(
        f"Paragraph {index} of report {number} tells what the weather will be like in the valley."
        for index in range(_SENTENCES)
    )


class Hall:
    """Rings, and listens to what happens in the hall."""

    def __init__(self, server: ServerProcess, client: aiohttp.ClientSession, priority: str) -> None:
        self._priority = priority
        self._url = f"http://127.0.0.1:{server.http_port}"
        self._client = client

    async def announce(self, text: str, room: str, priority: str = "normal") -> str:
        """The id, once it is durable."""
        document = {"text": text, "rooms": [room], "priority": priority}
        async with self._client.post(f"{self._url}/api/announcements", json=document) as answer:
            answer.raise_for_status()
            return str((await answer.json())["id"])

    async def ring(self, text: str) -> dict[str, float]:
        """Seconds to each of the figures."""
        async with self._client.get(f"{self._url}/api/rooms/hall/events") as events:
            asked_at = time.monotonic()
            announcement_id = await self.announce(text, "hall", self._priority)
            acked_at = time.monotonic()
            started = await self._event(events, announcement_id, "started")
            started_at = time.monotonic()
            link = str(started["urls"]["wav"])
            async with self._client.get(self._url + link[link.rindex("/audio/") :]) as sound:
                await sound.content.readexactly(1)
                first_byte_at = time.monotonic()
                await sound.read()
        return dict(zip(_FIGURES, (each - asked_at for each in (acked_at, started_at, first_byte_at)), strict=True))

    async def quiet(self, room: str) -> None:
        """Return when nothing is heard there any more."""
        while True:
            async with self._client.get(f"{self._url}/api/rooms/{room}") as answer:
                if (await answer.json())["state"] == "idle":
                    return
            await asyncio.sleep(0.2)

    async def settled(self) -> None:
        """Return when no cast is being made."""
        while True:
            async with self._client.get(f"{self._url}/api/casts?limit=20") as answer:
                states = {cast["state"] for cast in (await answer.json())["casts"]}
            if not states & {"queued", "speaking"}:
                return
            await asyncio.sleep(0.2)

    async def withdraw(self, announcement_id: str) -> None:
        """Neither heard nor made any further."""
        async with self._client.get(f"{self._url}/api/announcements/{announcement_id}") as answer:
            cast_id = (await answer.json())["cast"]
        async with self._client.delete(f"{self._url}/api/announcements/{announcement_id}") as answer:
            answer.raise_for_status()
        async with self._client.post(f"{self._url}/api/casts/{cast_id}/cancel") as answer:
            answer.raise_for_status()

    async def _event(self, events: aiohttp.ClientResponse, announcement_id: str, name: str) -> Any:
        async for line in events.content:
            if line.startswith(b"data:"):
                event = json.loads(line[5:])
                if event["id"] == announcement_id and event["event"] == name:
                    return event
        raise AssertionError("the events ended")


async def measure(hall: Hall, engine: Engine, rounds: int) -> dict[str, dict[str, list[float]]]:
    """By house and figure."""
    found: dict[str, dict[str, list[float]]] = {"quiet": defaultdict(list), "busy": defaultdict(list)}
    bare = found["quiet"]["bare engine"] = []

    async def ring(house: str, number: int) -> None:
        for figure, seconds in (await hall.ring(f"It is {house} and number {number} is at the front door.")).items():
            found[house][figure].append(seconds)

    await hall.ring("To warm up.")
    await hall.quiet("hall")
    for number in range(rounds):
        await ring("quiet", number)
        await hall.quiet("hall")
        bare.append(await first_piece_seconds(engine, f"It is bare and number {number} is at the front door.", Profile.QUALITY))
        report = await hall.announce(_report(number), "study")
        unreachable = await hall.announce(f"Nobody hears number {number}.", "attic")
        await asyncio.sleep(2)
        await ring("busy", number)
        for announcement_id in (report, unreachable):
            await hall.withdraw(announcement_id)
        await hall.settled()
        await hall.quiet("hall")
    return found


async def run(options: argparse.Namespace) -> dict[str, dict[str, list[float]]]:
    """One server for all rounds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "options.yaml"
        file.write_text(json.dumps({"rooms": _ROOMS}), encoding="utf-8")
        arguments = ("--engine", options.engine, "--options", str(file), "--api-token", "none", "--http-host", "127.0.0.1")
        timeout = aiohttp.ClientTimeout(total=300)
        async with running(Path(folder) / "data", *arguments) as server, aiohttp.ClientSession(timeout=timeout) as client:
            await server.logged("ready: the engine has spoken")
            engine = build_engine(EngineSettings(engine=options.engine), SystemClock())
            try:
                await engine.start()
                return await measure(Hall(server, client, options.priority), engine, options.rounds)
            finally:
                await engine.stop()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--priority", default="normal", help="of the doorbell")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = asyncio.run(run(options))
    print(f"| doorbell, s | {' | '.join(f'{house}, median | {house}, worst' for house in found)} |")
    print("|---|---|---|---|---|")
    for figure in _FIGURES:
        cells = (each for house in found.values() for each in (median(house[figure]), max(house[figure])))
        print(f"| {figure} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    bare = found["quiet"]["bare engine"]
    print(f"the engine alone, first piece: {median(bare):.3f} s, worst {max(bare):.3f} s")
    late = [busy - 1.3 * alone for busy, alone in zip(found["busy"]["first byte"], bare, strict=True)]
    print(f"first byte in the busy house beyond 1.3 times that: {1000 * median(late):.0f} ms, worst {1000 * max(late):.0f} ms")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
