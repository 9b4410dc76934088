"""A real Snapcast server with a real client that writes what it plays into a file (Debian's snapserver and snapclient)."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import shutil
import socket
import subprocess
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.contracts.speaker_worlds import Bench
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.model.announcement import Play, Played, PlayOutcome
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.ports import Speaker
from wyoming_kokoro.settings.speakers import SnapcastSpeaker
from wyoming_kokoro.speakers.remembered import Remembered
from wyoming_kokoro.speakers.snapcast import speaker as snapcast
from wyoming_kokoro.speakers.snapcast.control import Control
from wyoming_kokoro.speakers.snapcast.status import Status

pytestmark = pytest.mark.skipif(
    shutil.which("snapserver") is None or shutil.which("snapclient") is None,
    reason="Debian's packages snapserver and snapclient are not there",
)

BUFFER_MS = 400


class Rig(NamedTuple):
    """Ports, and what came out of the loudspeaker: 48 kHz, 16 bit, stereo."""

    source: int
    control: int
    file: Path

    def heard_seconds(self) -> float:
        """How long it was not silent."""
        pcm = self.file.read_bytes() if self.file.exists() else b""
        samples = np.abs(np.frombuffer(pcm[: len(pcm) // 4 * 4], "<i2").astype(np.int32)).reshape(-1, 2)[:, 0]
        return int((samples > 1000).sum()) / 48_000


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def running(program: list[str], ready: str) -> Iterator[None]:
    """A process that has said that it is ready."""
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            heard = []
            for line in process.stdout:
                heard.append(line)
                if ready in line:
                    break
            else:
                pytest.fail("".join(heard))
            yield
        finally:
            process.kill()


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    source, control, stream = free_ports(3)
    settings = f"""
[server]
datadir = {tmp_path}
[http]
enabled = false
[tcp]
bind_to_address = 127.0.0.1
port = {control}
[stream]
bind_to_address = 127.0.0.1
port = {stream}
buffer = {BUFFER_MS}
source = pipe://{tmp_path}/music?name=music&sampleformat=48000:16:2
source = tcp://127.0.0.1:{source}?name=kokoro&mode=server&sampleformat=48000:16:2
"""
    (tmp_path / "snapserver.conf").write_text(settings)
    file = tmp_path / "heard.raw"
    client = [
        "snapclient",
        "-h",
        "127.0.0.1",
        "-p",
        str(stream),
        "--hostID",
        "kitchen",
        "--player",
        f"file:filename={file},mode=a",
    ]
    with (
        running(["snapserver", "-c", str(tmp_path / "snapserver.conf")], "Number of threads"),
        running(client, "Sampleformat: "),
    ):
        yield Rig(source, control, file)


def speaker(rig: Rig, folder: Path) -> Speaker:
    settings = SnapcastSpeaker(
        host="127.0.0.1", port=rig.source, control_port=rig.control, group="kitchen", buffer_ms=BUFFER_MS
    )
    return snapcast.SnapcastSpeaker(settings, SystemClock(), Remembered(folder / "speakers.json"))


def tone(folder: Path, seconds: float) -> Play:
    async def pcm() -> AsyncGenerator[bytes, None]:
        for _ in range(round(seconds * 10)):
            yield (8000).to_bytes(2, "little") * (SPEECH.rate // 10)

    return dataclasses.replace(Bench(folder).play(seconds), pcm=pcm)


async def stream_of_group(rig: Rig) -> str:
    async with Control.open("127.0.0.1", rig.control) as control:
        group = Status(await control.ask("Server.GetStatus")).group("kitchen")
    assert group is not None
    return group.stream_id


async def test_all_of_it_is_heard_by_the_rooms_client_and_the_music_is_given_back(rig: Rig, tmp_path: Path) -> None:
    made = speaker(rig, tmp_path)
    await made.start()
    assert await made.play(tone(tmp_path, 2.0)) == Played(PlayOutcome.CONFIRMED)
    assert rig.heard_seconds() == pytest.approx(2.0, abs=0.1)
    assert await stream_of_group(rig) == "music"
    await made.close()


async def test_after_a_stop_no_more_is_heard_than_it_says(rig: Rig, tmp_path: Path) -> None:
    made = speaker(rig, tmp_path)
    await made.start()
    playing = asyncio.ensure_future(made.play(tone(tmp_path, 60.0)))
    async with asyncio.timeout(20):
        while rig.heard_seconds() < 1.0:  # noqa: ASYNC110 - a file is looked into until it has grown
            await asyncio.sleep(0)
    stopped = await made.stop()
    played = await playing
    assert stopped is not None
    assert played == Played(PlayOutcome.FAILED, "it was stopped", stopped.position_seconds)
    async with asyncio.timeout(20):
        size = rig.file.stat().st_size
        while rig.file.stat().st_size < size + 192_000:  # noqa: ASYNC110 - it goes on writing silence, a second of it
            await asyncio.sleep(0)
    assert rig.heard_seconds() == pytest.approx(stopped.position_seconds, abs=0.3)
    await made.close()
