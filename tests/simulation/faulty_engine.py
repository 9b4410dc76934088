"""An engine that dies, refuses and goes away on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.model.audio import Speech
from wyoming_kokoro.model.errors import EngineDiedError, EngineUnavailableError, SynthesisError
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.ports import Engine

POISON = "poison"
"""A sentence with this word kills the engine, always."""

UNSPEAKABLE = "unspeakable"
"""A sentence with this word can't be spoken, ever."""


STRANGE_FINGERPRINT = "tone-2"


class StrangeTone(ToneEngine):
    """An engine of another model."""

    @property
    def fingerprint(self) -> str:
        """Its own."""
        return STRANGE_FINGERPRINT


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFaults:
    """How often what goes wrong, each from 0.0 to 1.0 and drawn for every sentence anew."""

    die: float = 0.0
    """The process ends while it speaks."""
    unavailable: float = 0.0
    """It does not come up."""


class FaultyEngine:
    """`ports.Engine` round another one. `asked` is told of every sentence, `died` of every death."""

    def __init__(
        self,
        engine: Engine,
        random: Random,
        *,
        asked: Callable[[Utterance], None] = lambda _: None,
        died: Callable[[Utterance], None] = lambda _: None,
    ) -> None:
        self.faults = EngineFaults()
        """May be replaced at any time."""
        self._engine = engine
        self._random = random
        self._asked = asked
        self._died = died

    @property
    def fingerprint(self) -> str:
        """As the engine inside."""
        return self._engine.fingerprint

    @property
    def slots(self) -> int:
        """As the engine inside."""
        return self._engine.slots

    async def start(self) -> None:
        """See `ports.Engine`."""
        await self._engine.start()

    async def synthesize(self, utterance: Utterance) -> Speech:
        """See `ports.Engine`; what goes wrong does so at the end of the sentence's time."""
        is_away, dies = self._random.random() < self.faults.unavailable, self._random.random() < self.faults.die
        if is_away:
            raise EngineUnavailableError("the engine does not come up")
        self._asked(utterance)
        speech = await self._engine.synthesize(utterance)
        if UNSPEAKABLE in utterance.spoken:
            raise SynthesisError("there is no way to say that")
        if dies or POISON in utterance.spoken:
            self._died(utterance)
            raise EngineDiedError("the engine's process ended")
        return speech

    def cancel(self, utterance: Utterance) -> None:
        """See `ports.Engine`."""
        self._engine.cancel(utterance)

    def prepare(self, utterance: Utterance) -> None:
        """See `ports.Engine`."""
        self._engine.prepare(utterance)

    async def stop(self) -> None:
        """See `ports.Engine`."""
        await self._engine.stop()
