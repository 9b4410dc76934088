"""Tasks of one owner end with it."""

import asyncio

from wyoming_kokoro.core.tasks import TaskSet


async def nothing() -> None:
    """Ends at once."""


async def test_a_set_whose_tasks_have_all_ended_this_moment_stops() -> None:
    tasks = TaskSet()
    task = tasks.start(nothing(), name="nothing")
    await asyncio.sleep(0)
    assert task.done(), "the set hears of it in the loop's next turn"
    async with asyncio.timeout(20):
        await tasks.stop()


async def test_what_is_started_while_the_set_stops_is_stopped_too() -> None:
    tasks = TaskSet()
    begun = asyncio.Event()

    async def lingering() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            tasks.start(asyncio.sleep(0), name="late")
            begun.set()

    tasks.start(lingering(), name="lingering")
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await tasks.stop()
    assert begun.is_set()
    assert len(asyncio.all_tasks()) == 1
