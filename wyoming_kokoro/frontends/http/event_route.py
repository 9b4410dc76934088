"""`GET /api/casts/{id}/events`: a cast's records as they become durable, as server-sent events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.http.carried import last_event_start
from wyoming_kokoro.frontends.http.cast_routes import cast_id_of
from wyoming_kokoro.frontends.http.record_events import event_of

if TYPE_CHECKING:
    from aiohttp import web

    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.event_stream import EventStreams


class EventRoute:
    """Watchers are no listeners: nothing is made because somebody looks on."""

    def __init__(self, house: House, streams: EventStreams) -> None:
        self._house = house
        self._streams = streams

    async def events(self, request: web.Request) -> web.StreamResponse:
        """The stream; 204 where nothing is left to tell."""
        cast_id, start = cast_id_of(request), last_event_start(request) or 0
        return await self._streams.answer(request, self._house.casts.events(cast_id, start=start), event_of)
