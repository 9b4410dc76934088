"""A Home Assistant that behaves as the real one does where announcements are concerned, on a real socket.

What the real one was seen to do and this one does: a service call is shielded, so it goes on when the connection breaks; a call
for an entity that does not exist is a success; so is one whose sound can't be fetched; a satellite answers when it has played,
and refuses a second announcement by an error without a text; states come compressed, as differences; a wrong token is answered
with `auth_invalid`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from wyoming_kokoro.ports import Clock

TOKEN = "a-long-lived-access-token"
VOLUME_SET, PLAY_MEDIA, STOP = 4, 512, 4096


class CallError(Exception):
    """The service call is answered with this error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass
class Sound:
    """What an address gives."""

    seconds: float
    fetch: Callable[[], None]
    """Called when somebody fetches it to its last byte."""


@dataclass
class Heard:
    """One playback as the speaker itself recorded it."""

    url: str
    volume: float | None
    began_at: float
    seconds: float | None = None
    """None while it plays."""
    is_whole: bool = False


@dataclass
class Entity:
    """A media player or a satellite. `shows_states` is off for those whose announcements are not seen in their state."""

    entity_id: str
    platform: str = "rig"
    state: str = "idle"
    attributes: dict[str, Any] = field(default_factory=lambda: {"supported_features": VOLUME_SET | PLAY_MEDIA | STOP})
    shows_states: bool = True
    fetches: bool = True
    plays_share: float = 1.0
    """How much of a sound it plays before it stops by itself."""
    ignores_stop: bool = False
    delay_seconds: float = 0.0
    """Until it begins."""
    heard: list[Heard] = field(default_factory=list)
    playing: asyncio.Task[None] | None = None


