"""A Wyoming client that takes times, on the library that Home Assistant uses."""

from __future__ import annotations

import time
from dataclasses import dataclass

from wyoming.audio import AudioChunk, AudioStart
from wyoming.client import AsyncTcpClient
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped, SynthesizeVoice


@dataclass(frozen=True, slots=True)
class Heard:
    """One answer."""

    pcm: bytes
    rate: int
    first_seconds: float
    """From the request to the first audio."""
    total_seconds: float

    @property
    def seconds(self) -> float:
        """Duration of the sound."""
        return len(self.pcm) / 2 / self.rate


async def speak(port: int, text: str, *, streaming: bool = False, voice: str | None = None) -> Heard:
    """Have a text spoken in one of the dialects, as Home Assistant does. Raises `RuntimeError` for an error event."""
    chosen = SynthesizeVoice(name=voice) if voice else None
    started = time.monotonic()
    async with AsyncTcpClient("127.0.0.1", port) as client:
        if streaming:
            await client.write_event(SynthesizeStart(voice=chosen).event())
            await client.write_event(SynthesizeChunk(text=text).event())
        await client.write_event(Synthesize(text=text, voice=chosen).event())
        if streaming:
            await client.write_event(SynthesizeStop().event())
        return await _hear(client, started)


async def _hear(client: AsyncTcpClient, started: float) -> Heard:
    pcm = bytearray()
    rate, first = 0, 0.0
    while (event := await client.read_event()) is not None:
        if AudioChunk.is_type(event.type):
            first = first or time.monotonic() - started
            pcm += event.payload or b""
        elif AudioStart.is_type(event.type):
            rate = AudioStart.from_event(event).rate
        elif Error.is_type(event.type):
            raise RuntimeError(Error.from_event(event).text)
        elif event.type == "audio-stop" or SynthesizeStopped.is_type(event.type):
            return Heard(bytes(pcm), rate, first, time.monotonic() - started)
    raise ConnectionError(f"the answer ended after {len(pcm)} bytes")


async def describe(port: int) -> tuple[Info, float]:
    """What the server says of itself, and how long that took, with the connection."""
    started = time.monotonic()
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        event: Event | None = await client.read_event()
        assert event is not None
        return Info.from_event(event), time.monotonic() - started
