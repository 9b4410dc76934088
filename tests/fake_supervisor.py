"""A Supervisor that answers apps as the real one (2026.08) does, on a real socket.

What the real one's source says and this one does: answers are wrapped in `{"result": "ok", "data": ...}`, refusals in
`{"result": "error", "message": ...}` with status 400 unless said otherwise; an unknown token is a plain 403 without JSON, none
at all a plain 401; a service that the app's config.yaml does not list is a 403, one that nobody provides the error "Service not
enabled"; a discovery message is one per app and service, its uuid stays where its config changes, and only the app itself may
delete it; what goes through to Home Assistant needs `homeassistant_api`.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from aiohttp import web

TOKEN = "a-token-of-the-supervisor"
SLUG = "a1b2c3d4_wyoming_kokoro"
HOSTNAME = "a1b2c3d4-wyoming-kokoro"
PATIENCE_SECONDS = 20.0


@dataclass
class Message:
    """One discovery message."""

    app: str
    service: str
    config: dict[str, Any]
    uuid: str = field(default_factory=lambda: uuid.uuid4().hex)


class FakeSupervisor:
    """Starts on a free port; stopped and started again it keeps its port and what it knows."""

    def __init__(
        self,
        *,
        services: Mapping[str, str] | None = None,
        discovery: tuple[str, ...] = ("wyoming",),
        homeassistant_api: bool = True,
    ) -> None:
        """What the app's config.yaml lists."""
        self.services = {"mqtt": "want"} if services is None else services
        self.discovery = discovery
        self.homeassistant_api = homeassistant_api
        self.provided: dict[str, dict[str, Any]] = {}
        """What other apps provide, by service."""
        self.info: dict[str, Any] = {
            "slug": SLUG,
            "hostname": HOSTNAME,
            "network": {"10200/tcp": None, "10210/tcp": 10210},
            "ingress": False,
            "ingress_port": None,
            "state": "started",
        }
        self.machine = {"hostname": "homeassistant", "supervisor": "2026.08.0"}
        self.home_assistant: dict[str, Any] = {"internal_url": "http://192.168.1.10:8123", "external_url": None}
        self.home_assistant_is_away = False
        self.messages: list[Message] = []
        self.pushed: list[tuple[str, str]] = []
        """What Home Assistant was told: `post` or `delete`, and the uuid."""
        self.asked: list[str] = []
        """Every request: method and path."""
        self.home_url = ""
        """Where the Home Assistant is to which it hands WebSockets on; it must take this Supervisor's token."""
        self.not_ready = ""
        """The state that is named instead of an answer, such as `startup`."""
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self.port = 0

    @classmethod
    def of_app(cls, config: Mapping[str, Any]) -> FakeSupervisor:
        """One that runs the app of that config.yaml."""
        return cls(
            services=dict(each.split(":") for each in config.get("services", ())),
            discovery=tuple(config.get("discovery", ())),
            homeassistant_api=config.get("homeassistant_api", False),
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What it gives to the app's process."""
        return {"SUPERVISOR_TOKEN": TOKEN, "WYOMING_KOKORO_SUPERVISOR_URL": self.url}

    async def start(self) -> None:
        app = web.Application(middlewares=[self._guard()])
        app.router.add_get("/addons/self/info", self._info)
        app.router.add_get("/info", self._machine)
        app.router.add_get("/services/{service}", self._service)
        app.router.add_post("/discovery", self._announce)
        app.router.add_get("/discovery", self._only_home_assistant)
        app.router.add_delete("/discovery/{uuid}", self._withdraw)
        app.router.add_get("/core/api/config", self._core_config)
        app.router.add_get("/core/websocket", self._core_websocket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def until(self, condition: Callable[[FakeSupervisor], object]) -> None:
        """Return once it holds; looked at after each request."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition(self):
                self._changed.clear()
                await self._changed.wait()

    def provide(self, service: str, **data: Any) -> None:
        """Another app provides it from now on."""
        self.provided[service] = {"addon": "core_mosquitto", "protocol": "3.1.1", "ssl": False, **data}

    def _guard(self) -> Any:
        @web.middleware
        async def guarded(request: web.Request, handler: Any) -> web.StreamResponse:
            try:
                self._check(request)
                answer: web.StreamResponse = await handler(request)
            finally:
                self.asked.append(f"{request.method} {request.path}")
                self._changed.set()
            return answer

        return guarded

    def _check(self, request: web.Request) -> None:
        if request.path == "/core/websocket":  # it asks for the token within
            return
        token = request.headers.get("Authorization", "").split(" ")[-1]
        if request.path.startswith("/core/api/"):
            if token != TOKEN or not self.homeassistant_api:
                raise web.HTTPUnauthorized
            return
        if not token:
            raise web.HTTPUnauthorized
        if token != TOKEN:
            raise web.HTTPForbidden

    async def _info(self, _: web.Request) -> web.Response:
        return self._ok(self.info)

    async def _machine(self, _: web.Request) -> web.Response:
        return self._ok(self.machine)

    async def _service(self, request: web.Request) -> web.Response:
        service = request.match_info["service"]
        if service not in self.services:
            return _error(f"No access to {service} service!", 403)
        if service not in self.provided:
            return _error("Service not enabled")
        return self._ok(self.provided[service])

    async def _announce(self, request: web.Request) -> web.Response:
        document = await request.json()
        service, config = document["service"], document["config"]
        if service not in self.discovery:
            return _error("Apps must list services they provide via discovery in their config!", 403)
        message = next((each for each in self.messages if (each.app, each.service) == (SLUG, service)), None)
        if message is None:
            message = Message(SLUG, service, config)
            self.messages.append(message)
        elif message.config == config:
            return self._ok({"uuid": message.uuid})
        message.config = config
        self.pushed.append(("post", message.uuid))
        return self._ok({"uuid": message.uuid})

    async def _only_home_assistant(self, _: web.Request) -> web.Response:
        raise web.HTTPUnauthorized

    async def _withdraw(self, request: web.Request) -> web.Response:
        message = next((each for each in self.messages if each.uuid == request.match_info["uuid"]), None)
        if message is None:
            return _error("Discovery message not found", 404)
        if message.app != SLUG:
            return _error("Can't remove discovery message", 403)
        self.messages.remove(message)
        self.pushed.append(("delete", message.uuid))
        return self._ok({})

    async def _core_config(self, _: web.Request) -> web.Response:
        """Home Assistant's own answer, not wrapped."""
        if self.home_assistant_is_away:
            raise web.HTTPBadGateway
        return web.json_response(self.home_assistant)

    async def _core_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Handed on as it is."""
        inner = web.WebSocketResponse()
        await inner.prepare(request)
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{self.home_url}/api/websocket") as outer:
            ways = {asyncio.ensure_future(_hand_on(*way)) for way in ((inner, outer), (outer, inner))}
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        return inner

    def _ok(self, data: Mapping[str, Any]) -> web.Response:
        if self.not_ready:
            return _error(f"System is not ready with state: {self.not_ready}")
        return web.json_response({"result": "ok", "data": data})


def _error(message: str, status: int = 400) -> web.Response:
    return web.json_response({"result": "error", "message": message}, status=status)


async def _hand_on(source: Any, target: Any) -> None:
    async for message in source:
        if message.type is aiohttp.WSMsgType.TEXT:
            await target.send_str(message.data)
