"""What may go wrong, on demand."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Fault:
    """Meets the next `times` calls of that kind: `append`, `read`, `tail`, `list` or `make`."""

    call: str
    times: int = 1
    status: int | None = None
    """Answer with this refusal instead of doing anything."""
    code: str = "unavailable"
    loses_request: bool = False
    """The connection breaks before anything is done."""
    loses_reply: bool = False
    """The connection breaks after it was done."""
    holds: asyncio.Event | None = None
    """The answer waits for it; what was asked is done at once."""


class Faults:
    """Those that are still to come."""

    def __init__(self) -> None:
        self._coming: list[Fault] = []

    def add(self, fault: Fault) -> None:
        self._coming.append(fault)

    def take(self, call: str) -> Fault | None:
        """The one that meets this call."""
        fault = next((each for each in self._coming if each.call == call), None)
        if fault is not None:
            fault.times -= 1
            if fault.times == 0:
                self._coming.remove(fault)
        return fault
