"""A Wyoming client for tests: the library's own reader and writer, and raw bytes where a client misbehaves."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress

from wyoming.event import Event, async_read_event, async_write_event

PATIENCE_SECONDS = 20.0
"""Only ever reached by a test that fails."""


class Client:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, kind: str, **data: object) -> None:
        await async_write_event(Event(kind, data), self.writer)

    def write(self, *events: Event | bytes) -> None:
        """All in one segment."""
        self.writer.write(b"".join(event if isinstance(event, bytes) else as_bytes(event) for event in events))

    async def read(self) -> Event:
        """The next event; an `EOFError` where the connection ended cleanly, `IncompleteReadError` inside an event."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            event = await async_read_event(self.reader)
        if event is None:
            raise EOFError("the connection ended between two events")
        return event

    async def read_until(self, *kinds: str) -> list[Event]:
        events = [await self.read()]
        while events[-1].type not in kinds:
            events.append(await self.read())
        return events

    async def read_rest(self) -> bytes:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await self.reader.read()

    async def speak(self, text: str, **data: object) -> list[Event]:
        await self.ask("synthesize", text=text, **data)
        return await self.read_until("audio-stop", "error")

    async def speak_streamed(self, *pieces: str, **data: object) -> list[Event]:
        """As Home Assistant does it, all at once, with the `synthesize` for servers that can't stream."""
        self.write(*streamed(*pieces, **data))
        return await self.read_until("synthesize-stopped", "error")


def streamed(*pieces: str, **data: object) -> list[Event]:
    return [
        Event("synthesize-start", data),
        *[Event("synthesize-chunk", {"text": piece}) for piece in pieces],
        Event("synthesize", {"text": "".join(pieces), **data}),
        Event("synthesize-stop"),
    ]


def as_bytes(event: Event) -> bytes:
    """As the library writes it."""

    class Buffer:
        def __init__(self) -> None:
            self.data = b""

        def writelines(self, parts) -> None:
            self.data += b"".join(parts)

        def write(self, part: bytes) -> None:
            self.data += part

        def flush(self) -> None:
            pass

    from wyoming.event import write_event

    buffer = Buffer()
    write_event(event, buffer)
    return buffer.data


@asynccontextmanager
async def connected(port: int, **options: object):
    reader, writer = await asyncio.open_connection("127.0.0.1", port, **options)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def kinds(events: list[Event]) -> list[str]:
    """Types of the events, runs of audio chunks counted as one."""
    names = [event.type for event in events]
    return [name for index, name in enumerate(names) if name != "audio-chunk" or index == 0 or names[index - 1] != name]


def sound(events: list[Event]) -> bytes:
    return b"".join(event.payload or b"" for event in events if event.type == "audio-chunk")
