"""Where everything goes out: through the connection that there is, or the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from wyoming_kokoro.frontends.mqtt.connection import Connection


class Outlet:
    """What is published through it waits for the broker as long as it takes; who publishes holds back meanwhile."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._opened = Signal()

    def opened(self, connection: Connection) -> None:
        """There is a new one."""
        self._connection = connection
        self._opened.notify()

    async def publish(self, topic: str, payload: bytes, *, retain: bool = False, correlation: bytes | None = None) -> None:
        """Return once the broker has it; twice where it is not certain that it got it."""
        while True:
            seen = self._opened.count
            if self._connection is not None:
                try:
                    return await self._connection.publish(topic, payload, retain=retain, correlation=correlation)
                except ServerError:
                    self._connection = None
            await self._opened.wait(seen)

    def acknowledge(self, mid: int) -> None:
        """The broker may forget that message, if it was this connection that brought it."""
        if self._connection is not None:
            self._connection.acknowledge(mid)
