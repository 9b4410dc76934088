"""Libraries below the peers, without a server, each in a process of its own that computes what it is told."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

from benchmarks.peers.environment import environment
from benchmarks.peers.servers import VOICE, official_files, official_python
from wyoming_kokoro.engine.weights import fetch

_SCRIPTS = Path(__file__).parent / "scripts"
_KOKORO_ONNX = ("kokoro-onnx==0.6.1", "onnxruntime>=1.20,<2")


class Bare:
    """One such process."""

    def __init__(self, name: str, python: Path, script: str, *arguments: str | Path) -> None:
        self.name = name
        self._command = (str(python), str(_SCRIPTS / script), *map(str, arguments))
        self._process: asyncio.subprocess.Process | None = None

    @property
    def pid(self) -> int:
        """Of the process."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Return when it has computed a first text."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "HF_HUB_OFFLINE": "1"},
        )
        await self.compute("Ready.")

    async def compute(self, text: str) -> tuple[float, float]:
        """Seconds that it takes, seconds of sound. Raises `RuntimeError` where the process is gone."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(text).encode() + b"\n")
        while line := await self._process.stdout.readline():
            if line.startswith(b"["):
                spent, sound = json.loads(line)
                return spent, sound
        raise RuntimeError(f"{self.name} ended")

    async def stop(self) -> None:
        """End it."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()


def bare_kokoro_onnx() -> Bare:
    """The shipped int8 model in onnxruntime, with espeak."""
    model = fetch().folder
    python = environment("kokoro-onnx", _KOKORO_ONNX)
    return Bare("kokoro-onnx, bare", python, "bare_kokoro_onnx.py", model.weights, model.voice(VOICE))


def bare_kokoro() -> Bare:
    """The official pipeline in torch."""
    return Bare("official torch, bare", official_python(), "bare_kokoro.py", official_files(), VOICE)
