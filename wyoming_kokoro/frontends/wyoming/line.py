"""The sending side of one connection: bounded, at the pace of whoever reads, and closed so that the last words arrive."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.frontends.wyoming.limits import Limits

_LOGGER = logging.getLogger(__name__)

_KEEPALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))
"""A peer that vanished without a word (power cut) is noticed within two minutes, even where nothing is sent."""


class ListenerGoneError(Exception):
    """Whoever should read this is gone, or has not read for too long."""


class Line:
    """One TCP connection as the door writes to it. Whole events only: what is passed to `send` stays together."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limits: Limits) -> None:
        self._reader = reader
        self._writer = writer
        self._limits = limits
        address = writer.get_extra_info("peername")
        self.host = str(address[0]) if isinstance(address, tuple) else "local"
        self.peer = f"{address[0]}:{address[1]}" if isinstance(address, tuple) else "local"
        writer.transport.set_write_buffer_limits(high=limits.pending_bytes)
        with suppress(OSError):  # it may be closed already; whoever reads from it learns so
            _prepare(writer.get_extra_info("socket"), limits)

    @property
    def is_full(self) -> bool:
        """Whether more is waiting for the reader than should be."""
        return self._writer.transport.get_write_buffer_size() > self._limits.pending_bytes

    def send(self, data: bytes) -> None:
        """Send without waiting for anybody; where the line `is_full` then, `settle` has to follow before more is sent."""
        if not self._writer.transport.is_closing():
            self._writer.write(data)

    async def settle(self) -> None:
        """Return when little enough is under way. Raises `ListenerGoneError`."""
        try:
            async with asyncio.timeout(self._limits.write_seconds):
                await self._writer.drain()
        except TimeoutError:
            raise ListenerGoneError(f"nothing was read for {self._limits.write_seconds:.0f} s") from None
        except OSError as error:
            raise ListenerGoneError("hung up") from error

    async def deliver(self, data: bytes) -> None:
        """Send, at the pace of whoever reads. Raises `ListenerGoneError`."""
        self.send(data)
        await self.settle()

    async def part(self, *, is_read: bool = True) -> None:
        """Say no more, let the peer read what was said, and close; with less patience where hardly anybody reads any more.

        Input that is still under way is taken from the wire meanwhile: closing a socket with unread input would destroy what
        the peer has not read yet.
        """
        try:
            self._writer.transport.set_write_buffer_limits(high=0)
            async with asyncio.timeout(None if is_read else self._limits.parting_seconds):
                await self.settle()
            if self._writer.can_write_eof():
                self._writer.write_eof()
            async with asyncio.timeout(self._limits.parting_seconds):
                while await self._reader.read(self._limits.line_bytes):
                    pass
        except (ListenerGoneError, OSError, TimeoutError) as reason:
            _LOGGER.debug("%s: parted early: %s", self.peer, reason)
        finally:
            await self.hang_up()

    async def hang_up(self) -> None:
        """Close at once; nothing more is sent. Idempotent."""
        self._writer.transport.abort()
        with suppress(OSError):
            await self._writer.wait_closed()


def _prepare(sock: socket.socket, limits: Limits) -> None:
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, limits.send_buffer_bytes)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE:
        if option := getattr(socket, name, None):
            sock.setsockopt(socket.IPPROTO_TCP, option, value)
