"""Which path leads where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.audio_route import AudioRoute
from wyoming_kokoro.frontends.http.cast_routes import CastRoutes
from wyoming_kokoro.frontends.http.event_route import EventRoute
from wyoming_kokoro.frontends.http.links import Links
from wyoming_kokoro.frontends.http.openapi import description
from wyoming_kokoro.frontends.http.order_routes import OrderRoutes
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
    casts = CastRoutes(house, Links(audio_links, base_url), limits)
    orders = OrderRoutes(house)
    events = EventRoute(house, limits, stopping)
    audio = AudioRoute(house, audio_links, renditions, limits)
    state = StateRoutes(house, limits)
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
        web.get("/api/openapi.json", _openapi, allow_head=False),
        web.get(_AUDIO, audio.audio, allow_head=False),
        web.head(_AUDIO, audio.audio),
        web.get("/health", state.health),
        web.get("/ready", state.ready),
        web.get("/metrics", state.metrics, allow_head=False),
    ]


async def _openapi(_: web.Request) -> web.Response:
    return json_answer(description())
