"""Bytes that are no HTTP, clients that drip, bodies that are too much: answered or dropped, and nobody else notices."""

import asyncio
import json
import logging
import random

import pytest

from tests.http_house import PATIENCE_SECONDS, HttpHouse, open_http_house
from tests.http_wire import Wire, get, wired
from wyoming_kokoro.frontends.http.limits import Limits

QUICK = Limits(head_seconds=0.05, body_seconds=0.05, linger_seconds=0.05)


def post(house: HttpHouse, body: bytes, *headers: str, length: int | None = None) -> bytes:
    authorization = f"Authorization: {house.headers['Authorization']}"
    kept = ["Content-Type: application/json", authorization, f"Content-Length: {len(body) if length is None else length}"]
    return get("/api/casts", *kept, *headers).replace(b"GET", b"POST", 1) + body


async def error_in(client: Wire) -> tuple[int, str]:
    """Status and code of an answer that closes the connection, or of the first one."""
    head = await client.head()
    async with asyncio.timeout(PATIENCE_SECONDS):
        body = json.loads(await client.reader.readline())
    assert b"x-request-id" in head.lower()
    return int(head.split()[1]), body["error"]["code"]


async def test_hostile_clients_disturb_nobody_and_leave_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    hostile = [
        b"\x16\x03\x01\x02\x00" * 20,
        b"z" * 200_000,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % number for number in range(5000)) + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /api/casts HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /audio/%00.%ff.mp3 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /%2e%2e/api/casts HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET //api//casts HTTP/1.1\r\nHost: \xff\r\n\r\n",
        b"GET /audio/../api/casts HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 5000,
    ]
    async with open_http_house(limits=QUICK) as house:
        cast = await house.finished("All is well.")
        _, expected = await house.fetch(cast["audio"]["mp3"])
        for data in hostile:
            async with wired(house.port) as enemy:
                enemy.writer.write(data)
                enemy.writer.write_eof()
                answer = await enemy.rest()
            assert b"Traceback" not in answer
            assert b"aiohttp" not in answer
            assert b" 500 " not in answer, data[:80]
            assert (await house.fetch(cast["audio"]["mp3"]))[1] == expected
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_random_bytes_are_never_a_fault_of_ours() -> None:
    dice = random.Random(11)
    parts = [
        b"GET ",
        b"POST ",
        b"/api/casts",
        b"/audio/",
        b" HTTP/1.1\r\n",
        b"Host: localhost\r\n",
        b"\r\n",
        b"Range: bytes=",
        b"{",
        b"\0",
        b"%",
    ]
    async with open_http_house(limits=QUICK) as house:
        for _ in range(150):
            data = b"".join(dice.choice([dice.choice(parts), dice.randbytes(dice.randrange(20))]) for _ in range(20))
            async with wired(house.port) as enemy:
                enemy.writer.write(data)
                enemy.writer.write_eof()
                assert b"HTTP/1.1 5" not in await enemy.rest(), data
        assert (await house.answer("GET", "/ready"))[0] == 200


@pytest.mark.parametrize("drip", [b"", b"GET /hea", b"GET /health HTTP/1.1\r\nHost: local"])
async def test_a_head_that_is_never_complete_ends_the_connection(drip: bytes) -> None:
    async with open_http_house(limits=QUICK) as house, wired(house.port) as client:
        client.writer.write(drip)
        assert await client.rest() == b""


async def test_a_body_that_is_never_complete_is_told_so() -> None:
    async with open_http_house(limits=QUICK) as house, wired(house.port) as client:
        client.writer.write(post(house, b'{"text"', length=1000))
        assert await error_in(client) == (408, "timeout")
        assert await client.rest() == b""


async def test_a_body_that_is_too_large_is_refused_before_it_has_come() -> None:
    async with open_http_house(limits=QUICK, max_body_bytes=2000) as house:
        async with wired(house.port) as client:
            client.writer.write(post(house, b'{"text": "' + b"a" * 3000, length=10**12))
            assert await error_in(client) == (413, "body_too_large")
        async with wired(house.port) as client:
            chunk = b"1000\r\n" + b"a" * 4096 + b"\r\n"
            head = post(house, b"").replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")
            client.writer.write(head + chunk * 20)
            assert await error_in(client) == (413, "body_too_large")


async def test_a_compressed_body_is_not_unpacked() -> None:
    async with open_http_house() as house, wired(house.port) as client:
        client.writer.write(post(house, b"\x1f\x8b" + b"\0" * 100, "Content-Encoding: gzip"))
        assert await error_in(client) == (415, "wrong_media_type")


async def test_a_text_that_is_too_long_is_refused_by_its_field() -> None:
    async with open_http_house({"max_text_chars": 1000}) as house:
        status, document = await house.answer("POST", "/api/casts", json={"text": "Too long. " * 101})
        assert (status, document["error"]["param"]) == (400, "text")


async def test_clients_beyond_the_allowed_number_are_told_so() -> None:
    async with open_http_house(max_connections=2) as house:
        async with wired(house.port) as one, wired(house.port) as two:
            for client in (one, two):
                client.writer.write(get("/health"))
                assert b"200" in await client.head()
            async with wired(house.port) as third:
                answer = await third.rest()
            assert answer.startswith(b"HTTP/1.1 503 ")
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_many_connections"
        async with asyncio.timeout(PATIENCE_SECONDS):
            while house.server._runner.server.connections:  # noqa: ASYNC110 - the library has no event for it
                await asyncio.sleep(0)
        assert (await house.answer("GET", "/ready"))[0] == 200


async def test_wrong_methods_and_places_are_told_in_the_same_shape() -> None:
    async with open_http_house() as house:
        cast = await house.submit("Hello.")
        for method, path, expected in (
            ("PUT", "/api/casts", (405, "method_not_allowed")),
            ("GET", "/api/nothing", (404, "not_found")),
            ("GET", "/api/casts/short", (404, "cast_not_found")),
            ("GET", "/api/casts/aaaaaaaaaaaaaaaa", (404, "cast_not_found")),
            ("GET", "/api/casts/aaaaaaaaaaaaaaaa/events", (404, "cast_not_found")),
            ("DELETE", "/api/casts/aaaaaaaaaaaaaaaa", (404, "cast_not_found")),
            ("GET", f"/api/casts/{cast['id']}/records/0", (404, "cast_not_found")),
            ("GET", f"/api/casts/{cast['id']}/records/x", (400, "invalid_value")),
            ("GET", "/api/casts?limit=0", (400, "invalid_value")),
            ("GET", "/api/casts?before=x", (400, "invalid_value")),
        ):
            status, document = await house.answer(method, path)
            assert (status, document["error"]["code"]) == expected, path
            assert set(document["error"]) == {"message", "type", "param", "code"}
        status, document = await house.answer("GET", cast["events"], headers={"Last-Event-ID": "x"})
        assert (status, document["error"]["param"]) == (400, "Last-Event-ID")
        async with house.ask("PUT", "/api/casts") as response:
            assert set(response.headers["Allow"].split(",")) == {"GET", "POST"}
