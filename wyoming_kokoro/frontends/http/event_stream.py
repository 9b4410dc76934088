"""Server-sent events out of records: what is there at once, then what comes, with signs of life between."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.outlet import Outlet

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.model.records import Sequenced

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_KEEPALIVE = b": still here\n\n"


class EventStreams:
    """Makes answers of records."""

    def __init__(self, limits: Limits, stopping: asyncio.Event) -> None:
        """No stream goes on once `stopping` is set: its client comes again with the last id that it has."""
        self._limits = limits
        self._stopping = stopping

    async def answer(
        self,
        request: web.Request,
        records: AsyncGenerator[Sequenced, None],
        event_of: Callable[[Sequenced], bytes | None],
    ) -> web.StreamResponse:
        """The stream; 204, which tells a browser to come no more, where nothing is left to tell. Closes the records."""
        async with aclosing(records):
            moments = self._moments(records, event_of)
            async with aclosing(moments):
                # What is there already is there at once: a stream that is not, too, is told before the answer begins.
                first = await anext(moments, None)
                if first is None and not self._stopping.is_set():
                    return web.Response(status=204)
                return await self._stream(request, first, moments)

    async def _stream(self, request: web.Request, first: bytes | None, moments: AsyncIterator[bytes]) -> web.StreamResponse:
        response = web.StreamResponse(headers=_HEADERS)
        response.content_type, response.charset = "text/event-stream", "utf-8"
        outlet = Outlet(request, response, self._limits)
        await outlet.open()
        if first:
            await outlet.deliver(first)
        async for data in moments:
            await outlet.deliver(data)
        await response.write_eof()
        return response

    async def _moments(
        self, records: AsyncGenerator[Sequenced, None], event_of: Callable[[Sequenced], bytes | None]
    ) -> AsyncGenerator[bytes, None]:
        """Events, and signs of life between them; ends with the records, or when the server stops."""
        stopping = asyncio.ensure_future(self._stopping.wait())
        arriving: asyncio.Task[Sequenced | None] | None = None
        patience_seconds = self._limits.first_event_seconds
        try:
            while not stopping.done():
                arriving = arriving or asyncio.ensure_future(_next(records))
                await asyncio.wait([arriving, stopping], timeout=patience_seconds, return_when=asyncio.FIRST_COMPLETED)
                patience_seconds = self._limits.keepalive_seconds
                if not arriving.done():
                    yield _KEEPALIVE
                    continue
                arrived, arriving = arriving, None
                sequenced = arrived.result()
                if sequenced is None:
                    return
                if event := event_of(sequenced):
                    yield event
        finally:
            tasks = [stopping] if arriving is None else [stopping, arriving]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _next(records: AsyncGenerator[Sequenced, None]) -> Sequenced | None:
    return await anext(records, None)
