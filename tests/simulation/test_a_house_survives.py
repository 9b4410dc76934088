"""Hundreds of small lives of a house, each with its own faults, each judged by the same promises.

`WYOMING_KOKORO_SEEDS` says how many (`2000`), or which (`17-17`).
"""

from __future__ import annotations

import os

import pytest

from tests.simulation.oracle import Oracle
from tests.simulation.scenario import scenario
from tests.simulation.world import World
from tests.virtual_time import run_virtually

_SEEDS = os.environ.get("WYOMING_KOKORO_SEEDS", "300")


def _seeds() -> range:
    first, dash, last = _SEEDS.partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(first))


@pytest.mark.parametrize("seed", _seeds())
def test_a_house_keeps_its_promises_whatever_goes_wrong(seed: int) -> None:
    _live(seed)


@pytest.mark.parametrize("seed", (3, 14, 15, 92))
def test_a_seed_replays_exactly(seed: int) -> None:
    assert _live(seed) == _live(seed)


def _live(seed: int) -> list[str]:
    """Run that seed and judge it; returns its trace."""
    world = World(scenario(seed))

    async def run() -> list[str]:
        await world.run()
        return await world.close()

    try:
        left_behind = run_virtually(run())
    except AssertionError as error:
        problems = [str(error)]
    else:
        problems = [*Oracle(world.scenario, world.facts, world.storage).problems()]
        if left_behind:
            problems.append(f"still there after the end: {left_behind}")
    if problems:
        trace = "\n".join(world.facts.trace)
        found = "\n".join(problems)
        pytest.fail(
            f"{world.scenario}\n{trace}\n\nseed {seed}:\n{found}\nagain with WYOMING_KOKORO_SEEDS={seed}-{seed}", pytrace=False
        )
    return world.facts.trace
