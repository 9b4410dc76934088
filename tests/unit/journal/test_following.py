"""Followers and outages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

import pytest

from tests.contracts.log_backends import HandClock, line
from wyoming_kokoro.journal.following import Bells, follow
from wyoming_kokoro.model.errors import JournalError, LogUnavailableError
from wyoming_kokoro.model.records import Sequenced


class Flaky:
    """A stream of ten records; what is in `faults` is raised first."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.asked: list[int] = []

    async def read(self, _: str, start: int) -> Sequence[Sequenced]:
        self.asked.append(start)
        if self.faults:
            raise self.faults.pop(0)
        return [Sequenced(number, 0, line(number)) for number in range(start, min(start + 4, 10))]


async def test_a_follower_outlives_an_outage() -> None:
    flaky = Flaky(LogUnavailableError("away"), LogUnavailableError("still away"))
    async with aclosing(follow(flaky.read, Bells(), HandClock(), lambda: False, "s", 0)) as records:
        assert [(await anext(records)).seq_num for _ in range(10)] == list(range(10))
    assert flaky.asked[:3] == [0, 0, 0]


async def test_a_follower_of_a_damaged_journal_ends() -> None:
    flaky = Flaky(JournalError("damaged"))
    async with aclosing(follow(flaky.read, Bells(), HandClock(), lambda: False, "s", 0)) as records:
        with pytest.raises(JournalError):
            await anext(records)


async def test_a_follower_asks_again_only_when_its_stream_has_grown() -> None:
    flaky, bells = Flaky(), Bells()
    async with aclosing(follow(flaky.read, bells, HandClock(), lambda: False, "s", 10)) as records:
        waiting = asyncio.ensure_future(anext(records))
        for ring in ("other", "s", "s"):
            for _ in range(5):
                await asyncio.sleep(0)
            bells.ring(ring)
        for _ in range(5):
            await asyncio.sleep(0)
        assert flaky.asked == [10, 10, 10]
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def test_a_bell_hangs_only_while_somebody_follows() -> None:
    bells = Bells()
    async with aclosing(follow(Flaky().read, bells, HandClock(), lambda: False, "s", 0)) as records:
        await anext(records)
        assert bells.streams == {"s"}
    assert bells.streams == set()
