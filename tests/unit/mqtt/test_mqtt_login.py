"""Login, TLS and client certificates at a real broker; who is not let in says so once and goes on trying."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.mosquitto import MosquittoProcess, free_port, mosquitto
from benchmarks.mqtt_client import PATIENCE_SECONDS
from tests.unit.mqtt.fake_rooms import FakeHouse
from tests.unit.mqtt.mqtt_house import needs_mosquitto, new_server
from wyoming_kokoro.settings import MqttSettings

pytestmark = needs_mosquitto

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed (apt-get install openssl)")


async def is_let_in(broker: MosquittoProcess, settings: MqttSettings) -> None:
    """Return once the broker has our status."""
    server = new_server(FakeHouse(), "", settings=settings)
    await server.start()
    async with asyncio.timeout(PATIENCE_SECONDS):
        await broker.says("'wyoming_kokoro/home/status'")
    await server.stop(1)


def run(folder: Path, *command: str) -> None:
    """A program that is done in a moment."""
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def make_certificates(folder: Path) -> None:
    """An authority, and what it signs: a certificate for the broker, and one for us."""
    new_key = ("req", "-newkey", "rsa:2048", "-nodes")
    run(folder, "openssl", *new_key, "-x509", "-days", "2", "-subj", "/CN=house", "-keyout", "ca.key", "-out", "ca.pem")
    for name, host in (("broker", "127.0.0.1"), ("us", "kokoro")):
        run(folder, "openssl", *new_key, "-subj", f"/CN={host}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (folder / f"{name}.ext").write_text("subjectAltName = IP:127.0.0.1\n")
        signing = ("x509", "-req", "-days", "2", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial")
        run(folder, "openssl", *signing, "-in", f"{name}.csr", "-extfile", f"{name}.ext", "-out", f"{name}.pem")


async def test_a_login_is_asked_for_and_given(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    run(tmp_path, "mosquitto_passwd", "-b", "-c", "passwords", "kokoro", "open sesame")
    async with mosquitto(tmp_path / "broker", "allow_anonymous false", f"password_file {passwords}") as broker:
        await is_let_in(broker, MqttSettings(url=broker.url, user="kokoro", password="open sesame"))


async def test_who_is_not_let_in_says_so_once_and_lives_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with mosquitto(tmp_path / "broker", "allow_anonymous false") as broker:
        server = new_server(FakeHouse(), broker.url)
        await server.start()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while broker.log.count("not authorised") < 3:
                broker._said.clear()
                await broker._said.wait()
        await server.stop(1)
    assert [record.message for record in caplog.records if "does not let us in" in record.message] == [
        f"MQTT: 127.0.0.1 port {broker.port} does not let us in: Not authorized; trying again"
    ]


@needs_openssl
async def test_both_sides_show_certificates(tmp_path: Path) -> None:
    make_certificates(tmp_path)
    port = free_port()
    lines = (f"listener {port} 127.0.0.1", f"cafile {tmp_path}/ca.pem", f"certfile {tmp_path}/broker.pem")
    more = (f"keyfile {tmp_path}/broker.key", "require_certificate true")
    async with mosquitto(tmp_path / "broker", *lines, *more) as broker:
        files = {"ca_file": tmp_path / "ca.pem", "cert_file": tmp_path / "us.pem", "key_file": tmp_path / "us.key"}
        await is_let_in(broker, MqttSettings(url=f"mqtts://127.0.0.1:{port}", **files))


@needs_openssl
async def test_a_broker_that_nobody_vouches_for_gets_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_certificates(tmp_path)
    port = free_port()
    lines = (f"listener {port} 127.0.0.1", f"certfile {tmp_path}/broker.pem", f"keyfile {tmp_path}/broker.key")
    async with mosquitto(tmp_path / "broker", *lines) as broker:
        server = new_server(FakeHouse(), "", settings=MqttSettings(url=f"mqtts://127.0.0.1:{port}", user="a", password="b"))
        await server.start()
        async with asyncio.timeout(PATIENCE_SECONDS):
            while "certificate verify failed" not in caplog.text:  # noqa: ASYNC110 - a log has no event
                await asyncio.sleep(0)
        await server.stop(1)
        assert "New client connected" not in broker.log