class FakeHomeAssistant:
    """Starts on a free port. Time is the test's clock."""

    def __init__(self, clock: Clock, *entities: Entity, token: str = TOKEN) -> None:
        self.clock = clock
        self.entities = {entity.entity_id: entity for entity in entities}
        self.token = token
        self.sounds: dict[str, Sound] = {}
        self.calls: list[tuple[str, str, dict[str, Any]]] = []
        self.connections = 0
        self.refused_tokens = 0
        self._sockets: dict[web.WebSocketResponse, dict[int, set[str]]] = {}
        self._calling: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None
        self.port = 0
        self.fails: dict[str, CallError] = {}
        """Services that answer with an error, by `domain.service`."""
        self.hangs: set[str] = set()
        """Services that never answer and do nothing."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get("/api/websocket", self._serve)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """It ends; the loudspeakers themselves go on."""
        await self.hang_up()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def close(self) -> None:
        await self.stop()
        tasks = [*self._calling, *(entity.playing for entity in self.entities.values() if entity.playing is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def hang_up(self) -> None:
        """Every connection breaks."""
        for socket in list(self._sockets):
            await socket.close()

    def set_state(self, entity: Entity, state: str | None = None, **attributes: Any) -> None:
        """Change it, and tell who has subscribed."""
        before = (entity.state, dict(entity.attributes))
        entity.state = state or entity.state
        entity.attributes |= attributes
        difference: dict[str, Any] = {}
        if entity.state != before[0]:
            difference["s"] = entity.state
        if changed := {key: value for key, value in entity.attributes.items() if before[1].get(key) != value}:
            difference["a"] = changed
        if difference:
            self._publish(entity.entity_id, {"c": {entity.entity_id: {"+": difference}}})

    def remove(self, entity: Entity) -> None:
        """Home Assistant does not know it any more."""
        del self.entities[entity.entity_id]
        self._publish(entity.entity_id, {"r": [entity.entity_id]})

    def _publish(self, entity_id: str, event: dict[str, Any]) -> None:
        for socket, subscriptions in self._sockets.items():
            for number, wanted in subscriptions.items():
                if entity_id in wanted:
                    self._send(socket, {"id": number, "type": "event", "event": event})

    def _send(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        if not socket.closed:
            task = asyncio.ensure_future(socket.send_str(json.dumps(message)))
            self._calling.add(task)
            task.add_done_callback(self._sent)

    def _sent(self, task: asyncio.Task[None]) -> None:
        self._calling.discard(task)
        if not task.cancelled():
            task.exception()

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "auth_required", "ha_version": "2026.2.3"})
        answer = await socket.receive_json()
        if answer != {"type": "auth", "access_token": self.token}:
            self.refused_tokens += 1
            await socket.send_json({"type": "auth_invalid", "message": "Invalid access token or password"})
            await socket.close()
            return socket
        await socket.send_json({"type": "auth_ok", "ha_version": "2026.2.3"})
        self.connections += 1
        self._sockets[socket] = {}
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._handle(socket, json.loads(message.data))
        finally:
            del self._sockets[socket]
        return socket

    def _handle(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        number = message["id"]
        match message["type"]:
            case "subscribe_entities":
                wanted = set(message["entity_ids"])
                self._sockets[socket][number] = wanted
                self._answer(socket, number, None)
                states = {
                    name: {"s": entity.state, "a": entity.attributes, "c": "x", "lc": 0.0}
                    for name, entity in self.entities.items()
                    if name in wanted
                }
                self._send(socket, {"id": number, "type": "event", "event": {"a": states}})
            case "config/entity_registry/get":
                entity = self.entities.get(message["entity_id"])
                if entity is None:
                    self._refuse(socket, number, CallError("not_found", "Entity not found"))
                else:
                    self._answer(socket, number, {"entity_id": entity.entity_id, "platform": entity.platform})
            case "call_service":
                # A task of its own, whatever becomes of the connection.
                task = asyncio.ensure_future(self._call_service(socket, message))
                self._calling.add(task)
                task.add_done_callback(self._calling.discard)
            case other:
                self._refuse(socket, number, CallError("unknown_command", f"Unknown command {other}."))

    def _answer(self, socket: web.WebSocketResponse, number: int, result: Any) -> None:
        self._send(socket, {"id": number, "type": "result", "success": True, "result": result})

    def _refuse(self, socket: web.WebSocketResponse, number: int, error: CallError) -> None:
        told = {"code": error.code, "message": error.message}
        self._send(socket, {"id": number, "type": "result", "success": False, "error": told})

    async def _call_service(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        service = f"{message['domain']}.{message['service']}"
        entity_id = message["target"]["entity_id"]
        self.calls.append((service, entity_id, message["service_data"]))
        try:
            if service in self.fails:
                raise self.fails[service]
            if service in self.hangs:
                await asyncio.get_running_loop().create_future()
            if (entity := self.entities.get(entity_id)) is not None:
                await self._carry_out(service, entity, message["service_data"])
        except CallError as error:
            self._refuse(socket, message["id"], error)
        else:
            self._answer(socket, message["id"], {"context": {"id": "x"}})

    async def _carry_out(self, service: str, entity: Entity, data: dict[str, Any]) -> None:
        match service:
            case "media_player.volume_set":
                self._require(entity, VOLUME_SET, service)
                self.set_state(entity, volume_level=data["volume_level"])
            case "media_player.media_stop":
                self._require(entity, STOP, service)
                if not entity.ignores_stop:
                    await self.silence(entity)
            case "media_player.play_media":
                self._require(entity, PLAY_MEDIA, service)
                await self.silence(entity)
                entity.playing = asyncio.ensure_future(self._play(entity, data["media_content_id"]))
            case "music_assistant.play_announcement":
                await self._play(entity, data["url"])
            case "assist_satellite.announce":
                if entity.state == "responding":
                    raise CallError("home_assistant_error", "")
                await self._play(entity, data["media_id"], while_playing="responding")
            case _:
                raise CallError("not_found", f"Service {service} not found.")

    async def silence(self, entity: Entity) -> None:
        """Whatever it plays ends."""
        if entity.playing is not None:
            entity.playing.cancel()
            await asyncio.gather(entity.playing, return_exceptions=True)
            entity.playing = None

    def _require(self, entity: Entity, feature: int, service: str) -> None:
        if not entity.attributes["supported_features"] & feature:
            text = f"Validation error: Entity {entity.entity_id} does not support action {service}"
            raise CallError("service_validation_error", text)

    async def _play(self, entity: Entity, url: str, *, while_playing: str = "playing") -> None:
        await self.clock.sleep(entity.delay_seconds)
        sound = self.sounds.get(url)
        if sound is None or not entity.fetches:
            return
        heard = Heard(url, entity.attributes.get("volume_level"), self.clock.monotonic())
        entity.heard.append(heard)
        before = entity.state
        if entity.shows_states:
            self.set_state(entity, while_playing, media_content_id=url)
        sound.fetch()
        try:
            await self.clock.sleep(sound.seconds * entity.plays_share)
            heard.is_whole = entity.plays_share >= 1
        finally:
            heard.seconds = self.clock.monotonic() - heard.began_at
            if entity.shows_states:
                self.set_state(entity, before, media_content_id="")
