"""Which path leads where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.announcement_routes import AnnouncementRoutes
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.audio_route import AudioRoute
from wyoming_kokoro.frontends.http.cast_routes import CastRoutes
from wyoming_kokoro.frontends.http.event_route import EventRoute
from wyoming_kokoro.frontends.http.event_stream import EventStreams
from wyoming_kokoro.frontends.http.lexicon_routes import LexiconRoutes
from wyoming_kokoro.frontends.http.links import Links
from wyoming_kokoro.frontends.http.openapi import description
from wyoming_kokoro.frontends.http.order_routes import OrderRoutes
from wyoming_kokoro.frontends.http.room_routes import RoomRoutes
from wyoming_kokoro.frontends.http.state_routes import StateRoutes

if TYPE_CHECKING:
    import asyncio

    from wyoming_kokoro.core.audio_links import AudioLinks
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.frontends.http.renditions import Renditions

_AUDIO = "/audio/{id}.{key}.{format}"

OPEN_ROUTES = (_AUDIO, "/health", "/ready")
"""Those that need no token."""


def routes(
    house: House,
    audio_links: AudioLinks,
    renditions: Renditions,
    limits: Limits,
    base_url: str | None,
    stopping: asyncio.Event,
) -> list[web.RouteDef]:
    """All of them."""
    streams = EventStreams(limits, stopping)
    return [
        *_cast_routes(house, Links(audio_links, base_url), limits, streams),
        *_room_routes(house, limits, streams),
        *_lexicon_routes(LexiconRoutes(house, limits)),
        *_open_routes(house, AudioRoute(house, audio_links, renditions, limits), limits),
    ]


def _cast_routes(house: House, links: Links, limits: Limits, streams: EventStreams) -> list[web.RouteDef]:
    casts, orders, events = CastRoutes(house, links, limits), OrderRoutes(house), EventRoute(house, streams)
    return [
        web.post("/api/casts", casts.submit),
        web.get("/api/casts", casts.newest, allow_head=False),
        web.get("/api/casts/dead", orders.dead, allow_head=False),
        web.get("/api/casts/{id}", casts.get, allow_head=False),
        web.delete("/api/casts/{id}", casts.delete),
        web.post("/api/casts/{id}/cancel", orders.cancel),
        web.put("/api/casts/{id}/keep", orders.keep),
        web.delete("/api/casts/{id}/keep", orders.let_go),
        web.post("/api/casts/{id}/requeue", orders.requeue),
        web.get("/api/casts/{id}/events", events.events, allow_head=False),
        web.get("/api/casts/{id}/records/{seq}", casts.record, allow_head=False),
    ]


def _room_routes(house: House, limits: Limits, streams: EventStreams) -> list[web.RouteDef]:
    announcements, rooms = AnnouncementRoutes(house, limits), RoomRoutes(house, limits, streams)
    return [
        web.post("/api/announcements", announcements.announce),
        web.get("/api/announcements", announcements.newest, allow_head=False),
        web.get("/api/announcements/{id}", announcements.get, allow_head=False),
        web.delete("/api/announcements/{id}", announcements.cancel),
        web.get("/api/rooms", rooms.all, allow_head=False),
        web.get("/api/rooms/{room}", rooms.get, allow_head=False),
        web.patch("/api/rooms/{room}", rooms.set),
        web.get("/api/rooms/{room}/events", rooms.events, allow_head=False),
        web.post("/api/rooms/{room}/stop", rooms.stop),
        web.post("/api/rooms/{room}/skip", rooms.skip),
        web.post("/api/rooms/{room}/clear", rooms.clear),
        web.post("/api/rooms/{room}/replay", rooms.replay),
    ]


def _lexicon_routes(lexicon: LexiconRoutes) -> list[web.RouteDef]:
    return [
        web.get("/api/lexicon", lexicon.all, allow_head=False),
        web.put("/api/lexicon", lexicon.put),
        web.delete("/api/lexicon", lexicon.delete),
    ]


def _open_routes(house: House, audio: AudioRoute, limits: Limits) -> list[web.RouteDef]:
    state = StateRoutes(house, limits)
    return [
        web.get("/api/openapi.json", _openapi, allow_head=False),
        web.get(_AUDIO, audio.audio, allow_head=False),
        web.head(_AUDIO, audio.audio),
        web.get("/health", state.health),
        web.get("/ready", state.ready),
        web.get("/metrics", state.metrics, allow_head=False),
    ]


async def _openapi(_: web.Request) -> web.Response:
    return json_answer(description())
