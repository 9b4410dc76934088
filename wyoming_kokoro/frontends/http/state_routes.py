"""`/health`, `/ready`, `/metrics`: how the server is, for whoever watches over it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import failure_answer, json_answer
from wyoming_kokoro.frontends.http.failure import Failure, failure_of
from wyoming_kokoro.frontends.http.prometheus import MEDIA_TYPE, exposition
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.model.ids import JOBS

if TYPE_CHECKING:
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits


class StateRoutes:
    """Cheap enough to be asked every second."""

    def __init__(self, house: House, limits: Limits) -> None:
        self._house = house
        self._limits = limits

    async def health(self, _: web.Request) -> web.Response:
        """The process answers."""
        return web.Response(text="OK", headers={"Cache-Control": "no-store"})

    async def ready(self, _: web.Request) -> web.Response:
        """The journal answers, and the engine has synthesised a sentence."""
        try:
            async with asyncio.timeout(self._limits.ready_seconds):
                await self._house.shop.engine.start()
                await self._house.shop.log.check_tail(JOBS)
        except TimeoutError:
            return failure_answer(Failure(503, "server_error", "server_warming_up", "the engine is coming up", None, 2))
        except VoiceOfAHouseError as error:
            return failure_answer(failure_of(error)._replace(status=503))
        return json_answer({"ready": True})

    async def metrics(self, _: web.Request) -> web.Response:
        """Prometheus' text format, 0.0.4."""
        page = exposition(self._house.metrics.snapshot())
        return web.Response(body=page.encode(), headers={"Cache-Control": "no-store", "Content-Type": MEDIA_TYPE})
