"""Who is served next: the cast with the lowest lead. Pure: it is handed the time, and one sentence is the unit.

    lead = seconds of audio ready - seconds since playback was due to start

| tier | casts | order within |
|---|---|---|
| critical | `critical`, less than `ahead_seconds` ahead | those without audio, then lowest lead |
| silent | due, and nothing of it can be heard yet | five-second steps of lead, then rooms and sources in turn |
| due | due, less than `ahead_seconds` ahead | lowest lead |
| unwanted | nobody waits for it | in turn, then the least made: a short text is not behind a long one |
| background | `background` | as unwanted |
| ahead | comfortably ahead: it lets all others go first | lowest lead |

A room whose speakers fetch a cast whole has as lead the time until it is due, less what it takes to make the rest.
`high` and `low` shift the lead by -5 and +5 seconds, so that no priority starves another for ever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from wyoming_kokoro.core.expectation import Expectation
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId

_SHIFT_SECONDS = {Priority.HIGH: -5.0, Priority.LOW: 5.0}
_STEP_SECONDS = 5.0


class _Tier(IntEnum):
    CRITICAL = 0
    SILENT = 1
    DUE = 2
    UNWANTED = 3
    BACKGROUND = 4
    AHEAD = 5


@dataclass(slots=True, kw_only=True)
class Entry:
    """One cast that is to be made."""

    cast_id: CastId
    priority: Priority
    room: str
    source: str
    due_at: float | None
    """When its playback was or is due to start; None where nobody waits."""
    order: int
    ready_seconds: float = 0.0
    has_text: bool = True
    """False while a live cast waits for its next sentence."""
    in_flight: bool = False
    is_open: bool = False
    """Whether an attempt holds it: only so many casts are open at once."""
    is_elsewhere: bool = False
    """Whether it is left to other workers: it takes no place here, and is not made here."""
    rooms: dict[str, Expectation] = field(default_factory=dict)
    """Rooms that wait for it, beside its listeners."""

    @property
    def is_wanted(self) -> bool:
        """Whether anybody waits for it."""
        return self.due_at is not None or bool(self.rooms)

    def lead(self, now: float) -> float:
        """Seconds of audio ready minus seconds of audio due, of whoever has least; infinite where nobody waits."""
        heard = math.inf if self.due_at is None else self.ready_seconds - (now - self.due_at)
        return min([heard, *(room.lead(self.ready_seconds, now) for room in self.rooms.values())])

    def is_silent(self, now: float) -> bool:
        """Whether somebody should be hearing it, and nothing of it is there."""
        dues = [room.due_at for room in self.rooms.values()] + ([] if self.due_at is None else [self.due_at])
        return self.ready_seconds == 0 and min(dues, default=math.inf) <= now

    def add(self, seconds: float, now: float) -> None:
        """So much more can be heard. Whoever ran dry waits: what they missed is not due any more."""
        ran_dry = self.due_at is not None and self.ready_seconds - (now - self.due_at) < 0
        dry = [room for room in self.rooms.values() if room.lead(self.ready_seconds, now) < 0]
        self.ready_seconds += seconds
        if ran_dry:
            self.due_at = now + seconds - self.ready_seconds
        for room in dry:
            room.put_off(seconds, self.ready_seconds, now)


class Pick(NamedTuple):
    """One sentence of `cast_id` is to be made now."""

    cast_id: CastId
    displaced: CastId | None
    """An open cast that has to be given back for it."""


@dataclass(slots=True)
class Scheduler:
    """A fair queue of casts."""

    max_open: int = 8
    ahead_seconds: float = 8.0
    slots: int = 1
    """Sentences that the engine speaks at once."""
    _entries: dict[CastId, Entry] = field(default_factory=dict)
    _expected: dict[CastId, dict[str, Expectation]] = field(default_factory=dict)
    _served: dict[tuple[str, str], int] = field(default_factory=dict)
    _turn: int = 0

    def __contains__(self, cast_id: CastId) -> bool:
        return cast_id in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def open_count(self) -> int:
        """How many casts are held by an attempt."""
        return sum(entry.is_open for entry in self._entries.values())

    def put(self, cast_id: CastId, *, priority: Priority, room: str | None, source: str, due_at: float | None) -> None:
        """Add a cast, or merge one more request into it: the highest priority, the earliest due time."""
        entry = self._entries.get(cast_id)
        if entry is None:
            self._turn += 1
            self._entries[cast_id] = Entry(
                cast_id=cast_id, priority=priority, room=room or "", source=source, due_at=due_at, order=self._turn
            )
            self._entries[cast_id].rooms.update(self._expected.get(cast_id, {}))
            return
        entry.priority = max(entry.priority, priority)
        if due_at is not None:
            entry.due_at = due_at if entry.due_at is None else min(entry.due_at, due_at)

    def remove(self, cast_id: CastId) -> None:
        """It is settled, or gone."""
        self._entries.pop(cast_id, None)
        if not self._entries:
            self._served.clear()

    def demand(self, cast_id: CastId, due_at: float | None) -> None:
        """Somebody began to wait for it at that time, or (None) nobody waits any more."""
        entry = self._entries.get(cast_id)
        if entry is None:
            return
        if due_at is None or entry.due_at is None:
            # A new listener hears all that is ready at once, so nothing of it counts as played.
            entry.due_at = due_at

    def expect(self, cast_id: CastId, room: str, expectation: Expectation | None) -> None:
        """A room waits for it like that, or (None) no longer; it counts for a cast that is put later, too."""
        entry = self._entries.get(cast_id)
        for rooms in (self._expected.setdefault(cast_id, {}), entry.rooms if entry else {}):
            if expectation is None:
                rooms.pop(room, None)
            else:
                rooms[room] = expectation
        if not self._expected[cast_id]:
            del self._expected[cast_id]

    def is_expected(self, cast_id: CastId) -> bool:
        """Whether a room waits for it."""
        return cast_id in self._expected

    def text(self, cast_id: CastId, *, available: bool) -> None:
        """Whether there is a sentence of it to make now."""
        if cast_id in self._entries:
            self._entries[cast_id].has_text = available

    def elsewhere(self, cast_id: CastId, *, is_elsewhere: bool) -> None:
        """Whether other workers make it, or are to make it."""
        if cast_id in self._entries:
            self._entries[cast_id].is_elsewhere = is_elsewhere

    def lead(self, cast_id: CastId, now: float) -> float:
        """Its lead; infinite where it is unknown or nobody waits."""
        entry = self._entries.get(cast_id)
        return math.inf if entry is None else entry.lead(now)

    def pick(self, now: float) -> Pick | None:
        """The cast whose next sentence is to be made now; it counts as in flight until `made` or `returned`."""
        waiting = sorted(
            (each for each in self._entries.values() if each.has_text and not (each.in_flight or each.is_elsewhere)),
            key=lambda entry: self._rank(entry, now),
        )
        open_count = self.open_count
        for entry in waiting:
            displaced = None
            if not entry.is_open and open_count >= self.max_open:
                displaced = self._displaceable(entry, now)
                if displaced is None:
                    continue
                displaced.is_open = False
            self._take(entry)
            return Pick(entry.cast_id, displaced.cast_id if displaced else None)
        return None

    def made(self, cast_id: CastId, seconds: float, now: float) -> None:
        """One sentence of that duration can be heard from now on."""
        entry = self._entries.get(cast_id)
        if entry is None:
            return
        entry.in_flight = False
        entry.add(seconds, now)

    def returned(self, cast_id: CastId) -> None:
        """The sentence was not made; it is to be made again."""
        if cast_id in self._entries:
            self._entries[cast_id].in_flight = False

    def closed(self, cast_id: CastId) -> None:
        """No attempt holds the cast any more."""
        if cast_id in self._entries:
            self._entries[cast_id].is_open = False

    def opened(self, cast_id: CastId) -> None:
        """An attempt holds the cast, still: it did not have to make room after all."""
        if cast_id in self._entries:
            self._entries[cast_id].is_open = True

    def stops_somebody(self, cast_id: CastId, now: float) -> bool:
        """Whether the cast would stop another one, were it made here."""
        entry = self._entries.get(cast_id)
        return entry is not None and self._stopped_by(entry, now) is not None

    def stopped_by(self, cast_id: CastId, now: float) -> CastId | None:
        """The cast whose sentence under way is to be stopped for this one; None where it has to wait, or need not.

        `critical` stops any other; a cast that is due stops one that nobody waits for.
        """
        entry = self._entries.get(cast_id)
        return None if entry is None or entry.is_elsewhere else self._stopped_by(entry, now)

    def _stopped_by(self, entry: Entry, now: float) -> CastId | None:
        running = [other for other in self._entries.values() if other.in_flight]
        if entry.in_flight or len(running) < self.slots:
            return None
        mine = self._tier(entry, now)
        weaker = [
            other
            for other in running
            if (entry.priority is Priority.CRITICAL and other.priority is not Priority.CRITICAL)
            or (mine in (_Tier.SILENT, _Tier.DUE) and self._tier(other, now) in (_Tier.UNWANTED, _Tier.BACKGROUND))
        ]
        return max(weaker, key=lambda other: (-other.priority, other.lead(now))).cast_id if weaker else None

    def _take(self, entry: Entry) -> None:
        entry.in_flight = entry.is_open = True
        self._turn += 1
        self._served["room", entry.room] = self._served["source", entry.source] = self._turn

    def _tier(self, entry: Entry, now: float) -> _Tier:
        if entry.priority == Priority.BACKGROUND:
            return _Tier.BACKGROUND
        if entry.lead(now) >= self.ahead_seconds and entry.is_wanted:
            return _Tier.AHEAD
        if entry.priority == Priority.CRITICAL:
            return _Tier.CRITICAL
        if not entry.is_wanted:
            return _Tier.UNWANTED
        return _Tier.SILENT if entry.is_silent(now) else _Tier.DUE

    def _rank(self, entry: Entry, now: float) -> tuple[float, ...]:
        tier = self._tier(entry, now)
        lead = entry.lead(now) + _SHIFT_SECONDS.get(entry.priority, 0.0)
        in_turn = (self._served.get(("room", entry.room), 0), self._served.get(("source", entry.source), 0))
        if tier is _Tier.SILENT:
            return (tier, math.ceil(lead / _STEP_SECONDS), *in_turn, lead, entry.order)
        if tier is _Tier.CRITICAL:
            return (tier, float(entry.ready_seconds > 0), lead, *in_turn, entry.order)
        return (tier, lead, *in_turn, entry.ready_seconds, entry.order)

    def _displaceable(self, entry: Entry, now: float) -> Entry | None:
        """The open cast that has to make room: of lower priority, or one that nobody waits for or that is far ahead.

        Among those that nobody waits for, one that has sound already makes room for one that has none.
        """
        candidates = [other for other in self._entries.values() if other.is_open and not other.in_flight]
        if not candidates:
            return None
        last = max(candidates, key=lambda other: (-other.priority, self._rank(other, now)))
        mine, its = self._tier(entry, now), self._tier(last, now)
        yields = its in (_Tier.UNWANTED, _Tier.BACKGROUND, _Tier.AHEAD) and (
            mine < its or (mine == its and entry.ready_seconds == 0 < last.ready_seconds)
        )
        return last if entry.priority > last.priority or yields else None
