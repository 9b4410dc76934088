"""The real server as a process of its own, for benchmarks and tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path


class ServerProcess:
    """`wyoming-kokoro serve` in its own process group, on a free port of the loopback address."""

    command: tuple[str, ...] = ("serve", "--wyoming-uri", "tcp://127.0.0.1:0", "--http-port", "0", "--no-zeroconf")

    def __init__(self, data_dir: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        """`environment` comes on top of our own."""
        self.data_dir = data_dir
        self._arguments = arguments
        self._environment = {**os.environ, **(environment or {})}
        self._process: asyncio.subprocess.Process | None = None
        self._log: list[str] = []
        self._reading: asyncio.Task[None] | None = None
        self._said = asyncio.Event()

    @property
    def pid(self) -> int:
        """Of the server itself."""
        assert self._process is not None
        return self._process.pid

    @property
    def port(self) -> int:
        """Where it speaks Wyoming."""
        return int(json.loads((self.data_dir / "server.json").read_text())["wyoming_port"])

    @property
    def http_port(self) -> int:
        """Where it speaks HTTP."""
        return int(json.loads((self.data_dir / "server.json").read_text())["http_port"])

    @property
    def log(self) -> str:
        """What it wrote to standard error."""
        return "".join(self._log)

    async def start(self) -> None:
        """Return when it is up."""
        (self.data_dir / "server.json").unlink(missing_ok=True)
        self._log.clear()
        command, *options = self.command
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "wyoming_kokoro", command, "--data-dir", str(self.data_dir), *options, *self._arguments,
            stderr=asyncio.subprocess.PIPE, start_new_session=True, env=self._environment,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read(self._process))
        while not self._is_up():
            assert not self._reading.done(), f"it ended:\n{self.log}"
            await self.more()

    def _is_up(self) -> bool:
        return (self.data_dir / "server.json").exists()

    async def logged(self, words: str) -> None:
        """Return when its log has these words; an AssertionError where it ended before."""
        while words not in self.log:
            assert self._reading is not None
            assert not self._reading.done(), f"the server ended:\n{self.log}"
            await self.more()

    async def kill(self) -> None:
        """-9 to the whole group: what a power cut does to processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        await self._ended()

    async def terminate(self) -> int:
        """SIGTERM to the server; returns its exit status."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        return await self._ended()

    async def _ended(self) -> int:
        assert self._process is not None
        status = await self._process.wait()
        if self._reading is not None:
            await self._reading
        return status

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self._log.append(line.decode(errors="replace"))
            self._said.set()
        self._said.set()

    async def more(self) -> None:
        """Return when it has said something, or after a twentieth of a second."""
        self._said.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await self._said.wait()


@contextlib.asynccontextmanager
async def running(data_dir: Path, *arguments: str) -> AsyncIterator[ServerProcess]:
    """A server that is up, and gone afterwards."""
    server = ServerProcess(data_dir, *arguments)
    try:
        await server.start()
        yield server
    finally:
        await server.terminate()


class WorkerProcess(ServerProcess):
    """`wyoming-kokoro worker` in its own process group."""

    command = ("worker",)

    def _is_up(self) -> bool:
        return " is at work " in self.log
