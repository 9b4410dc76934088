"""Whether S2 answers. Who waited in vain says so once for all: from then on nobody waits, until a probe gets through."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, TypeVar

from s2_sdk import S2Error

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.journal.s2.failures import is_passing, reason, translate
from wyoming_kokoro.journal.s2.waiting import apart
from wyoming_kokoro.model.errors import LogUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from wyoming_kokoro.ports import Clock

T = TypeVar("T")

_LOGGER = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.5
"""So long a call bears an S2 that does not answer: a restart of s2-lite takes about one second."""
_PROBE_SECONDS = 0.25


class Patience:
    """One call's: it waits a little longer each time, until it is over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._backoff = Backoff(clock, first_seconds=0.05, most_seconds=0.5)
        self._until = clock.monotonic() + PATIENCE_SECONDS

    async def wait(self) -> bool:
        """Wait a while before trying again; False where it is over."""
        if self._clock.monotonic() >= self._until:
            return False
        await self._backoff.wait()
        return True


class Reach:
    """One S2."""

    def __init__(self, clock: Clock, name: str, probe: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """`probe` is any request that a working S2 answers."""
        self._clock = clock
        self._name = name
        self._probe = probe
        self._probing: asyncio.Task[None] | None = None
        self._there = asyncio.Event()
        self._there.set()

    @property
    def is_away(self) -> bool:
        """Whether it was given up for now."""
        return not self._there.is_set()

    def check(self) -> None:
        """Raise `LogUnavailableError` while it is away."""
        if self.is_away:
            raise LogUnavailableError(f"S2 at {self._name} does not answer")

    async def back(self) -> None:
        """Return when it answers again."""
        await self._there.wait()

    def give_up(self, error: S2Error) -> None:
        """It did not answer for too long."""
        if not self.is_away:
            _LOGGER.warning("S2 at %s does not answer (%s): nothing is durable until it does", self._name, reason(error))
            self._there.clear()
            self._probing = asyncio.create_task(self._wait(), name="s2.probe")

    async def ask(self, question: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Its answer. Raises `LogUnavailableError` when patience is over, and S2's errors that no patience would cure."""
        self.check()
        patience = Patience(self._clock)
        while True:
            try:
                return await apart(question())
            except S2Error as error:
                if not is_passing(error):
                    raise
                if self.is_away or not await patience.wait():
                    self.give_up(error)
                    raise translate(error) from error

    async def close(self) -> None:
        """Wait for it no longer. Idempotent."""
        if self._probing is not None:
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)

    async def _wait(self) -> None:
        since = self._clock.monotonic()
        while not await self._answers():
            await self._clock.sleep(_PROBE_SECONDS)
        _LOGGER.info("S2 at %s answers again, after %.1f s", self._name, self._clock.monotonic() - since)
        self._there.set()

    async def _answers(self) -> bool:
        try:
            await apart(self._probe())
        except S2Error as error:
            return not is_passing(error)
        return True
