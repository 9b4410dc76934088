"""The server as a program: up, found, refused where it must be, and down with status 0."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.served import command, served
from wyoming_kokoro.cli.exit_status import ExitStatus

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_status_0(tmp_path: Path, how: signal.Signals) -> None:
    with served(tmp_path) as process:
        process.send_signal(how)
        assert process.wait(30) == ExitStatus.DONE


def test_server_json_names_the_process_and_the_real_port_while_it_runs(tmp_path: Path) -> None:
    with served(tmp_path) as process:
        facts = json.loads((tmp_path / "server.json").read_text(encoding="utf-8"))
        assert facts["pid"] == process.pid
        assert facts["wyoming_port"] > 0
        assert facts["http_port"] > 0
        process.terminate()
        process.wait(30)
    assert not (tmp_path / "server.json").exists()


def test_a_second_server_on_one_data_directory_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path):
        second = subprocess.run(
            command(tmp_path, "--wyoming-uri", "tcp://127.0.0.1:0"), capture_output=True, text=True, check=False
        )
    assert second.returncode == ExitStatus.FAILED
    complaint = [line for line in second.stderr.splitlines() if line.startswith("wyoming-kokoro: ")]
    assert len(complaint) == 1
    assert str(tmp_path) in complaint[0]
    assert "Traceback" not in second.stderr


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    with served(tmp_path / "first") as first:
        port = json.loads((tmp_path / "first" / "server.json").read_text(encoding="utf-8"))["wyoming_port"]
        second = subprocess.run(
            command(tmp_path / "second", "--wyoming-uri", f"tcp://127.0.0.1:{port}"),
            capture_output=True,
            text=True,
            check=False,
        )
        assert first.poll() is None
    assert second.returncode == ExitStatus.FAILED
    assert "Traceback" not in second.stderr
    assert str(port) in second.stderr.splitlines()[-1]
    assert "address already in use; choose another port" in second.stderr
    assert "Traceback" not in second.stderr
