"""The Wyoming door: the accepting socket, how many may come in, and how the door is closed."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wyoming.error import Error

from wyoming_kokoro.frontends.wyoming.connection import Connection
from wyoming_kokoro.frontends.wyoming.discovery import Discovery
from wyoming_kokoro.frontends.wyoming.info import InfoPage
from wyoming_kokoro.frontends.wyoming.limits import Limits
from wyoming_kokoro.frontends.wyoming.line import Line
from wyoming_kokoro.frontends.wyoming.wire import encode_event
from wyoming_kokoro.model.errors import DoorError, SettingsError

if TYPE_CHECKING:
    from wyoming_kokoro.core.intake import Intake
    from wyoming_kokoro.core.listening import Listening
    from wyoming_kokoro.ports import Voices
    from wyoming_kokoro.settings import WyomingSettings

_LOGGER = logging.getLogger(__name__)


class WyomingServer:
    """Serves Wyoming clients from `start` to `stop`."""

    def __init__(
        self,
        settings: WyomingSettings,
        intake: Intake,
        listening: Listening,
        voices: Voices,
        *,
        instance: str = "home",
        limits: Limits | None = None,
        discovery: Discovery | None = None,
    ) -> None:
        """`discovery` is made from the instance's name unless it is given; the settings may switch it off."""
        self._settings = settings
        self._intake = intake
        self._listening = listening
        self._voices = voices
        self._info = InfoPage(voices, streaming=settings.streaming)
        self._limits = limits or Limits()
        self._discovery = (discovery or Discovery(instance)) if settings.zeroconf else None
        self._announcing: asyncio.Task[None] | None = None
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], Connection] = {}
        self._turned_away: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen, and return the port. Raises `DoorError` where that is not possible."""
        host, port = _address(self._settings.uri)
        try:
            self._server = await asyncio.start_server(self._accept, host, port, limit=self._limits.line_bytes)
        except OSError as error:
            raise DoorError("wyoming_uri", self._settings.uri, error) from error
        actual = int(self._server.sockets[0].getsockname()[1])
        _LOGGER.info("Wyoming: listening on %s port %d", host, actual)
        if self._discovery is not None:
            # In the background: asking the network whether the name is free takes more than a second.
            work = self._discovery.start(host, actual)
            self._announcing = asyncio.create_task(work, name="wyoming.zeroconf")
        return actual

    async def stop(self, grace_seconds: float) -> None:
        """Let nobody in, give answers under way that long, then end them as failures. Idempotent."""
        await self._stop_announcing()
        if self._server is not None:
            self._server.close()
        for connection in self._connections.values():
            connection.finish()
        await self._wait_for_connections(grace_seconds)
        for connection in self._connections.values():
            connection.cut()
        await self._wait_for_connections(self._limits.parting_seconds)
        tasks = [*self._connections, *self._turned_away]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()

    async def _stop_announcing(self) -> None:
        if self._announcing is not None:
            self._announcing.cancel()
            await asyncio.gather(self._announcing, return_exceptions=True)
        if self._discovery is not None:
            await self._discovery.stop()

    async def _wait_for_connections(self, seconds: float) -> None:
        if self._connections:
            await asyncio.wait(list(self._connections), timeout=seconds)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = Line(reader, writer, self._limits)
        if len(self._connections) >= self._settings.max_connections:
            self._turn_away(line)
            return
        connection = Connection(
            line,
            reader,
            settings=self._settings,
            limits=self._limits,
            intake=self._intake,
            listening=self._listening,
            voices=self._voices,
            info=self._info,
        )
        task = asyncio.get_running_loop().create_task(connection.serve(), name=f"wyoming[{line.peer}]")
        self._connections[task] = connection
        task.add_done_callback(self._forget)

    def _turn_away(self, line: Line) -> None:
        _LOGGER.warning("%s: turned away: %d clients are connected", line.peer, len(self._connections))
        parting = line.hang_up()
        if len(self._turned_away) < self._limits.turned_away:
            text = f"{self._settings.max_connections} clients are connected already; try again later"
            line.send(encode_event(Error(text=text, code="too_many_connections").event()))
            parting.close()
            parting = line.part(is_read=False)
        task = asyncio.get_running_loop().create_task(parting, name=f"wyoming[{line.peer}].turn-away")
        self._turned_away.add(task)
        task.add_done_callback(self._turned_away.discard)

    def _forget(self, task: asyncio.Task[None]) -> None:
        del self._connections[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOGGER.error("%s failed unexpectedly", task.get_name(), exc_info=error)


def _address(uri: str) -> tuple[str, int]:
    parts = urlsplit(uri)
    if parts.scheme != "tcp" or parts.hostname is None or parts.port is None:
        raise SettingsError(f"wyoming_uri: tcp://HOST:PORT is expected, not {uri!r}")
    return parts.hostname, parts.port
