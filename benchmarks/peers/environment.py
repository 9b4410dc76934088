"""An environment for each peer, in the cache, so that their requirements never meet ours."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from wyoming_kokoro.engine.model_folder import default_folder


def peers_folder() -> Path:
    """Beside the model, in the user's cache."""
    return default_folder().parent / "peers"


def environment(name: str, requirements: Sequence[str]) -> Path:
    """The Python of an environment with these packages, made the first time. Raises `RuntimeError` with what pip said."""
    digest = hashlib.sha256("\n".join([sys.version, *requirements]).encode()).hexdigest()[:8]
    folder = peers_folder() / f"{name}-{digest}"
    python = folder / "bin" / "python"
    stamp = folder / "complete"
    if not stamp.exists():
        print(f"setting up {name}: {', '.join(requirements)}", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        _run(["uv", "venv", "--quiet", "--python", sys.executable, str(folder)])
        _run(["uv", "pip", "install", "--quiet", "--python", str(python), *requirements])
        stamp.touch()
    return python


def kept(name: str) -> Path:
    """A folder for what a peer wants to be given as files."""
    folder = peers_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(command: list[str]) -> None:
    if command[0] == "uv":
        command = [shutil.which("uv") or str(default_folder().parent / "uv" / "bin" / "uv"), *command[1:]]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stderr}")
