"""Who listens by HTTP, and how: by the hundred, slowly, not at all, and until the server stops."""

import asyncio
import socket
import tracemalloc
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

from tests.http_house import PATIENCE_SECONDS, HttpHouse, open_http_house
from tests.http_wire import Wire, get, unchunked, wired
from wyoming_kokoro.frontends.http.limits import Limits

TEXT = "Dinner is ready. Come down, please. The soup gets cold."
LONG = " ".join(f"Sentence number {number} of a long text is spoken here." for number in range(60))


def pending_bytes(house: HttpHouse) -> list[int]:
    """What the door holds for each client."""
    server = house.server._runner.server
    return [each.transport.get_write_buffer_size() for each in server.connections if each.transport is not None]


async def ask(stack: AsyncExitStack, house: HttpHouse, url: str, *, limit: int = 65536) -> Wire:
    client = await stack.enter_async_context(wired(house.port, limit=limit))
    client.writer.write(get(urlsplit(url).path))
    return client


async def hear(client: Wire) -> bytes:
    """A whole answer in chunks."""
    assert b"chunked" in (await client.head()).lower()
    body = bytearray()
    async with asyncio.timeout(4 * PATIENCE_SECONDS):
        while not body.endswith(b"\r\n0\r\n\r\n"):
            data = await client.reader.read(65536)
            assert data, "closed too early"
            body += data
    heard, is_whole = unchunked(bytes(body))
    assert is_whole
    return heard


async def test_a_hundred_listeners_of_one_live_cast_get_the_same_bytes_from_one_encoder() -> None:
    async with open_http_house() as house, AsyncExitStack() as stack:
        house.engine.hold()
        cast = await house.submit(LONG)
        url = cast["audio"]["mp3"]
        first = await ask(stack, house, url)
        await house.listened_to(cast["id"])
        clients = [first, *[await ask(stack, house, url) for _ in range(99)]]
        house.engine.release()
        heard = await asyncio.gather(*(hear(client) for client in clients))
        assert len(set(heard)) == 1
        assert len(heard[0]) > 100_000
        assert house.house.shop.feeds.listeners(cast["id"]) <= 1
        _, finished = await house.fetch(url)
        assert finished == heard[0]


async def test_a_listener_costs_less_than_a_tenth_of_a_megabyte() -> None:
    async with open_http_house(limits=Limits(send_buffer_bytes=16 * 1024)) as house, AsyncExitStack() as stack:
        cast = await house.finished(LONG)
        await house.fetch(cast["audio"]["mp3"])
        tracemalloc.start()
        try:
            before_bytes, _ = tracemalloc.get_traced_memory()
            for _ in range(50):
                client = stack.enter_context(socket.create_connection(("127.0.0.1", house.port)))
                client.sendall(get(urlsplit(cast["audio"]["mp3"]).path))
            async with asyncio.timeout(PATIENCE_SECONDS):
                while len([size for size in pending_bytes(house) if size]) < 50:  # noqa: ASYNC110 - no event for it
                    await asyncio.sleep(0)
            after_bytes, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert (after_bytes - before_bytes) / 50 < 100_000


async def test_listeners_that_stall_cost_the_others_nothing_and_the_door_next_to_nothing() -> None:
    limits = Limits(send_buffer_bytes=16 * 1024)
    async with open_http_house(limits=limits) as house, AsyncExitStack() as stack:
        house.engine.hold()
        cast = await house.submit(LONG)
        url = cast["audio"]["wav"]
        stalled = []
        for _ in range(20):
            client = await stack.enter_async_context(wired(house.port, limit=1024))
            client.writer.transport.pause_reading()
            client.writer.write(get(urlsplit(url).path))
            stalled.append(client)
        lively = await ask(stack, house, url)
        await house.listened_to(cast["id"])
        house.engine.release()
        heard = await hear(lively)
        assert len(heard) > 3_000_000
        finished = await house.finished("Somebody is at the door.")
        assert (await house.fetch(finished["audio"]["mp3"]))[0].status == 200
        assert len(pending_bytes(house)) >= 20
        assert max(pending_bytes(house)) < 64 * 1024
        stalled[0].writer.transport.resume_reading()
        assert await hear(stalled[0]) == heard


async def test_a_listener_that_never_reads_is_let_go() -> None:
    limits = Limits(write_seconds=0.05, send_buffer_bytes=16 * 1024)
    async with open_http_house(limits=limits) as house, wired(house.port, limit=1024) as client:
        cast = await house.finished(LONG)
        client.writer.transport.pause_reading()
        client.writer.write(get(urlsplit(cast["audio"]["wav"]).path))
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not any(each.readers for each in house.server._renditions._shared.values()):  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0)
            while any(each.readers for each in house.server._renditions._shared.values()):  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0)


async def test_who_hangs_up_while_nothing_is_said_is_no_listener_any_more() -> None:
    async with open_http_house() as house:
        house.engine.hold()
        cast = await house.submit(TEXT)
        async with wired(house.port) as client:
            client.writer.write(get(urlsplit(cast["audio"]["mp3"]).path))
            await house.listened_to(cast["id"])
        async with asyncio.timeout(PATIENCE_SECONDS):
            while house.house.shop.feeds.listeners(cast["id"]):  # noqa: ASYNC110 - the feeds have no event for it
                await asyncio.sleep(0)
        house.engine.release()
        assert (await house.finished(TEXT))["state"] == "done"


async def test_a_server_that_stops_ends_event_streams_and_breaks_off_sound() -> None:
    async with open_http_house() as house, AsyncExitStack() as stack:
        house.engine.hold()
        cast = await house.submit(TEXT)
        audio = await ask(stack, house, (await house.answer("GET", f"/api/casts/{cast['id']}?lead_ms=0"))[1]["audio"]["wav"])
        events = await stack.enter_async_context(wired(house.port))
        events.writer.write(get(urlsplit(cast["events"]).path, f"Authorization: {house.headers['Authorization']}"))
        await events.head()
        await house.listened_to(cast["id"])
        idle = await stack.enter_async_context(wired(house.port))
        idle.writer.write(get("/health"))
        await idle.head()
        await house.server.stop(0.05)
        assert (await events.rest()).endswith(b"0\r\n\r\n")
        assert not unchunked((await audio.rest()).partition(b"\r\n\r\n")[2])[1]
        assert b"200" not in await idle.rest()


async def test_a_file_that_is_under_way_is_finished_before_the_server_stops() -> None:
    async with open_http_house(limits=Limits(send_buffer_bytes=16 * 1024)) as house, AsyncExitStack() as stack:
        cast = await house.finished(LONG)
        client = await stack.enter_async_context(wired(house.port, limit=1024))
        client.writer.write(get(urlsplit(cast["audio"]["wav"]).path))
        head = await client.head()
        stopping = asyncio.create_task(house.server.stop(PATIENCE_SECONDS))
        body = await client.rest()
        await stopping
        assert f"content-length: {len(body)}".encode() in head.lower()
