"""No engine at all: for a server whose casts are made by workers elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from wyoming_kokoro.model.audio import Speech
    from wyoming_kokoro.model.recipe import Utterance


class AbsentEngine:
    """Implements `ports.Engine` without a single slot. `fingerprint` is what is asked for until a worker was heard of."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """As it was told."""
        return self._fingerprint

    @property
    def slots(self) -> int:
        """None."""
        return 0

    async def start(self) -> None:
        """There is nothing to come up."""

    async def synthesize(self, utterance: Utterance) -> Speech:
        """Never."""
        raise EngineUnavailableError(f"there is no engine here, so {utterance.spoken[:20]!r} can't be spoken")

    def cancel(self, utterance: Utterance) -> None:
        """Nothing is under way."""

    def prepare(self, utterance: Utterance) -> None:
        """Nothing will be asked for."""

    async def stop(self) -> None:
        """There is nothing to end."""
