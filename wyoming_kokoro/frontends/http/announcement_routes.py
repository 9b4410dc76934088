"""`/api/announcements`: announce, look, take back."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.announcement import read_announcement
from wyoming_kokoro.frontends.announcement_document import announcement_document
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.carried import idempotency_key, json_body, page_limit
from wyoming_kokoro.frontends.http.ingress import asker
from wyoming_kokoro.frontends.http.sheltered import sheltered
from wyoming_kokoro.frontends.json_fields import parse_object

if TYPE_CHECKING:
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits


class AnnouncementRoutes:
    """Each handler is one call of the core."""

    def __init__(self, house: House, limits: Limits) -> None:
        self._house = house
        self._limits = limits

    async def announce(self, request: web.Request) -> web.Response:
        """`POST /api/announcements`: an `Idempotency-Key` is its id where the body has none."""
        body = await json_body(request, self._limits.body_seconds)
        asked = read_announcement(parse_object(body), asker(request))
        key = idempotency_key(request.headers.get("Idempotency-Key"))
        if asked.announcement_id is None:
            asked = dataclasses.replace(asked, announcement_id=key)
        # Who hangs up now has asked all the same.
        accepted = await sheltered(self._house.announcements.accept(asked))
        document = {"id": accepted.announcement_id, "cast": accepted.cast_id, "rooms": list(accepted.rooms)}
        headers = {"Location": f"/api/announcements/{accepted.announcement_id}"}
        return json_answer(document, status=201 if accepted.is_new else 200, headers=headers)

    async def newest(self, request: web.Request) -> web.Response:
        """`GET /api/announcements`"""
        limit = page_limit(request.query.get("limit"), self._limits.page_casts)
        views, token = await self._house.announcements.newest(limit=limit, before=request.query.get("before"))
        return json_answer({"announcements": [announcement_document(view) for view in views], "next": token})

    async def get(self, request: web.Request) -> web.Response:
        """`GET /api/announcements/{id}`"""
        return json_answer(announcement_document(await self._house.announcements.get(request.match_info["id"])))

    async def cancel(self, request: web.Request) -> web.Response:
        """`DELETE /api/announcements/{id}`"""
        await sheltered(self._house.announcements.cancel(request.match_info["id"]))
        return web.Response(status=204)
