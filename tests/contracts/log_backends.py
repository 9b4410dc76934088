"""The journals that the contract is held against, and the clock that they are given."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol

from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.model.recipe import Sentence
from wyoming_kokoro.model.records import Input
from wyoming_kokoro.ports import Log

NOON_MS = 1_800_000_000_000


@dataclass
class HandClock:
    """Stands still unless it is moved; waiting lets the loop run and takes no time."""

    unix_ms: int = NOON_MS

    def now_ms(self) -> int:
        return self.unix_ms

    def monotonic(self) -> float:
        return self.unix_ms / 1000

    async def sleep(self, seconds: float) -> None:
        self.unix_ms += round(1000 * seconds)
        await asyncio.sleep(0)

    def entropy(self, size: int) -> bytes:
        return bytes(size)


class Backend(Protocol):
    """One journal that can be opened, closed and opened again."""

    clock: HandClock

    async def open(self) -> Log: ...


@dataclass
class Memory:
    clock: HandClock
    folder: Path
    storage: MemoryStorage = field(default_factory=MemoryStorage)

    async def open(self) -> Log:
        return MemoryLog(self.clock, storage=self.storage)


@dataclass
class Sqlite:
    clock: HandClock
    folder: Path

    async def open(self) -> Log:
        return await open_sqlite(self.folder / "data", self.clock)


@dataclass
class Faultless(Memory):
    """The wrapper for simulations must change nothing but by its faults."""

    async def open(self) -> Log:
        return FaultyLog(await super().open(), Random(1), self.clock)


BACKENDS = {"memory": Memory, "faultless": Faultless, "sqlite": Sqlite}
"""Whoever joins (s2) stands here."""


def line(index: int, text: str = "") -> Input:
    """A record that is told apart by its index."""
    return Input(index=index, sentence=Sentence(text, text))
