"""Rooms are told things while replies get lost, the journal is away and the house is killed: every receipt is true.

Every announcement that was accepted ends, in each of its rooms, in exactly one final event; nothing is heard after that; what
a speaker played to its end is not played again; and no speaker is asked for two things at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from random import Random

import pytest

from tests.pretend_speaker import Air, PretendSpeaker
from tests.room_house import LONG, all_over, doomed_house_with_rooms, house_with_rooms
from tests.virtual_time import VirtualClock, pass_time, run_virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.faults import Faults, FaultyLog
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.announcement import AnnouncementRequest, PlayOutcome
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import RefusedError, VoiceOfAHouseError
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, room_stream
from wyoming_kokoro.model.room import Announcement, RoomEvent, RoomEventKind

ROOMS = ("kitchen", "office", "attic")
TEXTS = [*(f"Item {number}." for number in range(5)), LONG]
OUTCOMES = [PlayOutcome.CONFIRMED] * 6 + [PlayOutcome.BUSY, PlayOutcome.FAILED, PlayOutcome.UNKNOWN]


class Life:
    """What outlives the houses of one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.clock, self.storage = VirtualClock(Random(seed + 1)), MemoryStorage()
        self.airs = {room: Air() for room in ROOMS}
        self.accepted: set[str] = set()
        """Ids of those that were answered."""

    def speakers(self) -> dict[str, list[PretendSpeaker]]:
        """New objects, as after every start, on the same air. One kind plays on without us, one can't be stopped."""
        made = {
            "kitchen": PretendSpeaker("k", air=self.airs["kitchen"], outlives_us=True),
            "office": PretendSpeaker("o", air=self.airs["office"]),
            "attic": PretendSpeaker("a", air=self.airs["attic"], outlives_us=True, can_stop=False),
        }
        for speaker in made.values():
            speaker.outcomes = self.random.choices(OUTCOMES, k=6)
        return {room: [speaker] for room, speaker in made.items()}

    async def disturb(self, house: House) -> None:
        """One thing that somebody does."""
        random, room = self.random, self.random.choice(ROOMS)
        with contextlib.suppress(VoiceOfAHouseError):
            match random.randrange(10):
                case 0 | 1 | 2 | 3 | 4:
                    await self.announce(house)
                case 5:
                    await house.rooms.stop(room)
                case 6:
                    await house.rooms.skip(room)
                case 7:
                    await house.rooms.set(room, dnd=random.random() < 0.2)
                case 8:
                    await house.announcements.cancel(f"id-{random.randrange(12)}")
                case _:
                    await house.rooms.replay(room)

    async def announce(self, house: House) -> None:
        random = self.random
        number = random.randrange(12)
        request = AnnouncementRequest(
            text=TEXTS[number % len(TEXTS)],
            source="test",
            rooms=ROOMS[: 1 + number % 3],
            announcement_id=f"id-{number}",
            priority=[Priority.NORMAL, Priority.LOW, Priority.HIGH, Priority.CRITICAL][number % 4],
            topic="door" if number % 5 == 0 else None,
            expires_in_seconds=[600.0, 20.0][number % 2],
        )
        with contextlib.suppress(RefusedError):
            self.accepted.add((await house.announcements.accept(request)).announcement_id)

    async def run(self) -> None:
        """Four lives that are killed, and one that comes to rest."""
        for _ in range(4):
            engine = ToneEngine(self.clock, realtime_factor=self.random.choice([0.0, 3.0]))
            async with doomed_house_with_rooms(self.storage, self.clock, self.speakers(), engine=engine) as house:
                log = house.shop.log._log
                assert isinstance(log, FaultyLog)
                log._random = Random(self.random.random())
                log.faults = Faults(lose_reply=0.04, lose_request=0.04, refuse=0.04, late=0.02, max_delay_seconds=0.1)
                for _ in range(self.random.randrange(2, 8)):
                    await asyncio.gather(*(self.disturb(house) for _ in range(self.random.randrange(1, 4))))
                    await pass_time(self.random.uniform(0, 4))
        log = MemoryLog(self.clock, storage=self.storage)
        async with house_with_rooms(self.speakers(), log=log, clock=self.clock) as house:
            for room in ROOMS:
                await house.rooms.set(room, dnd=None)
            # What was under way of an append that nobody waited for may still arrive.
            await pass_time(5)
            await all_over(house)

    async def judge(self) -> None:
        """Hold what was heard against what was told."""
        log = MemoryLog(self.clock, storage=self.storage)
        announced = await self._announced(log)
        missing = self.accepted - {record.announcement_id for record in announced.values()}
        assert not missing, f"accepted and not there: {missing}"
        for room in ROOMS:
            events = [each.record for each in await log.read(room_stream(room), 0, limit=1000)]
            told = [event for event in events if isinstance(event, RoomEvent)]
            finals = [event.order for event in told if event.event.is_final]
            assert sorted(finals) == sorted(order for order, record in announced.items() if room in record.rooms), room
            self._judge_air(room, told)

    async def _announced(self, log: MemoryLog) -> dict[int, Announcement]:
        """The first record of each id: the dedupe window is longer than these lives."""
        first: dict[str, int] = {}
        found: dict[int, Announcement] = {}
        for each in await log.read(ANNOUNCEMENTS, 0, limit=1000):
            if isinstance(each.record, Announcement) and each.record.announcement_id not in first:
                first[each.record.announcement_id] = each.seq_num
                found[each.seq_num] = each.record
        return found

    def _judge_air(self, room: str, told: list[RoomEvent]) -> None:
        hearings = self.airs[room].hearings
        for one, other in itertools.pairwise(hearings):
            assert one.ended_at is not None
            assert one.ended_at <= other.begun_at + 0.001, f"{room}: two at once: {one.name}, {other.name}"
        played = {event.play_id for event in told if event.event is RoomEventKind.STARTED}
        assert {hearing.play.play_id for hearing in hearings} <= played, f"{room}: something was heard that was never started"
        for hearing in hearings:
            later = [each for each in hearings if each.name == hearing.name and each.begun_at > hearing.begun_at]
            duration = hearing.play.duration_seconds
            assert duration is not None
            assert hearing.ended_at is not None
            was_whole = hearing.ended_at - hearing.begun_at >= duration - 0.001
            stops_with_us = room == "office"
            # The last moment before a kill can't be told from the end where the speaker stops with us.
            assert not (was_whole and later and not stops_with_us), f"{room}: {hearing.name} was heard again"


@pytest.mark.parametrize("seed", range(50))
def test_every_receipt_is_true_whatever_goes_wrong(seed: int) -> None:
    life = Life(seed)

    async def live() -> None:
        await life.run()
        await life.judge()

    run_virtually(live())
