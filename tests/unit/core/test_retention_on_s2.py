"""Retention on S2, where a trim may take effect late: on the fake, which does it when it is told, and on a real s2-lite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from tests.contracts.log_backends import NEEDS_S2_LITE
from tests.fake_s2 import FakeS2
from tests.house import hear, open_house
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.house import House
from wyoming_kokoro.core.retention import Retention
from wyoming_kokoro.journal.s2 import Place, S2Log, open_s2
from wyoming_kokoro.model.cast import CastRequest, CastState
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.records import COMMANDS, Expired
from wyoming_kokoro.settings import RetentionSettings

DAY_MS = 86_400_000


class LaterClock(SystemClock):
    """Real time, and some days more."""

    days = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.days * DAY_MS


@pytest.fixture(params=["fake-s2", pytest.param("s2-lite", marks=[pytest.mark.s2, NEEDS_S2_LITE])])
async def log(request: pytest.FixtureRequest, fake_s2: FakeS2) -> AsyncIterator[S2Log]:
    endpoint = fake_s2.endpoint if request.param == "fake-s2" else request.getfixturevalue("running_s2_lite").endpoint
    opened = await open_s2(Place(endpoint=endpoint, basin=f"test-{uuid4().hex}"), LaterClock())
    for basin in fake_s2.basins.values():
        basin.trims_late = True
    yield opened
    await opened.close()


async def made(house: House, text: str, *, keep: bool = False) -> CastId:
    accepted = await house.intake.accept(CastRequest(source="test", text=text, keep=keep))
    await hear(house, accepted.cast_id)
    async with asyncio.timeout(30):
        while len(house.shop.backlog):
            await house.shop.settling.settled.wait(house.shop.settling.settled.count)
    return accepted.cast_id


async def is_gone(log: S2Log, stream: str) -> bool:
    return all(isinstance(each.record, (*COMMANDS, Expired)) for each in await log.read(stream, 0))


async def test_old_casts_go_late_or_soon_and_can_be_made_again(log: S2Log, fake_s2: FakeS2) -> None:
    clock = LaterClock()
    async with open_house(log, clock=clock) as house:
        old = await made(house, "This was said long ago.")
        kept = await made(house, "This is kept for ever.", keep=True)
        clock.days = 10
        await house.shop.settling.commit()
        for _ in range(2):  # what was judged before its trim took effect is judged again
            await Retention(house.shop, RetentionSettings(retention_days=5)).run()
        assert (await house.casts.get(old)).state is CastState.EXPIRED
        assert (await house.casts.get(kept)).state is CastState.DONE
        again = await made(house, "This was said long ago.")
        assert again == old
        assert (await house.casts.get(old)).state is CastState.DONE
        for basin in fake_s2.basins.values():
            basin.sweep()
        assert (await house.casts.get(old)).state is CastState.DONE
        assert len(await hear(house, old)) == 1


async def test_their_text_and_sound_leave_the_basin(log: S2Log, fake_s2: FakeS2) -> None:
    clock = LaterClock()
    async with open_house(log, clock=clock) as house:
        old = await made(house, "Nobody may read this later.")
        clock.days = 10
        await Retention(house.shop, RetentionSettings(retention_days=5)).run()
        for basin in fake_s2.basins.values():
            basin.sweep()
        async with asyncio.timeout(20):
            while not (await is_gone(log, catalog_stream(old)) and await is_gone(log, cast_stream(old))):
                pass
