"""The engine's process as the server sees it: started, spoken to, listened to, and ended."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import socket
import sys
from collections import deque
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.frames import Frame, FrameError, encode_frame, read_frame
from wyoming_kokoro.engine.scratch import Scratch
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from wyoming_kokoro.engine.child_config import ChildConfig

_LOGGER = logging.getLogger(__name__)
_MODULE = "wyoming_kokoro.engine.child"
_END_SECONDS = 2.0
_LAST_LINES = 20
_LEVELS = {"DEBUG": logging.DEBUG, "INFO": logging.INFO, "WARNING": logging.WARNING, "ERROR": logging.ERROR}


class ChildProcess:
    """One process and its socket. Made by `start`; `end` must be called in the end."""

    def __init__(self, process: Process, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, scratch: Scratch) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._scratch = scratch
        self._lines: deque[str] = deque(maxlen=_LAST_LINES)
        self._stderr = asyncio.create_task(self._log_stderr())

    @classmethod
    async def start(cls, config: ChildConfig) -> ChildProcess:
        """A process that was told what to be. Raises `EngineUnavailableError`."""
        ours, theirs = socket.socketpair()
        scratch = Scratch()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-m", _MODULE, str(theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "TMPDIR": str(scratch.path)},  # what libraries leave there goes with the process
            )  # fmt: skip
        except OSError as error:
            ours.close()
            scratch.remove()
            raise EngineUnavailableError(f"the engine's process can't be started: {error}") from error
        finally:
            theirs.close()
        reader, writer = await asyncio.open_connection(sock=ours)
        child = cls(process, reader, writer, scratch)
        child.send(encode_frame(config.to_header()))
        return child

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The last line that it wrote to its standard error, or how it ended."""
        code = self._process.returncode
        ended = "" if code is None else f"killed by signal {-code}" if code < 0 else f"exit status {code}"
        return ", ".join(filter(None, [self._lines[-1] if self._lines else "", ended])) or "without a word"

    def send(self, data: bytes) -> None:
        """Send a frame; nothing where the process is gone, which `receive` tells."""
        if not self._writer.is_closing():
            self._writer.write(data)

    async def receive(self) -> Frame | None:
        """The next frame; None when the process is gone or talks nonsense."""
        try:
            return await read_frame(self._reader)
        except (OSError, FrameError) as error:
            _LOGGER.warning("the engine's process is given up: %s", error)
            return None

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Close its socket, give it a moment to go, and see that it is gone. Idempotent."""
        self._writer.close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self.kill()
        finally:
            await asyncio.shield(self._bury())

    async def _bury(self) -> None:
        self.kill()
        await self._process.wait()
        await self._stderr
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        await asyncio.to_thread(self._scratch.remove)

    async def _log_stderr(self) -> None:
        stderr = self._process.stderr
        if stderr is None:
            return
        while True:
            try:
                line = await stderr.readline()
            except ValueError:  # a line longer than the reader's limit: its next part follows
                continue
            if not line:
                return
            text = line.decode("utf-8", "replace").rstrip()
            if text:
                self._lines.append(text)
                _LOGGER.log(_LEVELS.get(text.split(" ", 1)[0], logging.INFO), "engine: %s", text)
