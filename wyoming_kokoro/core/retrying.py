"""How long to wait before trying something again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogUnavailableError
from wyoming_kokoro.ports import Clock

T = TypeVar("T")

_TRIES = 3
"""How often an accepting append is tried again before the asker is told."""

_DOUBLINGS = 30
"""More make no difference, and after a thousand the number would be too large: an outage may last for days."""


@dataclass(slots=True)
class Backoff:
    """Waits that double from `first_seconds` up to `most_seconds`; jittered ones are shortened by up to a half, by chance."""

    clock: Clock
    first_seconds: float = 0.05
    most_seconds: float = 5.0
    is_jittered: bool = False
    tries: int = 0

    async def wait(self) -> None:
        """Wait, longer than the last time."""
        seconds = min(self.first_seconds * 2 ** min(self.tries, _DOUBLINGS), self.most_seconds)
        if self.is_jittered:
            seconds *= 1 - int.from_bytes(self.clock.entropy(2), "big") / 2**17
        self.tries += 1
        await self.clock.sleep(seconds)

    def reset(self) -> None:
        """It worked: the next wait is short again."""
        self.tries = 0


async def persistently(clock: Clock, append: Callable[[], Awaitable[T]]) -> T:
    """Append what may stand there twice: tried again a few times where the journal is away, or the outcome unknown.

    Raises `LogError`.
    """
    backoff = Backoff(clock)
    while True:
        try:
            return await append()
        except (AppendOutcomeUnknownError, LogUnavailableError):
            if backoff.tries >= _TRIES:
                raise
            await backoff.wait()
