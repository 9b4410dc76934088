"""HTTP on a plain socket: for what no proper client would do, and to see every byte."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from tests.http_house import PATIENCE_SECONDS


@dataclass
class Wire:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def rest(self) -> bytes:
        """Everything until the server hangs up, however it does."""
        data = b""
        async with asyncio.timeout(PATIENCE_SECONDS):
            with contextlib.suppress(ConnectionError):
                while piece := await self.reader.read(65536):
                    data += piece
        return data

    async def head(self) -> bytes:
        """The status line and the headers."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.reader.readuntil(b"\r\n\r\n")


@contextlib.asynccontextmanager
async def wired(port: int, *, limit: int = 65536) -> AsyncIterator[Wire]:
    """A connection to this machine."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=limit)
    try:
        yield Wire(reader, writer)
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def get(path: str, *headers: str, version: str = "1.1") -> bytes:
    """The bytes of a request."""
    return "\r\n".join([f"GET {path} HTTP/{version}", "Host: localhost", *headers, "", ""]).encode()


def unchunked(body: bytes) -> tuple[bytes, bool]:
    """What was sent in chunks so far, and whether the last chunk was among them."""
    data, place = bytearray(), 0
    while (end := body.find(b"\r\n", place)) >= 0:
        size = int(body[place:end], 16)
        if not size:
            return bytes(data), True
        data += body[end + 2 : end + 2 + size]
        place = end + 4 + size
    return bytes(data), False
