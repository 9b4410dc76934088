"""`/api/casts/{id}/…`: what a cast is told, beside deletion; and `/api/casts/dead`: which ones wait to be told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.cast_routes import cast_id_of
from wyoming_kokoro.frontends.http.obeyed import obeyed

if TYPE_CHECKING:
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.model.records import DeadLetter


class OrderRoutes:
    """Each handler is one call of the core. No order has a body, nor has the answer to one."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def dead(self, _: web.Request) -> web.Response:
        """`GET /api/casts/dead`"""
        letters = await self._house.casts.dead()
        return json_answer({"casts": [_document(letter) for letter in letters]})

    async def cancel(self, request: web.Request) -> web.Response:
        """`POST /api/casts/{id}/cancel`"""
        return await obeyed(self._house.casts.cancel(cast_id_of(request)))

    async def keep(self, request: web.Request) -> web.Response:
        """`PUT /api/casts/{id}/keep`"""
        return await obeyed(self._house.casts.keep(cast_id_of(request)))

    async def let_go(self, request: web.Request) -> web.Response:
        """`DELETE /api/casts/{id}/keep`"""
        return await obeyed(self._house.casts.keep(cast_id_of(request), keep=False))

    async def requeue(self, request: web.Request) -> web.Response:
        """`POST /api/casts/{id}/requeue`"""
        return await obeyed(self._house.casts.requeue(cast_id_of(request)))


def _document(letter: DeadLetter) -> dict[str, object]:
    return {
        "id": letter.cast_id,
        "kind": letter.kind,
        "voice": letter.recipe.voice,
        "reason": letter.reason,
        "jobs": list(letter.jobs),
    }
