"""What the engine's process is told when it begins."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.engine.cores import allowed_cores
from wyoming_kokoro.engine.spare_memory import hoard

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.engine.frames import Header
    from wyoming_kokoro.engine.kokoro import Network
    from wyoming_kokoro.engine.model_folder import ModelFolder
    from wyoming_kokoro.engine.speech_model import SpeechModel
    from wyoming_kokoro.engine.weights import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildConfig:
    """Which model to run, and how."""

    model: str
    """native, onnx, torch, tone."""
    quality: str = "auto"
    """Precision: of the native engine; of torch, f32 or whatever sounds the same."""
    slots: int = 1
    """Sentences at once."""
    threads: int = 0
    """Threads of one synthesis; 0 is one for each core that the process may use."""
    model_dir: Path | None = None
    """Folder with weights and voices; None is the cache."""
    voice: str = "af_heart"
    """Voice and language to get ready for."""
    language: str = "en-US"
    niceness: int = 3
    """How far it stands back behind the server, so that this answers while the model computes."""
    faults: tuple[tuple[str, float], ...] = ()
    """For tests of the host: what `FaultyHum` shall do, by name."""

    def to_header(self) -> Header:
        """The first frame."""
        fields: dict[str, Any] = asdict(self)
        return {"op": "configure", **fields, "model_dir": None if self.model_dir is None else str(self.model_dir)}

    @classmethod
    def of(cls, header: Header) -> ChildConfig:
        """What the first frame says."""
        fields = {name: value for name, value in header.items() if name != "op"}
        fields["model_dir"] = None if fields["model_dir"] is None else Path(fields["model_dir"])
        fields["faults"] = tuple((name, value) for name, value in fields["faults"])
        return cls(**fields)


def open_model(config: ChildConfig, busy: Callable[[Step], None]) -> SpeechModel:
    """The model that it asks for, not warm yet; `busy` hears what is being fetched. Raises `EngineUnavailableError`."""
    if config.model == "tone":
        from wyoming_kokoro.engine.hum import FaultyHum

        return FaultyHum(dict(config.faults))
    from wyoming_kokoro.engine.kokoro import THREE_LENGTHS, TWO_LENGTHS, Kokoro
    from wyoming_kokoro.engine.weights import fetch

    folder = fetch(config.model_dir, busy).folder
    lengths = THREE_LENGTHS if config.model == "torch" else TWO_LENGTHS
    return Kokoro(folder, lambda: _load(config, folder), voice=config.voice, language=config.language, lengths=lengths)


def _load(config: ChildConfig, folder: ModelFolder) -> Network:
    threads = config.threads or allowed_cores()
    if config.model == "torch":
        # Read when torch is loaded: threads that spin while somebody else has the core make a busy machine many times slower.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        hoard()
        from wyoming_kokoro.engine.kokoro_torch import TorchNetwork

        return TorchNetwork(folder, threads=threads, precision=config.quality)
    if config.model == "native":
        from wyoming_kokoro.engine.kokoro_native import NativeNetwork

        return NativeNetwork(folder, threads=threads, quality=config.quality)
    from wyoming_kokoro.engine.kokoro_onnx import OnnxNetwork

    return OnnxNetwork(folder, threads=threads)
