"""What a client beyond the allowed number gets: one sentence, and the door."""

from __future__ import annotations

import asyncio
import json

from wyoming_kokoro.frontends.http.failure import failure_of_status


class TurnedAway(asyncio.Protocol):
    """A connection that is closed as soon as it was told why."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        if isinstance(transport, asyncio.Transport):
            transport.write(_answer())
            transport.close()


def _answer() -> bytes:
    body = json.dumps(failure_of_status(503).document).encode()
    head = [
        "HTTP/1.1 503 Service Unavailable",
        "Server: wyoming-kokoro",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Retry-After: 5",
        "Connection: close",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body
