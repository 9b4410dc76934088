"""Bytes that grow at the end and are read anywhere: in memory while they are few, then in a temporary file."""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from wyoming_kokoro.model.errors import StorageFullError

if TYPE_CHECKING:
    from pathlib import Path


class Spool:
    """One writer, any number of readers. The file has no name and is gone with the process."""

    def __init__(self, directory: Path, *, memory_bytes: int) -> None:
        self._directory = directory
        self._memory_bytes = memory_bytes
        self._memory = bytearray()
        self._file: IO[bytes] | None = None
        self.size_bytes = 0
        """What can be read."""

    async def append(self, data: bytes) -> None:
        """Add at the end. Raises `StorageFullError`."""
        if self._file is None and self.size_bytes + len(data) <= self._memory_bytes:
            self._memory += data
        else:
            await self._write_out(data)
        self.size_bytes += len(data)

    async def read(self, start: int, limit: int) -> bytes:
        """At most `limit` bytes from `start` on; empty at the end of what is there."""
        if self._file is None:
            return bytes(self._memory[start : start + limit])
        return await asyncio.to_thread(os.pread, self._file.fileno(), limit, start)

    def close(self) -> None:
        """Let go of everything; nobody may read or append any more. Idempotent."""
        self._memory = bytearray()
        if self._file is not None:
            self._file.close()

    async def _write_out(self, data: bytes) -> None:
        """Into the file; when cancelled, it returns only once the thread has let go of it."""
        writing = asyncio.ensure_future(asyncio.to_thread(self._write, data))
        try:
            await asyncio.wait([writing])
        finally:
            while not writing.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([writing])
            if writing.exception() is None:
                self._file, self._memory = writing.result(), bytearray()
        try:
            writing.result()
        except OSError as error:
            raise StorageFullError(f"the sound can't be put aside: {error.strerror}") from error

    def _write(self, data: bytes) -> IO[bytes]:
        file, rest = self._file, memoryview(data)
        if file is None:
            file = tempfile.TemporaryFile(dir=self._directory, buffering=0)  # noqa: SIM115 - closed by `close`
            rest = memoryview(bytes(self._memory) + data)
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError:
            if file is not self._file:
                file.close()
            raise
        return file
