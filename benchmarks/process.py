"""A server that somebody else wrote, as a process: started, waited for, ended, and how much memory it holds."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from benchmarks.client import describe

_START_SECONDS = 180.0


class Served:
    """A command that speaks Wyoming on the port that stands for `{port}` in it."""

    def __init__(self, name: str, command: tuple[str, ...], *, environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        self._command = command
        self._environment = {**os.environ, **(environment or {})}
        self._process: asyncio.subprocess.Process | None = None
        self._log: IO[bytes] | None = None
        self.port = 0

    @property
    def pid(self) -> int:
        """Of the server."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Return when it answers. Raises `RuntimeError` with what it said where it ends first."""
        self.port = free_port()
        command = [part.format(port=self.port) for part in self._command]
        self._log = TemporaryFile()  # noqa: SIM115  the process writes to it as long as it lives
        self._process = await asyncio.create_subprocess_exec(
            *command, stdout=self._log, stderr=self._log, start_new_session=True, env=self._environment
        )
        async with asyncio.timeout(_START_SECONDS):
            while not await _answers(self.port):
                if self._process.returncode is not None:
                    self._log.seek(0)
                    raise RuntimeError(f"{self.name} ended: {self._log.read().decode(errors='replace')[-2000:]}")
                await asyncio.sleep(0.05)

    async def stop(self) -> None:
        """End it, and whatever it started."""
        assert self._process is not None
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(10):
                    await self._process.wait()
                    return


async def _answers(port: int) -> bool:
    try:
        async with asyncio.timeout(5):
            await describe(port)
    except (OSError, TimeoutError, AssertionError):
        return False
    return True


def free_port() -> int:
    """One that nobody listens on at the moment."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def memory_mb(pid: int) -> float:
    """Megabytes that a process and all that it started hold for themselves, or their share of (PSS)."""
    total = _pss_kb(pid)
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            total += sum(int(memory_mb(int(child)) * 1000) for child in children.read_text().split())
    return total / 1000


def _pss_kb(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
