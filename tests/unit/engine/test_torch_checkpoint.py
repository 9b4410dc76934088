"""Which file the torch model is loaded from."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

import pytest

from wyoming_kokoro.engine import torch_checkpoint
from wyoming_kokoro.engine.manifest import OFFICIAL, ModelFile
from wyoming_kokoro.engine.model_folder import ModelFolder
from wyoming_kokoro.engine.torch_checkpoint import checkpoint
from wyoming_kokoro.model.errors import EngineUnavailableError


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The weights that were converted; what comes out of it are a few bytes, since torch may not be installed."""
    paths: list[Path] = []
    monkeypatch.setattr(torch_checkpoint, "official_tensors", lambda path: paths.append(path) or {})
    monkeypatch.setattr(torch_checkpoint, "_serialised", lambda tensors: memoryview(b"tensors"))
    return paths


def test_the_int8_weights_are_converted_once(tmp_path: Path, made: list[Path]) -> None:
    folder = ModelFolder(tmp_path)
    first = checkpoint(folder)
    assert first.read_bytes() == b"tensors"
    assert checkpoint(folder) == first
    assert made == [folder.weights]


@pytest.mark.parametrize("damage", [b"tensor", b""])
def test_a_damaged_conversion_is_made_again(tmp_path: Path, made: list[Path], damage: bytes) -> None:
    folder = ModelFolder(tmp_path)
    checkpoint(folder).write_bytes(damage)
    assert checkpoint(folder).read_bytes() == b"tensors"
    assert len(made) == 2


def test_a_conversion_that_was_cut_off_is_made_again(tmp_path: Path, made: list[Path]) -> None:
    folder = ModelFolder(tmp_path)
    first = checkpoint(folder)
    first.with_name(f"{first.name}.sha256").unlink()
    checkpoint(folder)
    assert len(made) == 2


@pytest.mark.usefixtures("made")
def test_a_new_conversion_takes_the_place_of_older_ones(tmp_path: Path) -> None:
    folder = ModelFolder(tmp_path)
    folder.graphs.mkdir()
    (folder.graphs / "torch-0123456789abcdef-0.pth").write_bytes(b"old")
    (folder.graphs / "kokoro-0123456789abcdef-0.onnx").write_bytes(b"another engine's")
    kept = checkpoint(folder)
    names = {kept.name, f"{kept.name}.sha256", "kokoro-0123456789abcdef-0.onnx"}
    assert {path.name for path in folder.graphs.iterdir()} == names


@pytest.mark.usefixtures("made")
def test_a_cache_that_can_not_be_written_is_no_obstacle_to_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "graphs").write_text("no folder")
    assert checkpoint(ModelFolder(tmp_path)).read_bytes() == b"tensors"


def test_the_official_file_is_taken_where_it_is_there(
    tmp_path: Path, made: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ModelFile(OFFICIAL.name, hashlib.sha256(b"official").hexdigest(), 8)
    monkeypatch.setattr(torch_checkpoint, "OFFICIAL", file)
    (tmp_path / file.name).write_bytes(b"official")
    assert checkpoint(ModelFolder(tmp_path)) == tmp_path / file.name
    assert made == []


def test_an_official_file_that_is_damaged_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / OFFICIAL.name).write_bytes(b"something else")
    with pytest.raises(EngineUnavailableError, match="is not the official model"):
        checkpoint(ModelFolder(tmp_path))
