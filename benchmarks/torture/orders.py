"""Clients that leave an order over HTTP and go: what was answered 201 or 200 must be made, whatever dies."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass, field

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.model.ids import CastId, cast_stream
from wyoming_kokoro.model.records import Eos, EosReason
from wyoming_kokoro.ports import Log

_GAUGE = re.compile(r"^wyoming_kokoro_(?:queue_length|open_casts) (\d+)$", re.MULTILINE)


@dataclass(slots=True)
class Orders:
    """All that were accepted."""

    accepted: set[str] = field(default_factory=set)

    async def leave(self, port: int, text: str) -> None:
        """Ask for a cast, and note it where that was accepted."""
        body = json.dumps({"text": text}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}/api/casts", body, {"Content-Type": "application/json"})
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            self.accepted.add(json.loads(await asyncio.to_thread(_fetch, request))["id"])

    async def waiting(self, port: int) -> bool:
        """Whether the server has anything left to do."""
        try:
            page = await asyncio.to_thread(_fetch, urllib.request.Request(f"http://127.0.0.1:{port}/metrics"))
        except (OSError, http.client.HTTPException):
            return True
        return any(int(value) for value in _GAUGE.findall(page.decode()))

    async def missing(self, log: Log) -> list[str]:
        """A fault for each that was accepted and did not become whole."""
        faults = []
        for order in sorted(self.accepted):
            ends = [seen.record async for seen in read_through(log, cast_stream(CastId(order))) if isinstance(seen.record, Eos)]
            if [end.reason for end in ends] != [EosReason.COMPLETE]:
                faults.append(f"cast {order} was accepted over HTTP and ended in {ends}")
        return faults


def _fetch(request: urllib.request.Request) -> bytes:
    with urllib.request.urlopen(request, timeout=20) as answer:
        return bytes(answer.read())
