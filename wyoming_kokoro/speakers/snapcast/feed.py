"""A sound on its way into a TCP source, in real time."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING

from wyoming_kokoro.audio.shaping import Shaper
from wyoming_kokoro.model.errors import ServerError
from wyoming_kokoro.speakers.snapcast.control import words
from wyoming_kokoro.speakers.waiting import within

if TYPE_CHECKING:
    from wyoming_kokoro.model.announcement import Play
    from wyoming_kokoro.model.audio import AudioFormat
    from wyoming_kokoro.ports import Clock

_CHUNK_MS = 20
LEAD_MS = 100
"""The server loses the first milliseconds of a source that wakes up."""
_CONNECT_SECONDS = 5.0
_STALL_SECONDS = 5.0
"""A server that takes nothing for so long hangs."""
_KERNEL_BYTES = 16 * 1024
"""What we have written should be with the server, not in our own buffers: the position is counted by it."""


class Feed:
    """One connection to the source. `seconds` tells at any time how much of the sound has been written."""

    def __init__(self, writer: asyncio.StreamWriter, shape: AudioFormat, clock: Clock) -> None:
        self._writer = writer
        self._shape = shape
        self._clock = clock
        self._written = 0
        self._is_cut = False

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, host: str, port: int, shape: AudioFormat, clock: Clock) -> AsyncIterator[Feed]:
        """Connected for the length of the block. Raises `ServerError`."""
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, writer = await asyncio.open_connection(host, port)
        except OSError as error:
            raise ServerError(f"the Snapcast source at {host}:{port} is not reached: {words(error)}") from error
        writer.transport.set_write_buffer_limits(high=0)
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL_BYTES)
        feed = cls(writer, shape, clock)
        try:
            yield feed
        finally:
            feed.cut()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    @property
    def seconds(self) -> float:
        """Of the sound, without the silence that leads it in."""
        return max(0.0, self._shape.seconds(self._written) - LEAD_MS / 1000)

    def cut(self) -> None:
        """Let go at once of what has not left us yet. Idempotent."""
        if not self._is_cut:
            self._is_cut = True
            if self._is_empty():
                self._writer.close()
            else:
                self._writer.transport.abort()

    async def send(self, play: Play, gain: float) -> None:
        """All of it, as fast as it is heard; ends early after `cut`. Raises `ServerError`, and what `play.pcm` raises."""
        due = self._clock.monotonic()
        async with contextlib.aclosing(self._chunks(play, gain)) as chunks:
            async for chunk in chunks:
                # Late sound shifts all that follows.
                due = max(due, self._clock.monotonic() - _CHUNK_MS / 1000)
                await self._clock.sleep(max(0.0, due - self._clock.monotonic()))
                if self._is_cut:
                    return
                await self._write(chunk)
                due += _CHUNK_MS / 1000

    async def _write(self, chunk: bytes) -> None:
        try:
            self._writer.write(chunk)
            self._written += len(chunk)
            is_taken = self._is_empty() or await within(self._clock, _STALL_SECONDS, self._writer.drain())
        except OSError as error:
            raise ServerError(f"the Snapcast source broke: {words(error)}") from error
        if not is_taken and not self._is_cut:
            raise ServerError(f"the Snapcast source has taken nothing for {_STALL_SECONDS:.0f} s")

    def _is_empty(self) -> bool:
        """Whether all that was written is with the system already; a broken connection is found out by draining."""
        return not self._writer.transport.get_write_buffer_size() and not self._writer.transport.is_closing()

    async def _chunks(self, play: Play, gain: float) -> AsyncGenerator[bytes, None]:
        """Pieces of equal length; the last is filled up with silence."""
        shaper = Shaper(self._shape.rate, self._shape.channels, gain)
        size = len(self._shape.silence(_CHUNK_MS))
        waiting = bytearray(self._shape.silence(LEAD_MS))
        async with contextlib.aclosing(play.pcm()) as pieces:
            async for pcm in pieces:
                waiting += shaper.feed(pcm)
                while len(waiting) >= size:
                    yield bytes(waiting[:size])
                    del waiting[:size]
        waiting += shaper.finish()
        for start in range(0, len(waiting), size):
            yield bytes(waiting[start : start + size]).ljust(size, b"\0")
