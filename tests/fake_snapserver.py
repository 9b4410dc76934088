"""A Snapcast server as far as a source and its control go: JSON-RPC, one TCP source, groups, and what was heard of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

SOURCE = "kokoro"
_METHODS = ("Server.GetStatus", "Server.GetRPCVersion", "Group.SetStream", "Group.SetMute")


class FakeSnapserver:
    """Reads its source at once and counts; `stall` stops reading. Answers as version 0.26 does."""

    def __init__(self, *, sample_format: str = "48000:16:2") -> None:
        self.sample_format = sample_format
        self.group = {"id": "g1", "name": "Kitchen", "stream_id": "music", "muted": False}
        self.client = {"id": "c1", "connected": True, "muted": False}
        self.streams = {"music", SOURCE}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.received: list[bytearray] = []
        """What came on each connection of the source."""
        self.source_port = 0
        self.control_port = 0
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._servers: list[asyncio.Server] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._open_sources = 0

    async def start(self) -> None:
        self._servers = [
            # A small window, so that a server that reads nothing is noticed soon.
            await asyncio.start_server(self._wrapped(self._read_source), "127.0.0.1", self.source_port, limit=4096),
            await asyncio.start_server(self._wrapped(self._answer), "127.0.0.1", self.control_port),
        ]
        self.source_port, self.control_port = (server.sockets[0].getsockname()[1] for server in self._servers)

    async def stop(self) -> None:
        """It ends, and with it every connection."""
        for server in self._servers:
            server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        self._may_read.set()
        await asyncio.gather(*self._tasks)
        self._servers = []

    def stall(self) -> None:
        """Take nothing any more."""
        self._may_read.clear()

    @property
    def is_stalled(self) -> bool:
        """Whether it takes nothing."""
        return not self._may_read.is_set()

    @property
    def is_fed(self) -> bool:
        """Whether somebody is connected to the source."""
        return self._open_sources > 0

    def _wrapped(self, serve: Any) -> Any:
        async def run(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._tasks.add(task)
            self._writers.add(writer)
            try:
                with contextlib.suppress(ConnectionError):
                    await serve(reader, writer)
            finally:
                self._tasks.discard(task)
                self._writers.discard(writer)
                writer.close()

        return run

    async def _read_source(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received = bytearray()
        self.received.append(received)
        self._open_sources += 1
        try:
            while True:
                await self._may_read.wait()
                data = await reader.read(65536)
                if not data:
                    return
                received += data
        finally:
            self._open_sources -= 1

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            request = json.loads(line)
            self.calls.append((request["method"], request.get("params", {})))
            answer = {"id": request["id"], "jsonrpc": "2.0", **self._result(request["method"], request.get("params", {}))}
            notice = {"jsonrpc": "2.0", "method": "Server.OnUpdate", "params": {}}
            writer.write(f"{json.dumps(notice)}\r\n{json.dumps(answer)}\r\n".encode())

    def _result(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "Server.GetStatus":
                return {"result": {"server": self._status()}}
            case "Server.GetRPCVersion":
                return {"result": {"major": 2, "minor": 0, "patch": 0}}
            case "Group.SetMute" if params["id"] == self.group["id"]:
                self.group["muted"] = params["mute"]
                return {"result": {"mute": params["mute"]}}
            case "Group.SetStream" if params["id"] == self.group["id"] and params["stream_id"] in self.streams:
                self.group["stream_id"] = params["stream_id"]
                return {"result": {"stream_id": params["stream_id"]}}
            case _:
                missing = "Stream not found" if method in _METHODS else "Method not found"
                return {"error": {"code": -32603, "data": missing, "message": "Internal error"}}

    def _status(self) -> dict[str, Any]:
        volume = {"muted": self.client["muted"], "percent": 100}
        client = {
            "id": self.client["id"],
            "connected": self.client["connected"],
            "config": {"name": "", "volume": volume},
            "host": {"name": "pi-kitchen"},
        }
        streams = [{"id": each, "status": self._stream_status(each), "uri": self._uri(each)} for each in sorted(self.streams)]
        return {"groups": [{**self.group, "clients": [client]}], "streams": streams}

    def _stream_status(self, stream: str) -> str:
        return "playing" if stream == SOURCE and self.is_fed else "idle"

    def _uri(self, stream: str) -> dict[str, Any]:
        if stream == SOURCE:
            query = {"name": stream, "mode": "server", "sampleformat": self.sample_format}
            return {"scheme": "tcp", "host": f"127.0.0.1:{self.source_port}", "query": query}
        return {"scheme": "pipe", "host": "", "query": {"name": stream, "sampleformat": "48000:16:2"}}
