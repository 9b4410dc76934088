"""The worlds around each kind of speaker: what it drives, how that is heard, and how it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Protocol, Self

from tests.fake_home_assistant import TOKEN, VOLUME_SET, Entity, FakeHomeAssistant, Sound
from tests.fake_snapserver import FakeSnapserver
from tests.patient_time import PatientClock
from wyoming_kokoro.core.played_reports import PlayedReports
from wyoming_kokoro.model.announcement import Play, PlayOutcome
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.presentation import Presentation
from wyoming_kokoro.ports import Speaker
from wyoming_kokoro.settings import HomeAssistantSettings
from wyoming_kokoro.settings import speakers as options
from wyoming_kokoro.speakers.build import SpeakerBuilder

LEVEL = 8000
"""Of every sample of a test's sound."""


class Bench:
    """Plays, who fetched them, and the builder of speakers."""

    def __init__(self, folder: Path) -> None:
        self.clock = PatientClock()
        self.reports = PlayedReports()
        self.folder = folder
        self.fetched: set[str] = set()
        self._count = 0

    def builder(self, url: str | None = None, token: str = TOKEN) -> SpeakerBuilder:
        settings = HomeAssistantSettings(url=url, token=token)
        return SpeakerBuilder(settings, {}, self.clock, self.reports, self.folder)

    def play(self, seconds: float = 3.0, *, volume: float | None = None, is_known: bool = True) -> Play:
        """A sound of that length."""
        self._count += 1
        play_id = f"p{self._count}"

        async def pcm() -> AsyncGenerator[bytes, None]:
            left = round(seconds * SPEECH.rate)
            while left:
                size = min(left, SPEECH.rate // 10)
                left -= size
                yield LEVEL.to_bytes(2, "little", signed=True) * size

        return Play(
            play_id=play_id,
            announcement_id=f"a{self._count}",
            room="kitchen",
            cast_id=CastId("k3m5v7qa2xw4ybtc"),
            presentation=Presentation(),
            duration_seconds=seconds if is_known else None,
            volume=volume,
            urls={"mp3": f"http://server/audio/x.mp3?play={play_id}", "wav": f"http://server/audio/x.wav?play={play_id}"},
            pcm=pcm,
            is_fetched=lambda: play_id in self.fetched,
        )

    def sound(self, play: Play, seconds: float) -> Sound:
        """What its addresses give."""
        return Sound(seconds, lambda: self.fetched.add(play.play_id))


class Opened:
    """A world is open within its block."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def open(self) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


class World(Protocol):
    """One speaker and what it drives."""

    bench: Bench
    speaker: Speaker
    best: PlayOutcome
    """What a playback that was heard to its end is called."""
    can_stop: bool
    breaks_as: set[PlayOutcome]
    """What is said where the other side breaks off in the middle."""

    async def open(self) -> None: ...
    async def close(self) -> None: ...
    def offer(self, play: Play, seconds: float = 3.0) -> None:
        """Let the world fetch it."""

    def heard_seconds(self) -> float:
        """How much of the last sound has come out."""

    async def become_deaf(self) -> None:
        """From now on nothing can be heard."""

    async def break_off(self) -> None:
        """The other side vanishes in the middle."""


class HomeWorld(Opened):
    """An entity of a fake Home Assistant."""

    best = PlayOutcome.CONFIRMED

    def __init__(self, folder: Path, entity: Entity, *, can_stop: bool) -> None:
        self.bench = Bench(folder)
        self.entity = entity
        self.can_stop = can_stop
        self.breaks_as = {PlayOutcome.ASSUMED, PlayOutcome.UNKNOWN}
        self.home = FakeHomeAssistant(self.bench.clock, entity)

    async def open(self) -> None:
        await self.home.start()
        [self.speaker] = self.bench.builder(self.home.url).build([options.HomeAssistantSpeaker(entity=self.entity.entity_id)])
        await self.connect()

    async def connect(self) -> None:
        """Start the speaker and wait for its connection."""
        before = self.home.connections
        await self.speaker.start()
        await self.bench.clock.until(lambda: self.home.connections > before)
        await self.bench.clock.sleep(0.1)

    async def close(self) -> None:
        await self.speaker.close()
        await self.home.close()

    def offer(self, play: Play, seconds: float = 3.0) -> None:
        for url in play.urls.values():
            self.home.sounds[url] = self.bench.sound(play, seconds)

    def heard_seconds(self) -> float:
        if not self.entity.heard:
            return 0.0
        last = self.entity.heard[-1]
        return self.bench.clock.monotonic() - last.began_at if last.seconds is None else last.seconds

    async def become_deaf(self) -> None:
        self.entity.fetches = False

    async def break_off(self) -> None:
        await self.home.stop()


def media_player(folder: Path) -> HomeWorld:
    return HomeWorld(folder, Entity("media_player.kitchen"), can_stop=True)


def satellite(folder: Path) -> HomeWorld:
    entity = Entity("assist_satellite.hall", platform="wyoming", attributes={"supported_features": 1})
    return HomeWorld(folder, entity, can_stop=False)


def music_assistant(folder: Path) -> HomeWorld:
    entity = Entity("media_player.ma", platform="music_assistant")
    return HomeWorld(folder, entity, can_stop=False)


class SnapcastWorld(Opened):
    """A source and a group of a fake Snapcast server."""

    best = PlayOutcome.CONFIRMED
    can_stop = True
    breaks_as = {PlayOutcome.FAILED, PlayOutcome.UNKNOWN}  # noqa: RUF012 - nobody changes a test's table

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.server = FakeSnapserver()

    async def open(self) -> None:
        await self.server.start()
        self.speaker = self.build()
        await self.speaker.start()

    def build(self, **changes: object) -> Speaker:
        """A speaker for the fake's ports."""
        ports = {"port": self.server.source_port, "control_port": self.server.control_port}
        given: dict[str, object] = {"type": "snapcast", "host": "127.0.0.1", "group": "Kitchen", **ports, **changes}
        named = {key: value for key, value in given.items() if value is not None}
        [speaker] = self.bench.builder().build(options.read_speakers([named], "options"))
        return speaker

    async def close(self) -> None:
        await self.speaker.close()
        await self.server.stop()

    def offer(self, play: Play, seconds: float = 3.0) -> None:
        pass

    def heard_seconds(self) -> float:
        return max(0.0, len(self.server.received[-1]) / 192_000 - 0.1) if self.server.received else 0.0

    async def become_deaf(self) -> None:
        self.server.client["connected"] = False

    async def break_off(self) -> None:
        await self.server.stop()


class EventWorld(Opened):
    """An automation that plays what the room's event names."""

    best = PlayOutcome.CONFIRMED
    can_stop = False
    breaks_as = {PlayOutcome.ASSUMED}  # noqa: RUF012 - nobody changes a test's table

    def __init__(self, folder: Path) -> None:
        self.bench = Bench(folder)
        self.automation: asyncio.Task[None] | None = None
        self.is_deaf = False
        self._began = 0.0
        self._seconds = 0.0

    async def open(self) -> None:
        [self.speaker] = self.bench.builder().build([options.MqttEventSpeaker()])
        await self.speaker.start()

    async def close(self) -> None:
        await self.break_off()
        await self.speaker.close()

    def offer(self, play: Play, seconds: float = 3.0) -> None:
        self._began, self._seconds = self.bench.clock.monotonic(), seconds
        self.automation = asyncio.ensure_future(self._automate(play, seconds))

    async def _automate(self, play: Play, seconds: float) -> None:
        if self.is_deaf:
            return
        await self.bench.clock.sleep(0.1)
        self.bench.fetched.add(play.play_id)
        await self.bench.clock.sleep(seconds)
        self.bench.reports.report(play.play_id)

    def heard_seconds(self) -> float:
        return min(self._seconds, self.bench.clock.monotonic() - self._began)

    async def become_deaf(self) -> None:
        self.is_deaf = True

    async def break_off(self) -> None:
        if self.automation is not None:
            self.automation.cancel()
            await asyncio.gather(self.automation, return_exceptions=True)


WORLDS = {
    "media_player": media_player,
    "assist_satellite": satellite,
    "music_assistant": music_assistant,
    "snapcast": SnapcastWorld,
    "mqtt_event": EventWorld,
}
"""Whoever joins stands here."""

VOLUME_FEATURE = VOLUME_SET
