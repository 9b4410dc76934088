"""The HTTP door before there is a house behind it: alive, and 503 with the reason to whoever asks for more."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import failure_answer, new_request_id, sign_headers
from wyoming_kokoro.frontends.http.failure import failure_of
from wyoming_kokoro.model.errors import DoorError, LogUnavailableError

if TYPE_CHECKING:
    from wyoming_kokoro.settings import HttpSettings

_LOGGER = logging.getLogger(__name__)


class WaitingDoor:
    """Listens where the real door will; `stop` it before that one opens."""

    def __init__(self, settings: HttpSettings, reason: str) -> None:
        """`reason` is a sentence that a user can read."""
        self._settings = settings
        self._failure = failure_of(LogUnavailableError(reason))
        app = web.Application()
        app.router.add_get("/health", self._health)
        app.router.add_route("*", "/{path:.*}", self._refuse)
        self._runner = web.AppRunner(app)

    async def start(self) -> None:
        """Listen. Raises `DoorError` where that is not possible."""
        await self._runner.setup()
        host, port = self._settings.host, self._settings.port
        try:
            await web.TCPSite(self._runner, host, port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise DoorError("http_port", f"{host} port {port}", error) from error
        actual = self._runner.addresses[0][1]
        _LOGGER.info("HTTP: answering 503 on %s port %d: %s", host, actual, self._failure.message)

    async def stop(self) -> None:
        """Give the port back. Idempotent."""
        await self._runner.cleanup()

    async def _health(self, _: web.Request) -> web.Response:
        return _signed(web.Response(text="OK", headers={"Cache-Control": "no-store"}))

    async def _refuse(self, _: web.Request) -> web.Response:
        return _signed(failure_answer(self._failure))


def _signed(answer: web.Response) -> web.Response:
    sign_headers(answer.headers, new_request_id())
    return answer
