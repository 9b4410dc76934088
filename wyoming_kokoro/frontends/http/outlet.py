"""The sending side of a long answer: at the pace of whoever reads, and closed so that a broken one is seen to be broken."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiohttp import web

    from wyoming_kokoro.frontends.http.limits import Limits

_KEEPALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))
"""A peer that vanished without a word (power cut) is noticed within two minutes, even where nothing is sent."""


class Outlet:
    """One answer under way. A client that is gone is a ConnectionError."""

    def __init__(self, request: web.Request, response: web.StreamResponse, limits: Limits) -> None:
        self._request = request
        self._response = response
        self._limits = limits

    async def open(self) -> None:
        """Send the headers."""
        await self._response.prepare(self._request)

    async def deliver(self, data: bytes) -> None:
        """Send, and return when little enough is under way."""
        try:
            async with asyncio.timeout(self._limits.write_seconds):
                await self._response.write(data)
                await self._request.writer.drain()
        except TimeoutError:
            self._abort()
            raise ConnectionResetError(f"nothing was read for {self._limits.write_seconds:g} s") from None
        # A client that reads at once never makes this task wait; the others have their turn all the same.
        await asyncio.sleep(0)

    def break_off(self) -> None:
        """Close without the end of the answer, once what was sent is read: whoever reads sees that something is missing."""
        self._response.force_close()
        if (transport := self._request.transport) is not None:
            transport.close()

    def _abort(self) -> None:
        if (transport := self._request.transport) is not None:
            transport.abort()


def prepare_socket(transport: asyncio.BaseTransport, limits: Limits) -> None:
    """Bound what a connection holds, and how long a dead one lives."""
    if isinstance(transport, asyncio.WriteTransport):
        transport.set_write_buffer_limits(high=limits.pending_bytes)
    sock = transport.get_extra_info("socket")
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    with suppress(OSError):  # it may be closed already; whoever reads from it learns so
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.send_buffer_bytes)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in (*_KEEPALIVE, ("TCP_USER_TIMEOUT", round(1000 * limits.write_seconds))):
            if option := getattr(socket, name, None):
                sock.setsockopt(socket.IPPROTO_TCP, option, value)
