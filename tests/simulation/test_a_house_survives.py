"""Hundreds of small lives of a house, each with its own faults, each judged by the same promises.

`WYOMING_KOKORO_SEEDS` says how many (`2000`), or which (`17-17`).
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.simulation.oracle import Oracle
from tests.simulation.scenario import Scenario, scenario, shared_scenario
from tests.simulation.world import World
from tests.virtual_time import run_virtually

_SEEDS = os.environ.get("WYOMING_KOKORO_SEEDS", "300")


def _seeds() -> range:
    first, dash, last = _SEEDS.partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(first))


@pytest.mark.parametrize("seed", _seeds())
def test_a_house_keeps_its_promises_whatever_goes_wrong(seed: int) -> None:
    _live(scenario(seed))


@pytest.mark.parametrize("seed", _seeds())
def test_several_processes_on_one_journal_keep_the_same_promises(seed: int) -> None:
    _live(shared_scenario(seed))


@pytest.mark.parametrize("draw", (scenario, shared_scenario))
@pytest.mark.parametrize("seed", (3, 14, 15, 92))
def test_a_seed_replays_exactly(draw: Callable[[int], Scenario], seed: int) -> None:
    assert _live(draw(seed)) == _live(draw(seed))


def _live(drawn: Scenario) -> list[str]:
    """Run that scenario and judge it; returns its trace."""
    seed, world = drawn.seed, World(drawn)

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
