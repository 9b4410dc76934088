"""Casts come and go while replies get lost, the journal fills up, and the house is killed: what is shown is true."""

from __future__ import annotations

import asyncio
import contextlib
from random import Random

import pytest

from tests.house import ask, doomed_house, hear, open_house, settled
from tests.virtual_time import VirtualClock, run_virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, CastState
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.settings import RetentionSettings

TEXTS = [f"Item {number} is here. It is said in two sentences." for number in range(6)]
KEPT = "This is kept for ever."


async def disturb(house: House, log: FaultyLog, random: Random) -> None:
    """One thing that somebody does, or that happens."""
    text = random.choice(TEXTS)
    request = CastRequest(source="test", text=text)
    with contextlib.suppress(VoiceOfAHouseError):
        match random.randrange(7):
            case 0 | 1:
                await house.intake.accept(request, idempotency_key=random.choice([None, "a", "b"]))
            case 2:
                await house.casts.delete(house.intake.recipes.whole(request).cast_id)
            case 3:
                await house.casts.cancel(house.intake.recipes.whole(request).cast_id)
            case 4:
                await Retention(house.shop, RetentionSettings(retention_bytes=random.choice([200_000, 10**9]))).run()
            case 5:
                log.full = not log.full
            case _:
                await house.shop.clock.sleep(random.uniform(0, 3))


async def live(seed: int) -> None:
    random, clock, storage = Random(seed), VirtualClock(Random(seed + 1)), MemoryStorage()
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        kept = (await house.intake.accept(CastRequest(source="test", text=KEPT, keep=True))).cast_id
        assert len(await hear(house, kept)) == 1
        await settled(house)
    for _ in range(3):
        async with doomed_house(storage, clock, ToneEngine(clock, realtime_factor=random.choice([0.0, 2.0]))) as house:
            log = house.shop.log._log
            assert isinstance(log, FaultyLog)
            log._random = Random(random.random())
            log.faults = Faults(lose_reply=0.05, lose_request=0.05, refuse=0.05, max_delay_seconds=0.2)
            for _ in range(25):
                clients = [ask(house, random.choice(TEXTS))] if random.random() < 0.3 else []
                await asyncio.gather(*(disturb(house, log, random) for _ in range(random.randrange(1, 4))))
                for client in clients:
                    await client.leave()
    await in_the_end(storage, clock, kept)


async def in_the_end(storage: MemoryStorage, clock: VirtualClock, kept: str) -> None:
    """All that is shown is true, nothing kept is gone, and everything can be had again."""
    async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
        await settled(house)
        listed, token = await house.casts.newest()
        assert token is None
        assert len({view.cast_id for view in listed}) == len(listed)
        assert kept in {view.cast_id for view in listed}
        for view in listed:
            found = await house.casts.get(view.cast_id)
            assert (found.state, found.text, found.receipt) == (view.state, view.text, view.receipt)
            if view.state is CastState.DONE:
                pieces = await hear(house, view.cast_id)
                assert "".join(piece.text for piece in pieces) == view.text
                assert [sentence.text for sentence in found.sentences] == [piece.text for piece in pieces]
        assert [view.state for view in listed if view.cast_id == kept] == [CastState.DONE]
        for text in TEXTS:
            client = await ask(house, text).done()
            assert "".join(piece.text for piece in client.pieces) == text
        await settled(house)
        await Retention(house.shop, RetentionSettings(retention_days=1)).run()
        assert await house.casts.dead() == []


@pytest.mark.parametrize("seed", range(25))
def test_whatever_goes_wrong_what_is_kept_plays_and_what_is_shown_is_true(seed: int) -> None:
    run_virtually(live(seed))
