"""A server that stops leaves nothing running, whatever it was at."""

from __future__ import annotations

from random import Random

import pytest

from tests.house import ask, open_house
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog
from wyoming_kokoro.model.cast import CastRequest

TEXT = "The kettle is on. The garden door is open. The lamp is old."


@virtually
async def test_it_stops_within_its_grace_though_the_journal_is_away() -> None:
    clock = VirtualClock()
    log = FaultyLog(MemoryLog(clock), Random(0), clock)
    async with open_house(log, ToneEngine(clock, realtime_factor=1.0), clock=clock, grace_seconds=2) as house:
        await house.intake.accept(CastRequest(source="test", text=TEXT))
        incoming = house.intake.open(CastRequest(source="test"))
        incoming.feed("The window is near. The old")
        await clock.sleep(0.5)
        log.away = True
        stopped_at = clock.monotonic()
    assert clock.monotonic() == pytest.approx(stopped_at + 2, abs=0.1)
    incoming.feed(" road is long. And so on.")
    await incoming.abandon()


@virtually
async def test_it_stops_though_the_engine_hangs() -> None:
    clock = VirtualClock()
    engine = ToneEngine(clock)
    async with open_house(engine=engine, clock=clock, grace_seconds=2) as house:
        engine.hold()
        client = ask(house, TEXT)
        await clock.sleep(1)
    await client.leave()


@virtually
async def test_once_a_set_of_tasks_is_stopped_it_runs_nothing_any_more() -> None:
    tasks, ran = TaskSet(), []

    async def run() -> None:
        ran.append("run")

    async def hand_over() -> None:
        try:
            await VirtualClock().sleep(1)
        finally:
            tasks.start(run(), name="late")

    tasks.start(hand_over(), name="early")
    await VirtualClock().sleep(0.5)
    await tasks.stop()
    tasks.start(run(), name="later still")
    assert not ran


@virtually
async def test_a_lasting_task_that_ends_fails_its_set_with_the_reason() -> None:
    tasks = TaskSet()

    async def break_down() -> None:
        raise ValueError("the road is closed")

    tasks.start(break_down(), name="road", lasting=True)
    with pytest.raises(ValueError, match="the road is closed"):
        await tasks.failed
    await tasks.stop()
