"""The MQTT door at a broker that is found while the server runs, and may become another one."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.errors import SettingsError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Callable

    from wyoming_kokoro.settings import MqttSettings

_LOGGER = logging.getLogger(__name__)


class Door(Protocol):
    """What is used of `MqttServer`."""

    @property
    def failed(self) -> asyncio.Future[None]:
        """See `MqttServer`."""
        ...

    async def start(self) -> None:
        """See `MqttServer`."""
        ...

    async def stop(self, grace_seconds: float) -> None:
        """See `MqttServer`."""
        ...


class FoundDoor:
    """From `start` to `stop` open at the broker that was named last; closed while none was."""

    def __init__(
        self, brokers: AsyncIterator[MqttSettings], make: Callable[[MqttSettings], Door], *, grace_seconds: float
    ) -> None:
        """`brokers` never ends; `make` makes the door at one of them, which is given so long when another one is named."""
        self._brokers = brokers
        self._make = make
        self._grace_seconds = grace_seconds
        self._door: Door | None = None
        self._tasks = TaskSet()

    async def start(self) -> None:
        """Begin to look for a broker, and return at once."""
        self._tasks.start(self._follow(), name="mqtt.found", lasting=True)

    @property
    def failed(self) -> asyncio.Future[None]:
        """Done when the door can't go on; carries why."""
        return self._tasks.failed

    async def stop(self, grace_seconds: float) -> None:
        """Close it. Idempotent."""
        await self._tasks.stop()
        await self._close(grace_seconds)

    async def _follow(self) -> None:
        async for settings in self._brokers:
            await self._close(self._grace_seconds)
            try:
                door = self._make(settings)
            except SettingsError as error:
                # Nobody has chosen this broker here: the server goes on, and the next one may be better.
                _LOGGER.warning("no MQTT: %s", error)
                continue
            self._door = door
            door.failed.add_done_callback(self._pass_on)
            await door.start()

    async def _close(self, grace_seconds: float) -> None:
        door, self._door = self._door, None
        if door is not None:
            await door.stop(grace_seconds)

    def _pass_on(self, ended: asyncio.Future[None]) -> None:
        if not ended.cancelled() and (error := ended.exception()) and not self.failed.done():
            self.failed.set_exception(error)
