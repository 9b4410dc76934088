"""Which engine the settings mean on this machine. Imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.manifest import OFFICIAL, WEIGHTS_SHA256
from wyoming_kokoro.engine.model_folder import default_folder
from wyoming_kokoro.model.errors import SettingsError

if TYPE_CHECKING:
    from wyoming_kokoro.settings import EngineSettings

_TORCH = ("torch", "kokoro")
_NOT_BUILT = "it is not built here: scripts/setup builds it where it finds a compiler"


@dataclass(frozen=True, slots=True)
class Chosen:
    """An engine that can be started."""

    model: str
    """native, onnx, torch, tone."""
    precision: str
    level: str = ""
    """Of the instruction set; only of native."""
    instead_because: str = ""
    """Why it is not the native one, where any engine was asked for."""
    weights_sha256: str = WEIGHTS_SHA256
    refused: str = ""
    """Why a faster level of the native one, which the processor seems to have, is not used."""

    @property
    def fingerprint(self) -> str:
        """The weights, the engine, the precision; neither how a graph is rewritten nor the level is part of it."""
        return f"kokoro-{self.weights_sha256[:16]}-{self.model}-{self.precision}"


ONNX = Chosen("onnx", "int8")


def choose_engine(settings: EngineSettings) -> Chosen:
    """Native, else onnx; or the one that is asked for; for none, what its workers probably have.

    Raises `SettingsError` where native or torch is asked for and is not there.
    """
    if settings.engine == "onnx":
        return ONNX
    if settings.engine == "torch":
        return _torch(settings)
    if settings.engine == "tone":
        return Chosen("tone", "1")
    found = _native(settings.quality)
    if isinstance(found, Chosen):
        return found
    if settings.engine == "native":
        raise SettingsError(f"engine is native, but {found}; auto takes onnx then")
    return Chosen(ONNX.model, ONNX.precision, instead_because=found)


def _torch(settings: EngineSettings) -> Chosen:
    """The official model; half precision is no other precision, since it is only taken where it sounds the same."""
    missing = [name for name in _TORCH if find_spec(name) is None]
    if missing:
        raise SettingsError(f"engine is torch, but {' and '.join(missing)} can't be imported: install wyoming-kokoro[torch]")
    if settings.quality not in ("auto", "f32"):
        raise SettingsError(f"quality is {settings.quality}, which the torch engine has not: leave it out, or take f32")
    official = (settings.model_dir or default_folder()) / OFFICIAL.name
    return Chosen("torch", "f32", weights_sha256=OFFICIAL.sha256 if official.is_file() else WEIGHTS_SHA256)


def _native(quality: str) -> Chosen | str:
    """The native engine, or why there is none."""
    if find_spec("wyoming_kokoro_native") is None:
        return _NOT_BUILT
    from wyoming_kokoro_native import NativeError, choose, refused_level

    try:
        choice, refused = choose(quality), refused_level()
    except NativeError as error:
        return str(error)
    return Chosen("native", choice.precision, choice.level, refused=refused)
