"""Throws seeded nonsense at both doors of a real server for a while: no 5xx, no crash, no growth, and it still speaks.

python -m benchmarks.torture.fuzz --seconds 600 --door wyoming
python -m benchmarks.torture.fuzz --seconds 600 --door http
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.client import speak
from benchmarks.server import ServerProcess, running

_AT_ONCE = 16
_KINDS = (
    "synthesize",
    "synthesize-start",
    "synthesize-chunk",
    "synthesize-stop",
    "describe",
    "ping",
    "audio-chunk",
    "nonsense",
    "",
)
_PATHS = ("/api/casts", "/api/casts/{id}", "/api/casts/{id}/events", "/api/casts/{id}/records/{n}", "/audio/{id}.{id}.mp3",
          "/health", "/ready", "/metrics", "/api/openapi.json", "/../{id}", "//", "/%00", "/api/casts?limit={n}")  # fmt: skip
_TEXTS = ("Good evening.", "", "\x00", "\ud800", "😀" * 50, "a" * 3000, "1,234.56 $ 25:61", "<speak><break", "* _ ` #")
CRLF = chr(13) + chr(10)
_STATUS = re.compile(rb"HTTP/1\.1 (\d{3})")


class Nonsense:
    """Bytes that are nearly right."""

    def __init__(self, seed: int, token: str) -> None:
        self._random = random.Random(seed)
        self._token = token

    def wyoming(self) -> bytes:
        """Some events, one of them perhaps broken."""
        return self._broken(b"".join(self._event() for _ in range(self._random.randint(1, 5))))

    def http(self) -> bytes:
        """One request, perhaps broken."""
        path = self._random.choice(_PATHS).replace("{id}", self._word(16)).replace("{n}", str(self._random.randint(-5, 2**40)))
        body = json.dumps(self._value(3)).encode("utf-8", "surrogatepass")
        method = self._random.choice(("GET", "POST", "DELETE", "HEAD", "PUT", "BREW", "OPTIONS"))
        headers = ["Host: localhost", f"Content-Length: {len(body) + self._random.choice((0, 0, 0, 0, -1, 7))}"]
        usual = (f"Authorization: Bearer {self._token}", "Content-Type: application/json")
        headers += [header for header in usual if self._random.random() < 0.9]
        headers += self._random.sample(
            [
                f"Last-Event-ID: {self._random.randint(-9, 10**12)}",
                f"Range: bytes={self._random.randint(-9, 99)}-{self._random.randint(-9, 99)}",
                f"Idempotency-Key: {self._word(8)}",
                "Connection: close",
                f"X-{self._word(4)}: {'y' * self._random.randint(0, 3000)}",
            ],
            k=self._random.randint(0, 4),
        )
        return self._broken(f"{method} {path} HTTP/1.1\r\n{CRLF.join(headers)}\r\n\r\n".encode("latin-1") + body)

    def _event(self) -> bytes:
        data = json.dumps(self._value(2)).encode("utf-8", "surrogatepass")
        head: dict[str, object] = {"type": self._random.choice(_KINDS)}
        if self._random.random() < 0.5:
            head["data"] = {
                "text": self._random.choice(_TEXTS),
                "voice": self._random.choice((None, {"name": "af_nope"}, 3, [])),
            }
        else:
            head["data_length"] = len(data) + self._random.choice((0, 0, 0, 1, -1, 10**12))
        return json.dumps(head).encode() + b"\n" + (data if "data_length" in head else b"")

    def _value(self, depth: int) -> object:
        leaf: tuple[Callable[[], object], ...] = (
            lambda: self._random.choice(_TEXTS),
            lambda: self._random.choice((None, True, -1, 0.5, 2**70, float("inf"))),
            lambda: self._word(5),
        )
        if depth == 0 or self._random.random() < 0.3:
            return self._random.choice(leaf)()
        if self._random.random() < 0.2:
            return [self._value(depth - 1) for _ in range(self._random.randint(0, 4))]
        names = ("text", "voice", "speed", "language", "profile", "text_format", "priority", "keep", "context", self._word(4))
        return {name: self._value(depth - 1) for name in self._random.sample(names, k=self._random.randint(0, 6))}

    def _word(self, length: int) -> str:
        return "".join(self._random.choice("abcdefghijklmnopqrstuvwxyz234567") for _ in range(length))

    def _broken(self, data: bytes) -> bytes:
        kind = self._random.random()
        if kind < 0.2:
            return data[: self._random.randint(0, len(data))]
        if kind < 0.4:
            noise = bytearray(data)
            for _ in range(self._random.randint(1, 8)):
                noise[self._random.randrange(len(noise))] = self._random.randrange(256)
            return bytes(noise)
        return data + (self._random.randbytes(self._random.randint(1, 5000)) if kind < 0.5 else b"")


class Fuzz:
    """One run against one port."""

    def __init__(self, server: ServerProcess, make: Callable[[], bytes], port: int) -> None:
        self._server = server
        self._make = make
        self._port = port
        self.shots = 0
        self.statuses: Counter[str] = Counter()

    async def run(self, seconds: float) -> None:
        """Shoot from several clients at once until the time is over."""
        deadline = time.monotonic() + seconds
        await asyncio.gather(*(self._client(deadline) for _ in range(_AT_ONCE)))

    async def _client(self, deadline: float) -> None:
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(5.0):
                    await self._shoot()
            self.shots += 1

    async def _shoot(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            writer.write(self._make())
            if self.shots % 5 == 0:
                writer.write_eof()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    answer = await reader.read(1 << 16)
                    self.statuses.update(status.decode() for status in _STATUS.findall(answer))
        finally:
            writer.close()


def resident_megabytes(pid: int) -> float:
    """Memory of a process."""
    return next(
        int(line.split()[1]) / 1024 for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS")
    )


async def run(door: str, seconds: float, seed: int) -> bool:
    """Fuzz, tell, and say whether all is well."""
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder), "--engine", "tone", "--log-level", "error") as server:
            nonsense = Nonsense(seed, (Path(folder) / "api_token").read_text().strip())
            port = (
                server.port if door == "wyoming" else int(json.loads((Path(folder) / "server.json").read_text())["http_port"])
            )
            fuzz = Fuzz(server, getattr(nonsense, door), port)
            await fuzz.run(min(20.0, seconds / 4))
            before = resident_megabytes(server.pid)
            await fuzz.run(seconds)
            after = resident_megabytes(server.pid)
            heard = await speak(server.port, "It still speaks after all of that.")
            faults = [line for line in server.log.splitlines() if "Traceback" in line or "unexpected" in line]
    server_errors = sum(count for status, count in fuzz.statuses.items() if status.startswith("5") and status != "503")
    print(f"{door}: {fuzz.shots} shots in {seconds:.0f} s, seed {seed}")
    print(
        f"  memory {before:.0f} MB after warming up, {after:.0f} MB at the end; it still speaks: {heard.seconds:.1f} s of sound"
    )
    print(f"  statuses {dict(sorted(fuzz.statuses.items()))}, server errors {server_errors}, faults in the log {len(faults)}")
    for fault in faults[:5]:
        print(f"  {fault}")
    return not server_errors and not faults and heard.seconds > 0.5


def main() -> None:
    """Run and exit with 1 where something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--door", choices=("wyoming", "http"), default="wyoming")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    raise SystemExit(not asyncio.run(run(arguments.door, arguments.seconds, arguments.seed)))


if __name__ == "__main__":
    main()
