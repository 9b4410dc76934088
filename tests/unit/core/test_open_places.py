"""Only so many casts are open at once: a place is taken for work, and is free again as soon as there is none."""

from __future__ import annotations

import asyncio

from tests.house import ask, hear, open_house, say, settled
from tests.unit.core.journal_reading import receipts, records, starts
from tests.virtual_time import VirtualClock, virtually
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, Outcome, Priority
from wyoming_kokoro.model.ids import JOBS, cast_stream
from wyoming_kokoro.model.records import Job, Start


@virtually
async def test_casts_that_wait_for_their_text_do_not_push_each_other_out_for_ever() -> None:
    clock, storage = VirtualClock(), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), ToneEngine(clock), clock=clock, max_open_casts=1) as house:
        incoming, heard = [], []
        for priority, sentences in ((Priority.HIGH, 5), (Priority.NORMAL, 1)):
            text = house.intake.open(CastRequest(source="test", priority=priority))
            text.feed("The kettle is on, and it is quite warm in here by now, as it should be. " * sentences + "And")
            incoming.append(text)
            cast_id = await text.cast_id()
            assert cast_id is not None
            heard.append(asyncio.create_task(hear(house, cast_id)))
        await clock.sleep(2)
        assert sum(len(starts(storage, job.cast_id)) for job in records(storage, JOBS, Job)) <= 8
        for text in incoming:
            text.feed(" then. The end.")
            text.end()
        for pieces in heard:
            assert (await pieces)[-1].text.endswith("The end.")
        for text in incoming:
            await text.abandon()
        await settled(house)


@virtually
async def test_a_cast_that_only_lacked_its_receipt_frees_its_place() -> None:
    clock, storage = VirtualClock(), MemoryStorage()

    async def never(stream: str) -> None:
        if stream == "progress/done":
            await asyncio.get_running_loop().create_future()

    log = MemoryLog(clock, storage=storage, delay=never)
    async with open_house(log, clock=clock, grace_seconds=0.1) as house:
        for text in ("The kettle is on.", "The lamp is old.", "The door is open."):
            await say(house, text)
    async with open_house(MemoryLog(clock, storage=storage), clock=clock, max_open_casts=1) as house:
        await ask(house, "The window is near.").done()
        await settled(house)
    assert [receipt.outcome for receipt in receipts(storage)] == [Outcome.DONE] * 4
    jobs = records(storage, JOBS, Job)
    assert all(len(records(storage, cast_stream(job.cast_id), Start)) == 1 for job in jobs)
