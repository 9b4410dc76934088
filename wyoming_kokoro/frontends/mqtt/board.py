"""What stands on our retained topics, kept true at the broker, also at one that has forgotten everything."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.frontends.mqtt.outlet import Outlet


class Board:
    """The newest text of every page; an empty one removes the topic."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._pages: dict[str, bytes] = {}
        self._due: dict[str, None] = {}
        """Pages that the broker may not have, in order."""
        self._news = asyncio.Event()

    def post(self, topic: str, payload: bytes) -> None:
        """This is what stands there from now on."""
        if self._pages.get(topic) != payload:
            self._pages[topic] = payload
            self.repeat([topic])

    def repeat(self, topics: Iterable[str] | None = None) -> None:
        """Tell the broker again, though nothing has changed: these, or all of them, in the order in which they were made."""
        for topic in list(self._pages if topics is None else topics):
            if topic in self._pages:
                self._due[topic] = None
        self._news.set()

    async def work(self) -> None:
        """Publish what is due, for ever."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._due:
                topic = next(iter(self._due))
                del self._due[topic]
                await self._outlet.publish(topic, self._pages[topic], retain=True)
