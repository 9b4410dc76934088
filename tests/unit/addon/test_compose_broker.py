"""addon/mosquitto.conf, as the real broker takes it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.mosquitto import MosquittoProcess, find_mosquitto, free_port

CONF = Path(__file__).parents[3] / "addon" / "mosquitto.conf"

pytestmark = pytest.mark.skipif(find_mosquitto() is None, reason="mosquitto is missing: apt-get install mosquitto")


async def works(*words: str) -> bool:
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*words, stdout=quiet, stderr=quiet)
    return await process.wait() == 0


async def test_nobody_comes_in_without_the_password(tmp_path: Path) -> None:
    port, passwords = free_port(), tmp_path / "passwords"
    assert await works("mosquitto_passwd", "-b", "-c", str(passwords), "house", "secret")
    lines = [line for line in CONF.read_text().splitlines() if line and not line.startswith(("#", "persistence", "log_dest"))]
    there = {
        "listener 1883": f"listener {port} 127.0.0.1",
        "password_file /mosquitto/data/passwords": f"password_file {passwords}",
    }
    assert there.keys() <= set(lines)
    publish = ("mosquitto_pub", "-h", "127.0.0.1", "-p", str(port), "-t", "house", "-m", "hello")
    broker = MosquittoProcess(tmp_path / "data", *(there.get(line, line) for line in lines), port=port)
    await broker.start()
    try:
        assert not await works(*publish)
        assert not await works(*publish, "-u", "house", "-P", "wrong")
        assert await works(*publish, "-u", "house", "-P", "secret")
    finally:
        await broker.stop()
