"""HTTP/2 without TLS and without upgrade: one connection, and the exchanges on it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from urllib.parse import parse_qs, unquote, urlsplit

import h2.config
import h2.connection
import h2.events
import h2.exceptions


class Exchange:
    """One request, and its answer as it is made."""

    def __init__(self, connection: Connection, stream_id: int, headers: dict[str, str]) -> None:
        self._connection = connection
        self._stream_id = stream_id
        self.headers = headers
        self.method = headers[":method"]
        where = urlsplit(headers[":path"])
        self.path = [unquote(part) for part in where.path.split("/")[1:]]
        self.query = {name: values[0] for name, values in parse_qs(where.query).items()}
        self.incoming: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def chunks(self) -> AsyncIterator[bytes]:
        """The request's body as it comes."""
        while (chunk := await self.incoming.get()) is not None:
            yield chunk

    async def body(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])

    async def begin(self, status: int, *headers: tuple[str, str]) -> None:
        await self._connection.send_headers(self._stream_id, [(":status", str(status)), *headers])

    async def send(self, data: bytes) -> None:
        await self._connection.send(self._stream_id, data)

    async def end(self) -> None:
        await self._connection.end(self._stream_id)

    async def answer(self, status: int, body: bytes, *headers: tuple[str, str]) -> None:
        await self.begin(status, *headers)
        await self.send(body)
        await self.end()

    async def answer_json(self, status: int, document: object, *headers: tuple[str, str]) -> None:
        await self.answer(status, json.dumps(document).encode(), ("content-type", "application/json"), *headers)

    def break_off(self) -> None:
        """The whole connection goes, as by a cable."""
        self._connection.break_off()


class Connection:
    """Serves one client."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handle: Callable[[Exchange], Awaitable[None]]
    ) -> None:
        self._reader, self._writer, self._handle = reader, writer, handle
        self._h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self._exchanges: dict[int, Exchange] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._window = asyncio.Event()

    async def serve(self) -> None:
        self._h2.initiate_connection()
        self._flush()
        try:
            with contextlib.suppress(ConnectionError, h2.exceptions.ProtocolError):
                while data := await self._reader.read(1 << 16):
                    for event in self._h2.receive_data(data):
                        self._take(event)
                    self._flush()
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            self._writer.close()

    def break_off(self) -> None:
        self._writer.transport.abort()

    async def send_headers(self, stream_id: int, headers: list[tuple[str, str]]) -> None:
        self._h2.send_headers(stream_id, headers)
        await self._drain()

    async def send(self, stream_id: int, data: bytes) -> None:
        while data:
            room = min(self._h2.local_flow_control_window(stream_id), self._h2.max_outbound_frame_size)
            if room <= 0:
                self._window.clear()
                await self._window.wait()
                continue
            self._h2.send_data(stream_id, data[:room])
            data = data[room:]
            await self._drain()

    async def end(self, stream_id: int) -> None:
        self._h2.end_stream(stream_id)
        await self._drain()

    def _take(self, event: h2.events.Event) -> None:
        match event:
            case h2.events.RequestReceived():
                headers = {str(name): str(value) for name, value in event.headers}
                exchange = self._exchanges[event.stream_id] = Exchange(self, event.stream_id, headers)
                self._tasks[event.stream_id] = asyncio.create_task(self._serve(event.stream_id, exchange))
            case h2.events.DataReceived():
                self._exchanges[event.stream_id].incoming.put_nowait(event.data)
                self._h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                self._exchanges[event.stream_id].incoming.put_nowait(None)
            case h2.events.StreamReset():
                if event.stream_id in self._tasks:
                    self._tasks[event.stream_id].cancel()
            case h2.events.WindowUpdated() | h2.events.RemoteSettingsChanged():
                self._window.set()
            case _:
                pass

    async def _serve(self, stream_id: int, exchange: Exchange) -> None:
        try:
            with contextlib.suppress(ConnectionError, h2.exceptions.ProtocolError):
                await self._handle(exchange)
        finally:
            self._tasks.pop(stream_id, None)

    async def _drain(self) -> None:
        self._flush()
        await self._writer.drain()

    def _flush(self) -> None:
        if not self._writer.transport.is_closing():
            self._writer.write(self._h2.data_to_send())
