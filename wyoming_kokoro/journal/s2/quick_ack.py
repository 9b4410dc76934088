"""Answers come at once, and not 40 ms late.

s2-lite sends an answer in two pieces and holds the second back until the first is acknowledged, which Linux puts off for
40 ms. The SDK lets nobody at its sockets, so its class of connections is replaced by one that acknowledges what it reads.
"""

from __future__ import annotations

import socket
from typing import Any

import s2_sdk._client as inside  # the one place where a connection can be reached

_QUICK_ACK: int | None = getattr(socket, "TCP_QUICKACK", None)  # Linux has it


class QuickConnection(inside.Connection):
    """A connection that never lets the other side wait for an acknowledgement."""

    def _handle_event(self, event: Any) -> None:  # Any: whatever the HTTP/2 library makes
        super()._handle_event(event)
        own = None if self._writer is None else self._writer.get_extra_info("socket")
        if own is not None and _QUICK_ACK is not None:
            own.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)  # holds until the next answer


def install() -> None:
    """Have the SDK make such connections from now on."""
    setattr(inside, "Connection", QuickConnection)  # noqa: B010 - a class is not meant to be replaced, says the type checker
