"""What the journal says of announcements, against what the speakers recorded: read from the file, not through the server."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.journal.sqlite import open_sqlite
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, room_stream
from wyoming_kokoro.model.room import Announcement, RoomEvent, RoomEventKind
from wyoming_kokoro.ports import Log


class Recording(NamedTuple):
    """A speaker has played this playback to its end."""

    room: str
    play_id: str


@dataclass(slots=True)
class Receipts:
    """Counts, and every fault by its name."""

    announcements: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    """Of speakers, in the receipts of what was finished."""
    tries: int = 0
    """Playbacks that were begun."""
    recorded: int = 0
    assumed_in_vain: int = 0
    """Assumed, and not recorded: what a receipt that is only assumed may be."""
    faults: list[str] = field(default_factory=list)


async def examine(data_dir: Path, asked: Iterable[str], recordings: Iterable[Recording]) -> Receipts:
    """Hold the receipts against what was asked for and what was heard."""
    log = await open_sqlite(data_dir, SystemClock())
    receipts, heard = Receipts(), defaultdict(int)
    for recording in recordings:
        heard[recording] += 1
        receipts.recorded += 1
    try:
        records = [seen.record async for seen in read_through(log, ANNOUNCEMENTS)]
        announced = [record for record in records if isinstance(record, Announcement)]
        receipts.announcements = len(announced)
        names = Counter(announcement.announcement_id for announcement in announced)
        receipts.faults += [f"{name} was taken by the broker and is lost" for name in asked if name not in names]
        receipts.faults += [f"{name} was accepted {count} times" for name, count in names.items() if count > 1]
        for room in sorted({room for announcement in announced for room in announcement.rooms}):
            wanted = [announcement for announcement in announced if room in announcement.rooms]
            await _examine_room(log, room, wanted, heard, receipts)
    finally:
        await log.close()
    return receipts


async def _examine_room(
    log: Log, room: str, wanted: list[Announcement], heard: dict[Recording, int], receipts: Receipts
) -> None:
    events: dict[str, list[RoomEvent]] = defaultdict(list)
    async for seen in read_through(log, room_stream(room)):
        if isinstance(seen.record, RoomEvent):
            events[seen.record.announcement_id].append(seen.record)
    for announcement in wanted:
        name = announcement.announcement_id
        ends = [event for event in events[name] if event.event.is_final]
        if len(ends) != 1:
            receipts.faults.append(f"{room}: {name} has ended {len(ends)} times")
            continue
        plays = [event.play_id for event in events[name] if event.event is RoomEventKind.STARTED]
        receipts.tries += len(plays)
        times = sum(heard[Recording(room, play)] for play in plays)
        _compare(f"{room}: {name}", ends[0], times, receipts)


def _compare(name: str, end: RoomEvent, times: int, receipts: Receipts) -> None:
    receipts.ends[end.event] += 1
    outcomes = [result.outcome for result in end.speakers if result.outcome is not None]
    if end.event is RoomEventKind.FINISHED:
        receipts.outcomes.update(outcomes)
    if times > 1:
        receipts.faults.append(f"{name} was heard {times} times")
    if PlayOutcome.CONFIRMED in outcomes and not times:
        receipts.faults.append(f"{name} is confirmed, and was not heard")
    if end.event is RoomEventKind.FINISHED and PlayOutcome.CONFIRMED not in outcomes and not times:
        receipts.assumed_in_vain += 1
    if end.event is not RoomEventKind.FINISHED and times and PlayOutcome.UNKNOWN not in outcomes:
        receipts.faults.append(f"{name} is {end.event} ({end.reason}), and was heard")
