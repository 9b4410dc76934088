"""The real broker as a process of its own, for benchmarks and tests."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path


def find_mosquitto() -> str | None:
    """The program, which Debian keeps where only root looks."""
    return shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


class MosquittoProcess:
    """A broker on a free port of the loopback address; what it keeps lies in `folder`."""

    def __init__(self, folder: Path, *lines: str, port: int | None = None) -> None:
        """`lines` are added to its configuration."""
        self._folder = folder
        self._lines = lines
        self.port = port or free_port()
        self._process: asyncio.subprocess.Process | None = None
        self._log: list[str] = []
        self._reading: asyncio.Task[None] | None = None
        self._said = asyncio.Event()

    @property
    def log(self) -> str:
        """What it said since it was started last."""
        return "".join(self._log)

    @property
    def url(self) -> str:
        """Where it is, as our option says it."""
        return f"mqtt://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Return when it listens."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / "mosquitto.conf"
        path.write_text("\n".join([*self._usual(), *self._lines, ""]), encoding="utf-8")
        program = find_mosquitto()
        assert program is not None, "mosquitto is not installed"
        self._log.clear()
        self._process = await asyncio.create_subprocess_exec(
            program, "-v", "-c", str(path), stderr=asyncio.subprocess.PIPE, start_new_session=True
        )
        self._reading = asyncio.create_task(self._read(self._process))
        await self.says(" running")

    async def says(self, words: str) -> None:
        """Return when its log has these words; an AssertionError where it ended before."""
        while words not in self.log:
            assert self._reading is not None
            assert not self._reading.done(), f"the broker ended:\n{self.log}"
            self._said.clear()
            await self._said.wait()

    async def stop(self) -> None:
        """SIGTERM: it keeps what it has."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            await self._ended()

    async def kill(self) -> None:
        """SIGKILL: it forgets what it has not saved."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._ended()

    def _usual(self) -> list[str]:
        return [
            f"user {getpass.getuser()}", "persistence true", f"persistence_location {self._folder}/",
            "max_queued_messages 10000", "log_dest stderr", "log_type all", "connection_messages true",
            *([] if any(line.startswith("listener") for line in self._lines) else [f"listener {self.port} 127.0.0.1"]),
            *([] if any("allow_anonymous" in line for line in self._lines) else ["allow_anonymous true"]),
        ]  # fmt: skip

    async def _ended(self) -> None:
        assert self._process is not None
        await self._process.wait()
        if self._reading is not None:
            await self._reading

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while line := await process.stderr.readline():
            self._log.append(line.decode(errors="replace"))
            self._said.set()
        self._said.set()


@contextlib.asynccontextmanager
async def mosquitto(folder: Path, *lines: str) -> AsyncIterator[MosquittoProcess]:
    """A broker that is up, and gone afterwards."""
    broker = MosquittoProcess(folder, *lines)
    try:
        await broker.start()
        yield broker
    finally:
        await broker.stop()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
