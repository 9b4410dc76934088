"""The scripts before they do anything: grammar, and the sentences for what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPTS = [ROOT / "scripts" / "setup", ROOT / "scripts" / "serve", ROOT / "scripts" / "test", ROOT / ".ci" / "run"]

TOOLS = (
    "bash",
    "cat",
    "chmod",
    "cut",
    "date",
    "dirname",
    "env",
    "flock",
    "grep",
    "head",
    "id",
    "ln",
    "mkdir",
    "mktemp",
    "mv",
    "rm",
    "sed",
    "sha256sum",
    "sort",
)

# Makes an environment that has the files that setup looks for, and can't fetch a compiler or compile.
PRETEND_UV = f"""#!/bin/sh
case "$*" in
    venv*) for place; do :; done
        mkdir -p "$place/bin"
        ln -sf {sys.executable} "$place/bin/python"
        printf '#!/bin/sh\\n# %s\\n' "$place/bin/python" >"$place/bin/wyoming-kokoro"
        chmod +x "$place/bin/wyoming-kokoro" ;;
    *ziglang* | *native*) echo "pretended: nothing can be compiled" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def bare_path(tmp_path: Path) -> str:
    """A PATH with a uv and without any compiler."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, tool
        (folder / tool).symlink_to(found)
    (folder / "uv").write_text(PRETEND_UV)
    (folder / "uv").chmod(0o755)
    return str(folder)


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


def test_setup_without_any_compiler_says_so_once_and_does_not_try_again(tmp_path: Path, bare_path: str) -> None:
    without = {"PATH": bare_path, "PYTHON": sys.executable, "CXX": ""}
    told = setup(tmp_path, **without)
    assert told.returncode == 0, told.stderr
    told_of_it = [line for line in told.stderr.splitlines() if "onnxruntime" in line]
    log = tmp_path / "cache" / "wyoming-kokoro" / "native-build.log"
    what = "setup: the native engine could not be compiled, so onnxruntime speaks instead, a few times slower"
    assert told_of_it == [f"{what}; why: {log}"]
    again = setup(tmp_path, **without)
    assert (again.returncode, again.stderr) == (0, "")


def test_setup_tries_again_when_a_compiler_has_come(tmp_path: Path, bare_path: str) -> None:
    without = {"PATH": bare_path, "PYTHON": sys.executable, "CXX": ""}
    setup(tmp_path, **without)
    (Path(bare_path) / "c++").symlink_to("/bin/true")
    assert "setup: compiling the native engine with " in setup(tmp_path, **without).stderr
