"""The engine that the settings ask for. Imports nothing heavy: the model's libraries live in a process of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.host import HostedEngine
from wyoming_kokoro.engine.manifest import WEIGHTS_SHA256
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock, Engine
    from wyoming_kokoro.settings import EngineSettings

ONNX_FINGERPRINT = f"kokoro-{WEIGHTS_SHA256[:16]}-onnx-int8"
"""The weights, the engine, the precision; how the graph is rewritten is no part of it."""


def build_engine(settings: EngineSettings, clock: Clock) -> Engine:
    """The engine, not started yet. Raises `RefusedError` where the default voice is none."""
    if settings.engine == "tone":
        return ToneEngine(clock)
    voice = KokoroVoices(settings.voice).default
    config = ChildConfig(
        model="onnx", threads=settings.threads, model_dir=settings.model_dir, voice=voice.name, language=voice.language
    )
    return HostedEngine(config, clock, fingerprint=ONNX_FINGERPRINT, limit_seconds=settings.sentence_limit_seconds)
