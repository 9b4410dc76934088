"""Speakers that record what they have played to its end; they live on while everybody else is killed."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import re
import sys
import time
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp

from benchmarks.mqtt_client import Heard, MqttClient, mqtt_client
from benchmarks.torture.receipts import Recording

_BASE = "wyoming_kokoro/home"
_FRESH_SECONDS = 10.0
_ANSWERS_SECONDS = 5.0
_LISTEN_SECONDS = 1.0
_TOLERANCE_SECONDS = 1.0


class EventPlayer:
    """Plays what rooms with `mqtt_event` announce, as the blueprint does: fetch it, let it last, say that it was played."""

    def __init__(self, client: MqttClient, recordings: list[Recording]) -> None:
        self._client = client
        self._recordings = recordings
        self._seen: set[str] = set()
        self._playing: set[asyncio.Task[None]] = set()
        self._place = 0

    async def listen(self) -> None:
        """For ever."""
        while True:
            heard = await self._client.until(lambda all_: len(all_) > self._place, patience_seconds=None)
            for message in heard[self._place :]:
                self._take(message)
            self._place = len(heard)

    def _take(self, message: Heard) -> None:
        event = message.json
        if event["event"] != "started" or event["play_id"] in self._seen:
            return
        if time.time() - datetime.fromisoformat(event["at"]).timestamp() > _FRESH_SECONDS:
            return
        self._seen.add(event["play_id"])
        task = asyncio.create_task(self._play(event))
        self._playing.add(task)
        task.add_done_callback(self._playing.discard)

    async def _play(self, event: dict[str, Any]) -> None:
        try:
            async with aiohttp.ClientSession() as session, session.get(event["urls"]["wav"]) as response:
                response.raise_for_status()
                await response.read()
        except aiohttp.ClientError:
            return  # a player that can't fetch it is silent
        await asyncio.sleep(event["duration_seconds"])
        self._recordings.append(Recording(event["room"], event["play_id"]))
        with contextlib.suppress(TimeoutError):
            await self._client.publish(f"{_BASE}/room/{event['room']}/cmd", f"played {event['play_id']}")


@contextlib.asynccontextmanager
async def event_player(port: int, rooms: tuple[str, ...], recordings: list[Recording]) -> AsyncIterator[None]:
    """Somebody plays in these rooms."""
    async with mqtt_client(port, *(f"{_BASE}/room/{room}/event" for room in rooms), lasting_name="event-player") as client:
        listening = asyncio.create_task(EventPlayer(client, recordings).listen())
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


class HomeAssistant:
    """The real one, from the rig, with its two loudspeakers, which say what they have played."""

    def __init__(self, rig: Path, folder: Path, port: int, rooms: dict[str, str], recordings: list[Recording]) -> None:
        """`rooms` names the room of each loudspeaker, by its entity."""
        self._rig = rig
        self._folder = folder
        self._port = port
        self._rooms = rooms
        self._recordings = recordings
        self._listening: asyncio.Task[None] | None = None
        self._hears = asyncio.Event()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def token(self) -> str:
        """How it lets us in."""
        return (self._folder / "token").read_text(encoding="utf-8")

    async def start(self, *, is_fresh: bool = False) -> None:
        """Return when it is ready, and nothing that its loudspeakers play is missed."""
        if is_fresh:
            await self._run("install", str(self._folder))
        await self._run("start", str(self._folder), "--port", str(self._port), *([] if is_fresh else ["--keep"]))
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        await self._hears.wait()

    async def stop(self) -> None:
        """It ends; what plays ends with it."""
        self._hears.clear()
        await self._run("stop", str(self._folder))

    async def close(self) -> None:
        """For good."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self.stop()

    async def _run(self, script: str, *arguments: str) -> None:
        process = await asyncio.create_subprocess_exec(
            str(self._rig / script), *arguments, stdout=asyncio.subprocess.DEVNULL, start_new_session=True
        )
        assert await process.wait() == 0, f"{script} failed"

    async def _listen(self) -> None:
        """To what its loudspeakers have played, over every restart."""
        sys.path.insert(0, str(self._rig))
        sys.dont_write_bytecode = True
        client = importlib.import_module("ha_client")
        while True:
            with contextlib.suppress(client.HomeAssistantError, aiohttp.ClientError, OSError, TimeoutError):
                async with (
                    client.HomeAssistant(self.url, self.token) as home,
                    home.subscription("subscribe_events", event_type="rig_played") as events,
                ):
                    self._hears.set()
                    while True:
                        await self._hear(events)
                        async with asyncio.timeout(_ANSWERS_SECONDS):
                            await home.command("get_config")  # is it still there?
            await asyncio.sleep(0.05)

    async def _hear(self, events: asyncio.Queue[dict[str, Any]]) -> None:
        """What comes within a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LISTEN_SECONDS):
                while True:
                    self._record(await events.get())

    def _record(self, event: dict[str, Any]) -> None:
        report = event["data"]
        found = re.search(r"[?&]play=(\w+)", report["url"])
        if found is not None and (report["outcome"] == "played" or _is_nearly_whole(event)):
            self._recordings.append(Recording(self._rooms[report["entity_id"]], found.group(1)))
        elif report["outcome"].startswith("failed"):
            print("  a loudspeaker could not:", json.dumps(report)[:300])


def _is_nearly_whole(event: dict[str, Any]) -> bool:
    """Whether Home Assistant ended in the last second of the sound: that much is allowed to what is confirmed."""
    report = event["data"]
    if report["outcome"] != "stopped" or "seconds" not in report:
        return False
    began = int(report["file"].rpartition("-")[2]) / 1000 - (report["fetched_s"] - report["first_byte_s"])
    missed_seconds = began + report["seconds"] - datetime.fromisoformat(event["time_fired"]).timestamp()
    return float(missed_seconds) <= _TOLERANCE_SECONDS
