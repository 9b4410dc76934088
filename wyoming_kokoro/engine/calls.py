"""Sentences on their way through the engine's process: those that wait, and those that it has."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import EngineDiedError, SynthesisCancelledError

if TYPE_CHECKING:
    from wyoming_kokoro.model.audio import Speech
    from wyoming_kokoro.model.recipe import Utterance


@dataclass(eq=False, slots=True)
class Call:
    """One sentence that somebody waits for."""

    number: int
    utterance: Utterance
    answer: asyncio.Future[Speech] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    is_started: bool = False
    """The process is at it, as far as it has told."""
    is_resent: bool = False
    timer: asyncio.TimerHandle | None = None
    """Ends the process when the sentence has taken too long."""

    def fail(self, error: Exception) -> None:
        """Answer with that error, unless it was answered."""
        if not self.answer.done():
            self.answer.set_exception(error)

    def stop_timer(self) -> None:
        """The sentence is done, one way or another."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Calls:
    """Who waits, in order, and what the process has; at most `slots` at once."""

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._count = 0
        self._waiting: deque[Call] = deque()
        self._flying: dict[int, Call] = {}

    def add(self, utterance: Utterance) -> Call:
        """One more that waits."""
        self._count += 1
        call = Call(self._count, utterance)
        self._waiting.append(call)
        return call

    def next(self) -> Call | None:
        """The one to send now; None where nobody waits or all slots are taken."""
        if not self._waiting or len(self._flying) >= self._slots:
            return None
        call = self._waiting.popleft()
        self._flying[call.number] = call
        return call

    def flying(self, number: int) -> Call | None:
        """The sentence of that number, if the process has it."""
        return self._flying.get(number)

    def land(self, number: int) -> Call | None:
        """The process is done with that sentence: its slot is free."""
        call = self._flying.pop(number, None)
        if call is not None:
            call.stop_timer()
        return call

    def cancel(self, call: Call) -> bool:
        """Answer it as cancelled; whether the process has it and must be told."""
        if call in self._waiting:
            self._waiting.remove(call)
        call.fail(SynthesisCancelledError("the sentence was stopped"))
        return call.number in self._flying

    def process_died(self, reason: str) -> None:
        """What it was at has failed; what it had not begun waits again, in front, but not a second time."""
        for call in reversed(list(self._flying.values())):
            call.stop_timer()
            if call.is_started or call.is_resent:
                call.fail(EngineDiedError(reason))
            elif not call.answer.done():
                call.is_resent = True
                self._waiting.appendleft(call)
        self._flying.clear()

    def fail_all(self, error: Exception) -> None:
        """Nobody will be served."""
        for call in [*self._flying.values(), *self._waiting]:
            call.stop_timer()
            call.fail(error)
        self._flying.clear()
        self._waiting.clear()
