"""Snapcast's JSON-RPC over TCP: one line each way, with notices in between."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping

from wyoming_kokoro.model.errors import ServerError

_SECONDS = 5.0
_LINE_BYTES = 4 * 1024 * 1024


class Control:
    """A connection that answers one question at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._last_id = 0

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, host: str, port: int) -> AsyncIterator[Control]:
        """Connected for the length of the block. Raises `ServerError`."""
        try:
            async with asyncio.timeout(_SECONDS):
                reader, writer = await asyncio.open_connection(host, port, limit=_LINE_BYTES)
        except OSError as error:
            raise ServerError(f"the Snapcast server's control at {host}:{port} is not reached: {words(error)}") from error
        try:
            yield cls(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def ask(self, method: str, params: Mapping[str, object] | None = None) -> dict[str, object]:
        """Its result. Raises `ServerError` where it is refused or does not come."""
        self._last_id += 1
        request = {"id": self._last_id, "jsonrpc": "2.0", "method": method, "params": dict(params or {})}
        try:
            async with asyncio.timeout(_SECONDS):
                self._writer.write(json.dumps(request).encode() + b"\r\n")
                await self._writer.drain()
                answer = await self._answer()
        except (OSError, ValueError) as error:
            raise ServerError(f"the Snapcast server did not answer {method}: {words(error)}") from error
        if isinstance(result := answer.get("result"), dict):
            return result
        refusal = answer.get("error")
        told = refusal.get("data") or refusal.get("message") if isinstance(refusal, dict) else answer
        raise ServerError(f"the Snapcast server refuses {method}: {told}")

    async def _answer(self) -> dict[str, object]:
        while line := await self._reader.readline():
            message = json.loads(line)
            if isinstance(message, dict) and message.get("id") == self._last_id:
                return message
        raise ConnectionResetError("it hung up")


def words(error: Exception) -> str:
    """What went wrong with a connection, for people."""
    if isinstance(error, TimeoutError):
        return f"no answer within {_SECONDS:.0f} s"
    strerror = error.strerror if isinstance(error, OSError) else None
    return (strerror or str(error) or type(error).__name__).lower()
