"""Waiting longer and longer, but never for ever."""

from __future__ import annotations

from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.core.retrying import Backoff


@virtually
async def test_waits_double_up_to_the_longest_and_go_on_for_days() -> None:
    clock = VirtualClock()
    backoff = Backoff(clock)
    waits = []
    for _ in range(3000):
        before = clock.monotonic()
        await backoff.wait()
        waits.append(clock.monotonic() - before)
    assert [round(seconds, 3) for seconds in waits[:9]] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]
    assert round(waits[-1], 3) == 5.0
    backoff.reset()
    before = clock.monotonic()
    await backoff.wait()
    assert round(clock.monotonic() - before, 3) == 0.05
