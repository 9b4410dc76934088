"""The unit for a plain Linux host: what systemd itself says of it, and that it starts what there is."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from wyoming_kokoro.cli.arguments import parser

UNIT = Path(__file__).parents[3] / "addon" / "systemd" / "wyoming-kokoro.service"

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
)


@needs_systemd
def test_its_exposure_is_below_three() -> None:
    rated = subprocess.run(["systemd-analyze", "security", "--offline=yes", UNIT], capture_output=True, text=True, check=False)
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", rated.stdout)
    assert exposure, rated.stderr
    assert float(exposure[1]) < 3.0


@needs_systemd
def test_systemd_finds_nothing_wrong_in_it(tmp_path: Path) -> None:
    # Where it stands on a host there is the program.
    there = tmp_path / UNIT.name
    there.write_text(UNIT.read_text().replace("/opt/wyoming-kokoro/bin/wyoming-kokoro", "/bin/true"))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", there], capture_output=True, text=True, check=False)
    assert [line for line in (verified.stdout + verified.stderr).splitlines() if UNIT.name in line] == []


def test_it_starts_commands_that_there_are_with_folders_that_it_may_write() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment]  # names are told apart by case, as systemd does
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    for key in ("ExecStartPre", "ExecStart"):
        program, *arguments = service[key].split()
        assert program == "/opt/wyoming-kokoro/bin/wyoming-kokoro"
        assert parser().parse_args(arguments).command in {"fetch", "serve"}
    assert f"%S/{service['StateDirectory']}" in service["Environment"]
    assert "XDG_CACHE_HOME=%C" in service["Environment"]
    assert service["CacheDirectory"] == "wyoming-kokoro"
