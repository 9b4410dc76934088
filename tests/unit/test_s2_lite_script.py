"""scripts/s2-lite: what it takes, what it starts, and what it says where there is nothing; without the real one."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "s2-lite"


def program(path: Path, words: str = 'echo "$0 $*"') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)
    return path


def run(home: Path, *arguments: str, path: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """The script on a machine that has nothing but what the test put there."""
    usual = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    known = {"HOME": str(home), "PATH": f"{path}:{usual}" if path else usual, **environment}
    return subprocess.run([SCRIPT, *arguments], env=known, capture_output=True, text=True, check=False)


def test_where_there_is_none_it_says_so_and_builds_nothing(tmp_path: Path) -> None:
    looked = run(tmp_path, "--which")
    assert (looked.returncode, looked.stdout) == (1, "")
    assert not (tmp_path / ".cache").exists()


@pytest.mark.parametrize("place", [".cache/wyoming-kokoro/s2-lite/0.43.4/bin/server", "bin/s2-lite", "bin/s2"])
def test_what_is_there_is_taken_and_nothing_is_built(tmp_path: Path, place: str) -> None:
    found = program(tmp_path / place)
    for asked in ("--which", "--build-only"):
        assert run(tmp_path, asked, path=tmp_path / "bin").stdout.strip() == str(found)


def test_a_named_one_comes_first_and_must_be_there(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "s2-lite")
    mine = program(tmp_path / "mine")
    assert run(tmp_path, "--which", path=tmp_path / "bin", S2_LITE=str(mine)).stdout.strip() == str(mine)
    missing = run(tmp_path, "--which", S2_LITE=str(tmp_path / "none"))
    assert missing.returncode == 1
    assert "can't be run" in missing.stderr


def test_it_is_built_by_cargo_into_the_cache_and_only_once(tmp_path: Path) -> None:
    server = tmp_path / "cache" / "wyoming-kokoro" / "s2-lite" / "0.43.4" / "bin" / "server"
    words = f'echo "$*" "$CARGO_PROFILE_RELEASE_LTO" >>"$HOME/calls"; mkdir -p {server.parent}; cp "$HOME/made" {server}'
    program(tmp_path / "made")
    program(tmp_path / "bin" / "cargo", words)
    for _ in range(2):
        built = run(tmp_path, "--build-only", path=tmp_path / "bin", XDG_CACHE_HOME=str(tmp_path / "cache"))
        assert built.stdout.strip() == str(server)
    (call,) = (tmp_path / "calls").read_text().splitlines()
    assert call.startswith("install --locked s2-lite --version 0.43.4 --bin server")
    assert call.endswith(" off")


@pytest.mark.parametrize("name", ["s2-lite", "s2"])
def test_it_runs_without_dashboard_and_foreign_pages_on_a_folder_of_its_own(tmp_path: Path, name: str) -> None:
    program(tmp_path / "bin" / name)
    data = tmp_path / "data"
    started = run(tmp_path, "--data-dir", str(data), "--port", "4711", "--more", path=tmp_path / "bin").stdout.split()
    assert started[1:] == [
        *(["lite"] if name == "s2" else []),
        *("--more", "--local-root", str(data), "--port", "4711", "--no-dashboard", "--no-cors"),
    ]
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
