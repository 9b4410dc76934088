"""Temporary files of the engine."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from wyoming_kokoro.engine.scratch import Scratch


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_was_put_there_goes_with_it() -> None:
    scratch = Scratch()
    (scratch.path / "file").write_text("x")
    scratch.remove()
    scratch.remove()
    assert not scratch.path.exists()


def test_what_a_killed_process_left_behind_is_swept_up_by_the_next_one(folder: Path) -> None:
    code = (
        "import os, signal; from wyoming_kokoro.engine.scratch import Scratch; Scratch(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], env={"TMPDIR": str(folder)}, check=False)
    left = set(folder.iterdir())
    assert len(left) == 1
    scratch = Scratch()
    assert set(folder.iterdir()) == {scratch.path}
    scratch.remove()


def test_a_folder_that_is_in_use_is_left_alone() -> None:
    first, second = Scratch(), Scratch()
    assert first.path.is_dir()
    first.remove()
    second.remove()
