"""An image's server, started as an engine would start it, in a network of its own: is it healthy, does it speak?"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import shlex
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scripts.image.app_trial import SERVICE, supervised
from scripts.image.instructions import DockerfileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

    from scripts.image.build import Image

SENTENCE = "Good evening. Dinner is ready."
_PORT = 10200
_STARTING_SECONDS = 120.0
_ENDING_SECONDS = 30.0
_CLONE_NEWNET, _SIOCSIFFLAGS, _IFF_UP = 0x40000000, 0x8914, 1


@dataclass(frozen=True, slots=True)
class Spoken:
    """What came of it."""

    seconds_to_health: float
    sound_seconds: float
    peak: int


def started_words(image: Image) -> list[str]:
    """What the container's first process, or the service of its supervision tree, executes."""
    service = image.root.path / SERVICE
    if not service.exists():
        return [*image.entrypoint, *image.command]
    line = next(line for line in service.read_text(encoding="utf-8").splitlines() if line.startswith("exec "))
    return shlex.split(line.removeprefix("exec "))


def try_out(image: Image, words: list[str]) -> Spoken:
    """Start it, wait until it is healthy, hear a sentence, ask doctor, end it. Raises `DockerfileError`.

    The calling process moves to a network of its own for good, so that no port is taken and nothing outside is reached.
    """
    _leave_the_network()
    with supervised(image):
        return _tried(image, words)


def _tried(image: Image, words: list[str]) -> Spoken:
    began = time.monotonic()
    server = subprocess.Popen(_inside(image, words), stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        _until_healthy(image, server)
        healthy = time.monotonic() - began
        seconds, peak = _heard(SENTENCE)
        doctor = subprocess.run(_inside(image, ["wyoming-kokoro", "doctor"]), check=False)
        if doctor.returncode:
            raise DockerfileError("doctor finds something wrong")
    finally:
        status = _end(server)
    if status:
        raise DockerfileError(f"the server ends with status {status}")
    return Spoken(healthy, seconds, peak)


def _leave_the_network() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET):
        raise DockerfileError(f"no network of its own: {os.strerror(ctypes.get_errno())}")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def _inside(image: Image, words: list[str]) -> list[str]:
    return image.root.command(words, user=image.user, folder=image.folder, environment=image.environment)


def _until_healthy(image: Image, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _STARTING_SECONDS
    while subprocess.run(_inside(image, image.healthcheck), capture_output=True, check=False).returncode:
        if server.poll() is not None:
            raise DockerfileError(f"the server ends with status {server.returncode} instead of starting")
        if time.monotonic() > deadline:
            raise DockerfileError(f"the server is not healthy after {_STARTING_SECONDS:.0f} s")
        time.sleep(0.2)


def _end(server: subprocess.Popen[bytes]) -> int:
    """As an engine stops a container. The server is the child of the one that made its namespaces."""
    for child in _children(server.pid):
        os.kill(child, signal.SIGTERM)
    try:
        return server.wait(_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        return server.wait()


def _children(pid: int) -> list[int]:
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as listed:  # noqa: PTH123 - a file of the kernel's
        return [int(word) for word in listed.read().split()]


def _heard(text: str) -> tuple[float, int]:
    """Seconds and peak of what the Wyoming port says to that."""
    with socket.create_connection(("127.0.0.1", _PORT), 60) as connection, connection.makefile("rb") as stream:
        connection.sendall(json.dumps({"type": "synthesize", "data": {"text": text}}).encode() + b"\n")
        sound = bytearray()
        for kind, data, payload in _events(stream):
            if kind == "audio-chunk":
                sound += payload
                rate = int(data["rate"])
            elif kind == "audio-stop":
                samples = memoryview(bytes(sound)).cast("h")
                return len(samples) / rate, max(map(abs, samples))
            elif kind == "error":
                raise DockerfileError(f"the server answers {data}")
    raise DockerfileError("the server hangs up without speaking")


def _events(stream: IO[bytes]) -> Iterator[tuple[str, dict[str, Any], bytes]]:
    while line := stream.readline():
        head = json.loads(line)
        data = head.get("data") or {}
        if length := head.get("data_length"):
            data |= json.loads(stream.read(length))
        yield head["type"], data, stream.read(head.get("payload_length") or 0)


def tell(image: Image, spoken: Spoken) -> None:
    """The result in a few lines."""
    print(f"root: {image.root.size_bytes() / 1e6:.0f} MB on the disk")
    print(f"healthy after {spoken.seconds_to_health:.1f} s")
    print(f"spoken: {spoken.sound_seconds:.2f} s of sound, peak {spoken.peak}", file=sys.stdout)
