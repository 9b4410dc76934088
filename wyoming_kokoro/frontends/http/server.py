"""The HTTP door: the accepting socket, the routes behind it, and how the door is closed."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.api_token import ApiToken
from wyoming_kokoro.frontends.http.connection import Connection
from wyoming_kokoro.frontends.http.guard import Guard, sign
from wyoming_kokoro.frontends.http.ingress import PROXY, IngressConnection
from wyoming_kokoro.frontends.http.limits import Limits
from wyoming_kokoro.frontends.http.renditions import Renditions
from wyoming_kokoro.frontends.http.routes import OPEN_ROUTES, routes
from wyoming_kokoro.frontends.http.secret_file import audio_links
from wyoming_kokoro.frontends.http.turned_away import TurnedAway
from wyoming_kokoro.model.errors import DoorError

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.settings import HttpSettings

_LOGGER = logging.getLogger(__name__)

_LEAST_GRACE_SECONDS = 0.01


class HttpServer:
    """Serves HTTP clients from `start` to `stop`."""

    def __init__(self, settings: HttpSettings, house: House, *, data_dir: Path, limits: Limits | None = None) -> None:
        """Raises `SettingsError` where the secrets in the data directory can't be read or made."""
        self._settings = settings
        self._limits = limits or Limits()
        self._token = ApiToken(settings.api_token, data_dir)
        self._stopping = asyncio.Event()
        self._renditions = Renditions(
            house.listening, data_dir, memory_bytes=self._limits.memory_bytes, cache_bytes=settings.cache_bytes
        )
        guard = Guard(self._token, settings.base_url, open_routes=OPEN_ROUTES)
        app = web.Application(middlewares=[guard.middleware()], client_max_size=settings.max_body_bytes)
        app.on_response_prepare.append(sign)
        app.add_routes(routes(house, audio_links(data_dir), self._renditions, self._limits, settings.base_url, self._stopping))
        self._runner = web.AppRunner(app, handler_cancellation=True)
        self._server: asyncio.Server | None = None
        self._ingress: asyncio.Server | None = None

    async def start(self) -> int:
        """Listen, and return the port. Raises `DoorError` where that is not possible."""
        await self._runner.setup()
        host, port = self._settings.host, self._settings.port
        try:
            self._server = await asyncio.get_running_loop().create_server(self._accept, host, port)
        except OSError as error:
            raise DoorError("http_port", f"{host} port {port}", error) from error
        actual = int(self._server.sockets[0].getsockname()[1])
        _LOGGER.info("HTTP: listening on %s port %d", host, actual)
        if not self._token.is_asked_for:
            _LOGGER.warning("HTTP: no token is asked for: whoever reaches the port may use it")
        return actual

    async def open_ingress(self, port: int, *, host: str = "0.0.0.0", proxy: str = PROXY) -> int:  # noqa: S104 - see below
        """Listen for Home Assistant's Ingress too, once the door is open, and return the port. No token is asked for there:
        whoever does not come from the proxy's address is refused. Raises `DoorError` where that is not possible."""
        loop = asyncio.get_running_loop()
        try:
            self._ingress = await loop.create_server(lambda: self._accept(proxy), host, port)
        except OSError as error:
            raise DoorError("ingress", f"{host} port {port}", error) from error
        actual = int(self._ingress.sockets[0].getsockname()[1])
        _LOGGER.info("HTTP: listening for Ingress on %s port %d", host, actual)
        return actual

    async def stop(self, grace_seconds: float) -> None:
        """Let nobody in, give answers under way that long, then break them off. Idempotent."""
        self._stopping.set()
        servers = [server for server in (self._server, self._ingress) if server is not None]
        for server in servers:
            server.close()
        if self._runner.server is not None:
            self._runner.server.pre_shutdown()
            # The library waits twice that long, and for ever if that is no time at all.
            await self._runner.server.shutdown(max(grace_seconds / 2, _LEAST_GRACE_SECONDS))
        await self._renditions.close()
        await self._runner.cleanup()
        for server in servers:
            await server.wait_closed()

    def _accept(self, proxy: str | None = None) -> asyncio.Protocol:
        server = self._runner.server
        if server is None:
            raise AssertionError("the server is not set up")
        if len(server.connections) >= self._settings.max_connections:
            _LOGGER.warning("HTTP: a client is turned away: %d are connected", len(server.connections))
            return TurnedAway()
        loop = asyncio.get_running_loop()
        if proxy is None:
            return Connection(server, self._limits, loop)
        return IngressConnection(server, self._limits, loop, proxy)
