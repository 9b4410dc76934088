"""A real s2-lite for benchmarks and tests, on the loopback address."""

from __future__ import annotations

import functools
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]


@functools.cache
def binary() -> Path | None:
    """Where it is; None where it was not built yet."""
    found = subprocess.run([ROOT / "scripts" / "s2-lite", "--which"], capture_output=True, text=True, check=False)
    return Path(found.stdout.strip()) if found.returncode == 0 and found.stdout.strip() else None


class S2Lite:
    """One server with its own folder; it may be killed and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Return when it is healthy."""
        self._folder.mkdir(exist_ok=True)
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [ROOT / "scripts" / "s2-lite", "--data-dir", self._folder / "data", "--port", str(self.port)],
                stdout=log, stderr=log,
            )  # fmt: skip
        while not self._is_healthy():
            assert self._process.poll() is None, (self._folder / "log").read_text()
            time.sleep(0.02)

    def kill(self) -> None:
        """-9, whatever it is doing."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def hang(self) -> None:
        """It is there, and answers nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def stop(self) -> None:
        """As a supervisor does it; nothing where it does not run."""
        if self._process is not None:
            self._process.terminate()
            self._process.send_signal(signal.SIGCONT)  # one that hangs would hear of it too late
            self._process.wait()

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.endpoint}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
