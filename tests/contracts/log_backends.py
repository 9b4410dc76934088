"""The journals that the contract is held against, and the clock that they are given."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Protocol
from uuid import uuid4

import pytest

from benchmarks import s2_lite
from tests.fake_s2 import FakeS2
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.journal.s2 import Place, open_s2
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
        return os.urandom(size)


class Backend(Protocol):
    """One journal that can be opened, closed and opened again."""

    clock: HandClock
    tells_size: bool

    async def open(self) -> Log: ...


@dataclass
class Memory:
    clock: HandClock
    folder: Path
    tells_size: bool = True
    storage: MemoryStorage = field(default_factory=MemoryStorage)

    async def open(self) -> Log:
        return MemoryLog(self.clock, storage=self.storage)


@dataclass
class Sqlite:
    clock: HandClock
    folder: Path
    tells_size: bool = True

    async def open(self) -> Log:
        return await open_sqlite(self.folder / "data", self.clock)


@dataclass
class Faultless(Memory):
    """The wrapper for simulations must change nothing but by its faults."""

    async def open(self) -> Log:
        return FaultyLog(await super().open(), Random(1), self.clock)


@dataclass
class OnS2:
    """A basin of its own on a server that runs."""

    clock: HandClock
    endpoint: str
    tells_size: bool = False
    basin: str = field(default_factory=lambda: f"test-{uuid4().hex}")

    async def open(self) -> Log:
        return await open_s2(Place(endpoint=self.endpoint, basin=self.basin), self.clock)


LOCAL = {"memory": Memory, "faultless": Faultless, "sqlite": Sqlite}
NEEDS_S2_LITE = pytest.mark.skipif(s2_lite.binary() is None, reason="s2-lite is not there: scripts/s2-lite --build-only")
BACKENDS = [*LOCAL, "fake-s2", pytest.param("s2-lite", marks=[pytest.mark.s2, NEEDS_S2_LITE])]
"""Names of all that the contract is held against; whoever joins stands here, and in `make_backend`."""


def make_backend(request: pytest.FixtureRequest, folder: Path, fake_s2: FakeS2) -> Backend:
    """The one that the parameter names; the fake server runs for this test alone."""
    clock = HandClock()
    if request.param == "fake-s2":
        return OnS2(clock, fake_s2.endpoint)
    if request.param == "s2-lite":
        return OnS2(clock, request.getfixturevalue("running_s2_lite").endpoint)
    made: Backend = LOCAL[request.param](clock, folder)
    return made


def line(index: int, text: str = "") -> Input:
    """A record that is told apart by its index."""
    return Input(index=index, sentence=Sentence(text, text))
