"""One connection as aiohttp serves it, with bounds round it, and failures of the protocol itself in the shape of all others."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import failure_answer, new_request_id, sign_headers
from wyoming_kokoro.frontends.http.failure import failure_of_status
from wyoming_kokoro.frontends.http.outlet import prepare_socket

if TYPE_CHECKING:
    import asyncio

    from wyoming_kokoro.frontends.http.limits import Limits

_LOGGER = logging.getLogger(__name__)
_QUIET = logging.getLogger(f"{__name__}.library")
"""What the library says about clients that send rubbish: answered, and counted among the refused."""
_QUIET.setLevel(logging.CRITICAL)


class Connection(web.RequestHandler):
    """Closed after `head_seconds` without a complete request, be it new, idle or dripping."""

    def __init__(self, manager: web.Server, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            manager,
            loop=loop,
            keepalive_timeout=limits.head_seconds,
            tcp_keepalive=False,
            logger=_QUIET,
            access_log=_QUIET,
            max_line_size=limits.line_bytes,
            max_field_size=limits.line_bytes,
            max_headers=limits.headers,
            lingering_time=limits.linger_seconds,
            auto_decompress=False,
        )
        self._limits = limits

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        prepare_socket(transport, self._limits)
        super().connection_made(transport)

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Called by the library for what reached no route: mostly bytes that are no HTTP."""
        if request.writer.output_size > 0:
            raise ConnectionError("the answer is under way already")
        _LOGGER.info("%s: %d: %s", request.remote, status, "it is no HTTP" if status == 400 else type(exc).__name__)
        answer = failure_answer(failure_of_status(status))
        sign_headers(answer.headers, new_request_id())
        answer.force_close()
        return answer
