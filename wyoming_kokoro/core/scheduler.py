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

`high` and `low` shift the lead by -5 and +5 seconds, so that no priority starves another for ever.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

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

    def lead(self, now: float) -> float:
        """Seconds of audio ready minus seconds of audio due; infinite where nobody waits."""
        return math.inf if self.due_at is None else self.ready_seconds - (now - self.due_at)


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
        ran_dry = entry.lead(now) < 0
        entry.ready_seconds += seconds
        if ran_dry:
            # A listener that ran dry waits: what it missed is not due any more.
            entry.due_at = now + seconds - entry.ready_seconds

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
        if entry.lead(now) >= self.ahead_seconds and entry.due_at is not None:
            return _Tier.AHEAD
        if entry.priority == Priority.CRITICAL:
            return _Tier.CRITICAL
        if entry.due_at is None:
            return _Tier.UNWANTED
        return _Tier.SILENT if entry.ready_seconds == 0 and entry.due_at <= now else _Tier.DUE

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
