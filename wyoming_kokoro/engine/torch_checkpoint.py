"""The file that the torch model is loaded from: the authors' own where it is there, else one made of the int8 weights."""

from __future__ import annotations

import hashlib
import io
import logging
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.engine.manifest import OFFICIAL, WEIGHTS_SHA256
from wyoming_kokoro.engine.model_folder import check
from wyoming_kokoro.engine.official_tensors import CONVERSION_VERSION, official_tensors
from wyoming_kokoro.engine.onnx_graph import write_whole
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from wyoming_kokoro.engine.model_folder import ModelFolder

_LOGGER = logging.getLogger(__name__)
_PREFIX = "torch-"
_BLOCK_BYTES = 1 << 20


def checkpoint(folder: ModelFolder) -> Path:
    """The file, read once to see that it is whole. Raises `EngineUnavailableError`."""
    official = folder.path / OFFICIAL.name
    if not official.is_file():
        return _derived(folder)
    try:
        check(official, OFFICIAL)
    except (OSError, ValueError) as error:
        raise EngineUnavailableError(f"{official} is not the official model ({error}): fetch it again or remove it") from error
    return official


def _derived(folder: ModelFolder) -> Path:
    """From the cache, or made now: three seconds, a gigabyte of memory, 325 MB of disk.

    Where the cache can't be written it is made anew each time, in the folder for temporary files.
    """
    cached = folder.graphs / f"{_PREFIX}{WEIGHTS_SHA256[:16]}-{CONVERSION_VERSION}.pth"
    if _is_whole(cached):
        return cached
    _LOGGER.info("making the torch model's weights of the int8 ones, once: %s", cached)
    data = _serialised(official_tensors(folder.weights))
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        _keep(cached, data)
        for old in cached.parent.glob(f"{_PREFIX}*"):
            if old not in (cached, _sum_of(cached)):
                old.unlink(missing_ok=True)
    except OSError as error:
        _LOGGER.warning("the torch model's weights can't be kept: %s", error)
        cached = Path(tempfile.gettempdir()) / cached.name
        write_whole(cached, data)
    return cached


def _serialised(tensors: dict[str, Any]) -> memoryview:
    """Laid out as the official file is: a dictionary of parameters for each part of the model."""
    import torch

    parts: dict[str, dict[str, Any]] = {}
    for name, values in tensors.items():
        part, _, parameter = name.partition(".")
        parts.setdefault(part, {})[f"module.{parameter}"] = torch.from_numpy(values)
    buffer = io.BytesIO()
    torch.save(parts, buffer)
    return buffer.getbuffer()


def _keep(place: Path, data: memoryview) -> None:
    """The sum is written last: a file without it is made again."""
    _sum_of(place).unlink(missing_ok=True)
    write_whole(place, data)
    write_whole(_sum_of(place), hashlib.sha256(data).hexdigest().encode("ascii"))


def _is_whole(place: Path) -> bool:
    try:
        expected = _sum_of(place).read_text("ascii").strip()
        digest = hashlib.sha256()
        with place.open("rb") as stream:
            while block := stream.read(_BLOCK_BYTES):
                digest.update(block)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        _LOGGER.warning("%s can't be read: %s", place, error)
        return False
    if digest.hexdigest() != expected:
        _LOGGER.warning("%s is damaged, and made again", place)
        return False
    return True


def _sum_of(place: Path) -> Path:
    return place.with_name(f"{place.name}.sha256")
