"""Tones made in the engine's own process: what the host is tested with, pace and accidents included."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.melody import melody
from wyoming_kokoro.engine.speech_model import Spoken
from wyoming_kokoro.model.audio import SPEECH
from wyoming_kokoro.model.errors import EngineUnavailableError, SynthesisError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.engine.speech_model import Stop
    from wyoming_kokoro.model.recipe import Utterance


class FaultyHum:
    """Implements `SpeechModel`. Without faults it is `melody`, at once.

    Faults, by name: `realtime_factor` (seconds of sound in a second), `die_at` (kills itself at its n-th sentence, from 1),
    `hang_at` (never ends its n-th sentence and hears no stop), `fail_at`, `fail_start` (1: it does not come up; 2: it dies
    at once).
    """

    def __init__(self, faults: Mapping[str, float]) -> None:
        self._faults = faults
        self._count = 0
        self._lock = threading.Lock()

    def warm_up(self) -> None:
        """Nothing to load; a start that is meant to fail does so."""
        if self._faults.get("fail_start") == 1:
            raise EngineUnavailableError("it was told not to come up")
        if self._faults.get("fail_start") == 2:
            sys.stderr.write("it was told to die at once\n")
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGKILL)

    def prepare(self, utterance: Utterance) -> None:
        """Nothing to do ahead."""

    def speak(self, utterance: Utterance, stop: Stop) -> Spoken:
        """The melody of that sentence, or the accident whose turn it is."""
        with self._lock:
            self._count += 1
            count = self._count
        if count == self._faults.get("die_at"):
            os.kill(os.getpid(), signal.SIGKILL)
        if count == self._faults.get("hang_at"):
            threading.Event().wait()
        if count == self._faults.get("fail_at"):
            raise SynthesisError("it was told to fail at this sentence")
        pcm, words = melody(utterance)
        if factor := self._faults.get("realtime_factor"):
            stop.wait(SPEECH.seconds(len(pcm)) / factor)
        stop.check()
        return Spoken(pcm, words)
