"""The server as a process of its own, with the tone engine."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def command(data_dir: Path, *arguments: str) -> list[str]:
    """What starts it, on free ports."""
    quiet = ["--engine", "tone", "--no-zeroconf", "--http-host", "127.0.0.1", "--http-port", "0", "--data-dir", str(data_dir)]
    return [sys.executable, "-m", "wyoming_kokoro", "serve", *quiet, *arguments]


@contextlib.contextmanager
def served(data_dir: Path, uri: str = "tcp://127.0.0.1:0") -> Iterator[subprocess.Popen[str]]:
    """A server that is ready, killed in the end."""
    with subprocess.Popen(command(data_dir, "--wyoming-uri", uri), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            heard = []
            for line in process.stderr:
                heard.append(line)
                if " ready: " in line:
                    break
            else:
                pytest.fail("".join(heard))
            yield process
        finally:
            process.kill()
