"""The engine that the settings ask for. Imports nothing heavy: the model's libraries live in a process of their own."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.absent import AbsentEngine
from wyoming_kokoro.engine.child_config import ChildConfig
from wyoming_kokoro.engine.choice import choose_engine
from wyoming_kokoro.engine.host import HostedEngine
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.engine.voices import KokoroVoices

if TYPE_CHECKING:
    from wyoming_kokoro.ports import Clock, Engine
    from wyoming_kokoro.settings import EngineSettings

_LOGGER = logging.getLogger(__name__)


def build_engine(settings: EngineSettings, clock: Clock) -> Engine:
    """The engine, not started yet.

    Raises `RefusedError` where the default voice is none, `SettingsError` where the engine is not there.
    """
    chosen = choose_engine(settings)
    if chosen.model == "tone":
        return ToneEngine(clock, realtime_factor=settings.tone_pace)
    if settings.engine == "none":
        return AbsentEngine(chosen.fingerprint)
    if chosen.instead_because:
        _LOGGER.warning("onnx speaks, not the faster native engine: %s", chosen.instead_because)
    if chosen.refused:
        _LOGGER.warning("the native engine runs at level %s: %s", chosen.level, chosen.refused)
    voice = KokoroVoices(settings.voice).default
    config = ChildConfig(
        model=chosen.model,
        quality=chosen.precision,
        threads=settings.threads,
        model_dir=settings.model_dir,
        voice=voice.name,
        language=voice.language,
    )
    return HostedEngine(config, clock, fingerprint=chosen.fingerprint, limit_seconds=settings.sentence_limit_seconds)
