"""The queue of one room: by priority, then in the order of acceptance. Pure: it is handed the time.

| leaves it | when |
|---|---|
| superseded | a newer one of its topic came |
| expired | its time is over before it was begun |
| cancelled | it, or all of the queue, was taken back |
"""

from __future__ import annotations

import math
from collections import OrderedDict

from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.model.position import SeqNum

_TOPICS = 1000


class RoomQueue:
    """What waits in a room."""

    def __init__(self) -> None:
        self._entries: dict[SeqNum, Entry] = {}
        self._newest: OrderedDict[str, tuple[SeqNum, str]] = OrderedDict()
        """Of each topic, whether it still waits or not: place and id."""

    def __len__(self) -> int:
        return len(self._entries)

    def entries(self) -> list[Entry]:
        """All, in the order in which they are to be heard."""
        return sorted(self._entries.values(), key=lambda entry: entry.rank)

    def put(self, entry: Entry) -> None:
        """It waits, for the first time or again."""
        self._entries[entry.order] = entry
        if (topic := entry.announcement.topic) is not None:
            mine = (entry.order, entry.announcement.announcement_id)
            self._newest[topic] = max(mine, self._newest.get(topic, mine))
            self._newest.move_to_end(topic)
            if len(self._newest) > _TOPICS:
                self._newest.popitem(last=False)

    def remove(self, order: SeqNum) -> Entry | None:
        """It waits no longer; None where it did not."""
        return self._entries.pop(order, None)

    def find(self, announcement_id: str) -> Entry | None:
        """The one of that id."""
        return next((each for each in self._entries.values() if each.announcement.announcement_id == announcement_id), None)

    def below(self, order: SeqNum) -> list[Entry]:
        """Those that were accepted before that place, first those that are to be heard first."""
        return [entry for entry in self.entries() if entry.order < order]

    def superseded(self) -> list[tuple[Entry, str]]:
        """Those of whose topic a newer one came, each with the id of that."""
        return [
            (entry, newest[1])
            for entry in self.entries()
            if entry.announcement.topic is not None
            and (newest := self._newest.get(entry.announcement.topic)) is not None
            and newest[0] > entry.order
        ]

    def expired(self, now_ms: int) -> list[Entry]:
        """Those whose time is over."""
        return [entry for entry in self.entries() if entry.expires_ms <= now_ms]

    def next(self, now: float, *, is_quiet: bool) -> Entry | None:
        """The one that is to be heard now; `is_quiet` holds all back that may be held."""
        for entry in self.entries():
            if is_quiet and entry.may_be_held:
                continue
            if entry.rests_until <= now:
                return entry
            if entry.is_blocking:
                return None
        return None

    def seconds_to_change(self, now: float, now_ms: int) -> float:
        """How long it takes until time alone makes another one the next, or one expire; infinite where it never does."""
        rests = [entry.rests_until - now for entry in self._entries.values() if entry.rests_until > now]
        expiries = [(entry.expires_ms - now_ms) / 1000 for entry in self._entries.values()]
        return max(min([*rests, *expiries], default=math.inf), 0.0)
