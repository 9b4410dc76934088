"""The scripts before they do anything: grammar, and the sentences for what is missing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPTS = [ROOT / "scripts" / "setup", ROOT / "scripts" / "serve", ROOT / "scripts" / "test", ROOT / ".ci" / "run"]


def setup(tmp_path: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`scripts/setup` for an environment and with a cache of its own."""
    own = {"WYOMING_KOKORO_VENV": str(tmp_path / "venv"), "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment}
    program = [str(ROOT / "scripts" / "setup"), *arguments]
    return subprocess.run(program, env={**os.environ, **own}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_executable_and_is_bash(path: Path) -> None:
    assert os.access(path, os.X_OK)
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_setup_explains_itself(tmp_path: Path) -> None:
    told = setup(tmp_path, "--help")
    assert told.returncode == 0
    assert told.stdout.startswith("usage: scripts/setup [--dev]")


def test_setup_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    told = setup(tmp_path, "--fast")
    assert told.returncode == 2
    assert told.stderr.startswith("usage: scripts/setup")


def test_setup_names_a_python_that_will_not_do(tmp_path: Path) -> None:
    told = setup(tmp_path, PYTHON="/bin/false")
    assert told.returncode == 1
    assert told.stderr == "setup: PYTHON=/bin/false is not Python 3.11 or 3.12\n"
