"""The server: which request does what."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator

from s2_sdk._generated.s2.v1 import s2_pb2 as pb  # the messages as S2 defines them; the SDK exports none

from tests.fake_s2.basin import Basin, RefusalError, refusal
from tests.fake_s2.faults import Fault, Faults
from tests.fake_s2.h2c import Connection, Exchange
from tests.fake_s2.tokens import Tokens

_CREATED_AT = "2026-01-01T00:00:00Z"
_TERMINAL = 0x80


class _BrokenError(Exception):
    """The connection is gone."""


class FakeS2:
    """S2 on the loopback address. What it holds outlives `stop` and `start`."""

    def __init__(self) -> None:
        self.basins: dict[str, Basin] = {}
        self.faults = Faults()
        self.tokens = Tokens()
        self.calls: list[str] = []
        """What was asked, in order."""
        self.hangs = False
        """It ends no session any more."""
        self.port = 0
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Away: every connection breaks, new ones are refused. Idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in tuple(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        try:
            await Connection(reader, writer, self._handle).serve()
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._serving.discard(task)

    async def _handle(self, exchange: Exchange) -> None:
        try:
            match exchange.path[1:]:
                case ["access-tokens" | "basins" as kind]:
                    await self._make_of_account(exchange, kind)
                case ["streams"] if exchange.method == "POST":
                    await self._make_stream(exchange)
                case ["streams"]:
                    await self._list(exchange)
                case ["streams", name, "records", "tail"]:
                    await self._tail(exchange, name)
                case ["streams", name, "records"] if exchange.method == "GET":
                    await self._read(exchange, name)
                case ["streams", name, "records"]:
                    await self._append(exchange, name)
                case ["streams", name]:
                    await exchange.answer_json(200, self._basin(exchange).stream_configs[name])
                case _:
                    raise refusal(501, "not_implemented")
        except RefusalError as error:
            await exchange.answer_json(error.status, error.document)
        except _BrokenError:
            exchange.break_off()

    def _basin(self, exchange: Exchange) -> Basin:
        name = exchange.headers.get("s2-basin", "")
        if name not in self.basins:
            raise refusal(404, "basin_not_found")
        return self.basins[name]

    async def _begin(self, exchange: Exchange, call: str, stream: str = "") -> Fault | None:
        """What every call meets first."""
        self.calls.append(call)
        self.tokens.check(exchange.headers, call, stream)
        fault = self.faults.take(call)
        if fault is not None and fault.loses_request:
            raise _BrokenError
        if fault is not None and fault.status is not None:
            raise refusal(fault.status, fault.code)
        return fault

    async def _end(self, fault: Fault | None) -> None:
        """What it may meet when it was done."""
        if fault is not None and fault.loses_reply:
            raise _BrokenError
        if fault is not None and fault.holds is not None:
            await fault.holds.wait()

    async def _make_of_account(self, exchange: Exchange, kind: str) -> None:
        asked = json.loads(await exchange.body())
        if kind == "access-tokens":
            await exchange.answer_json(201, {"access_token": self.tokens.issue(exchange.headers, asked)})
            return
        await self._begin(exchange, "make")
        if asked["basin"] in self.basins:
            raise refusal(409, "resource_already_exists")
        self.basins[asked["basin"]] = Basin(asked.get("config") or {})
        await exchange.answer_json(201, {"name": asked["basin"], "created_at": _CREATED_AT})

    async def _make_stream(self, exchange: Exchange) -> None:
        asked = json.loads(await exchange.body())
        fault = await self._begin(exchange, "make", asked["stream"])
        self._basin(exchange).make(asked["stream"], asked.get("config"))
        await self._end(fault)
        await exchange.answer_json(201, {"name": asked["stream"], "created_at": _CREATED_AT})

    async def _list(self, exchange: Exchange) -> None:
        prefix, after = exchange.query.get("prefix", ""), exchange.query.get("start_after", "")
        fault = await self._begin(exchange, "list", prefix)
        names = [each for each in self._basin(exchange).names if each.startswith(prefix) and each.encode() > after.encode()]
        page = names[: int(exchange.query.get("limit", 1000))]
        await self._end(fault)
        streams = [{"name": name, "created_at": _CREATED_AT} for name in page]
        await exchange.answer_json(200, {"streams": streams, "has_more": len(page) < len(names)})

    async def _tail(self, exchange: Exchange, name: str) -> None:
        fault = await self._begin(exchange, "tail", name)
        state = self._basin(exchange).find(name).state
        await self._end(fault)
        await exchange.answer_json(200, {"tail": {"seq_num": state.tail, "timestamp": state.newest_ms}})

    async def _read(self, exchange: Exchange, name: str) -> None:
        fault = await self._begin(exchange, "read", name)
        found = await self._basin(exchange).read(name, exchange.query)
        await self._end(fault)
        await exchange.answer(200, found.SerializeToString())

    async def _append(self, exchange: Exchange, name: str) -> None:
        """A session: inputs come as frames, acks go back in their order; the first refusal ends it."""
        has_begun = False
        try:
            async for body in _frames(exchange.chunks()):
                fault = await self._begin(exchange, "append", name)
                config = json.loads(exchange.headers.get("s2-stream-config", "{}"))
                ack = self._basin(exchange).append(name, pb.AppendInput.FromString(body), config)
                await self._end(fault)
                if not has_begun:
                    await exchange.begin(200)
                    has_begun = True
                await exchange.send(_frame(ack.SerializeToString()))
        except RefusalError as error:
            if not has_begun:
                raise
            document = json.dumps(error.document).encode()
            await exchange.send(_frame(struct.pack(">H", error.status) + document, _TERMINAL))
        if self.hangs:
            await asyncio.Event().wait()
        if not has_begun:
            await exchange.begin(200)
        await exchange.end()


def _frame(body: bytes, flags: int = 0) -> bytes:
    return struct.pack(">I", len(body) + 1)[1:] + bytes([flags]) + body


async def _frames(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    waiting = bytearray()
    async for chunk in chunks:
        waiting += chunk
        while len(waiting) >= 3 and len(waiting) >= 3 + int.from_bytes(waiting[:3], "big"):
            end = 3 + int.from_bytes(waiting[:3], "big")
            yield bytes(waiting[4:end])
            del waiting[:end]
