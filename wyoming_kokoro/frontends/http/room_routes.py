"""`/api/rooms`: what they do, what happened in them, and what they are told."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.announcement_document import announcement_document
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.carried import json_body, last_event_start, page_limit, seq_num_of
from wyoming_kokoro.frontends.http.failure import AnsweredError, failure_of
from wyoming_kokoro.frontends.http.obeyed import obeyed
from wyoming_kokoro.frontends.http.record_events import room_event_of
from wyoming_kokoro.frontends.http.sheltered import sheltered
from wyoming_kokoro.frontends.json_fields import parse_object, refuse_unknown
from wyoming_kokoro.frontends.room_document import room_document
from wyoming_kokoro.model.errors import RefusedError, RoomNotFoundError
from wyoming_kokoro.model.room import SettingName

if TYPE_CHECKING:
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.core.rooms.preferences import Value
    from wyoming_kokoro.frontends.http.event_stream import EventStreams
    from wyoming_kokoro.frontends.http.limits import Limits


class RoomRoutes:
    """Each handler is one call of the core."""

    def __init__(self, house: House, limits: Limits, streams: EventStreams) -> None:
        self._house = house
        self._limits = limits
        self._streams = streams

    async def all(self, _: web.Request) -> web.Response:
        """`GET /api/rooms`"""
        rooms = self._house.rooms
        return json_answer({"rooms": [room_document(rooms.view(room)) for room in rooms.names()]})

    async def get(self, request: web.Request) -> web.Response:
        """`GET /api/rooms/{room}`: with what has ended there, newest first; with `since`, what was missed since that event."""
        room, since = self._room(request), _since(request)
        limit = page_limit(request.query.get("limit"), self._limits.page_casts)
        history = await self._house.announcements.history(room, since=since, limit=limit)
        document = room_document(self._house.rooms.view(room))
        return json_answer({**document, "history": [announcement_document(view) for view in history]})

    async def events(self, request: web.Request) -> web.StreamResponse:
        """`GET /api/rooms/{room}/events`: from `Last-Event-ID` or `since` on, otherwise from now on."""
        room, start = self._room(request), last_event_start(request)
        records = self._house.rooms.events(room, start=_since(request) if start is None else start)
        return await self._streams.answer(request, records, functools.partial(room_event_of, room))

    async def stop(self, request: web.Request) -> web.Response:
        """`POST /api/rooms/{room}/stop`"""
        return await obeyed(self._house.rooms.stop(self._room(request)))

    async def skip(self, request: web.Request) -> web.Response:
        """`POST /api/rooms/{room}/skip`"""
        return await obeyed(self._house.rooms.skip(self._room(request)))

    async def clear(self, request: web.Request) -> web.Response:
        """`POST /api/rooms/{room}/clear`"""
        return await obeyed(self._house.rooms.clear(self._room(request)))

    async def replay(self, request: web.Request) -> web.Response:
        """`POST /api/rooms/{room}/replay`"""
        return await obeyed(self._house.rooms.replay(self._room(request), since=_since(request)))

    async def set(self, request: web.Request) -> web.Response:
        """`PATCH /api/rooms/{room}`: what is named is set; null is what the options say."""
        room = self._room(request)
        document = parse_object(await json_body(request, self._limits.body_seconds))
        refuse_unknown(document, tuple(SettingName))
        settings: dict[str, Value] = {}
        for name, value in document.items():
            if not isinstance(value, str | int | float | None):
                raise RefusedError(name, "a text, a number, true, false or null is expected")
            settings[name] = value
        await sheltered(self._house.rooms.set(room, **settings))
        return json_answer(room_document(self._house.rooms.view(room)))

    def _room(self, request: web.Request) -> str:
        """The room that the path names; 404 where there is none."""
        room, names = request.match_info["room"], self._house.rooms.names()
        if room not in names:
            raise AnsweredError(failure_of(RoomNotFoundError(room, names))._replace(status=404))
        return room


def _since(request: web.Request) -> int | None:
    since = request.query.get("since")
    return None if since is None else seq_num_of("since", since)
