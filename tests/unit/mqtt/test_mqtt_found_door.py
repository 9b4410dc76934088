"""The door follows the broker that was named last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from wyoming_kokoro.frontends.mqtt.found_door import FoundDoor
from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings import MqttSettings

FIRST, SECOND, WRONG = (MqttSettings(url=f"mqtt://{name}:1883") for name in ("first", "second", "wrong"))


class PretendDoor:
    """Notes what is done with it."""

    def __init__(self, url: str, done: list[str]) -> None:
        self._url = url
        self._done = done
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self) -> None:
        self._done.append(f"start {self._url}")

    async def stop(self, _: float) -> None:
        self._done.append(f"stop {self._url}")
        self.failed.cancel()


class Brokers:
    """What is named, one after the other, for ever."""

    def __init__(self) -> None:
        self.named: asyncio.Queue[MqttSettings] = asyncio.Queue()
        self.done: list[str] = []
        self.doors: list[PretendDoor] = []
        self.door = FoundDoor(self._each(), self._make, grace_seconds=1)

    async def name(self, settings: MqttSettings) -> None:
        """It is taken up when this returns."""
        await self.named.put(settings)
        await self.named.join()

    async def _each(self) -> AsyncIterator[MqttSettings]:
        while True:
            yield await self.named.get()
            self.named.task_done()

    def _make(self, settings: MqttSettings) -> PretendDoor:
        if settings is WRONG:
            raise SettingsError("mqtt_url: nobody can use it")
        self.doors.append(PretendDoor(str(settings.url).removeprefix("mqtt://").removesuffix(":1883"), self.done))
        return self.doors[-1]


async def test_another_broker_closes_the_door_at_the_first_one() -> None:
    brokers = Brokers()
    await brokers.door.start()
    await brokers.name(FIRST)
    await brokers.name(SECOND)
    assert brokers.done == ["start first", "stop first", "start second"]
    assert not brokers.door.failed.done()
    await brokers.door.stop(1)
    await brokers.door.stop(1)
    assert brokers.done[3:] == ["stop second"]


async def test_a_broker_that_nobody_can_use_is_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    brokers = Brokers()
    await brokers.door.start()
    await brokers.name(WRONG)
    await brokers.name(SECOND)
    assert brokers.done == ["start second"]
    assert "no MQTT: mqtt_url: nobody can use it" in caplog.text
    await brokers.door.stop(1)


async def test_a_door_that_can_not_go_on_ends_the_server() -> None:
    brokers = Brokers()
    await brokers.door.start()
    await brokers.name(FIRST)
    brokers.doors[0].failed.set_exception(RuntimeError("it broke"))
    with pytest.raises(RuntimeError, match="it broke"):
        await brokers.door.failed
    await brokers.door.stop(1)


async def test_stopped_before_any_broker_was_named_nothing_was_opened() -> None:
    brokers = Brokers()
    await brokers.door.start()
    await brokers.door.stop(1)
    assert brokers.done == []
