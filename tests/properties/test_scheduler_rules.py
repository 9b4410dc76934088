"""Whatever happens to the scheduler in whatever order, every pick keeps to the rules."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from wyoming_kokoro.core.scheduler import Pick, Scheduler
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId

_AHEAD_SECONDS = 8.0
_MOST_OPEN = 3


@dataclass(slots=True)
class Known:
    """What the test knows of one cast, kept in its own way."""

    priority: Priority
    due_at: float | None
    ready_seconds: float = 0.0
    has_text: bool = True
    in_flight: bool = False
    is_open: bool = False
    is_elsewhere: bool = False

    @property
    def is_to_be_made(self) -> bool:
        return self.has_text and not self.in_flight and not self.is_elsewhere

    def lead(self, now: float) -> float:
        return math.inf if self.due_at is None else self.ready_seconds - (now - self.due_at)

    def is_alarm(self, now: float) -> bool:
        """Critical is strict, whoever waits, unless it is comfortably ahead."""
        return self.priority is Priority.CRITICAL and (self.due_at is None or self.lead(now) < _AHEAD_SECONDS)

    def is_due(self, now: float) -> bool:
        return self.priority is not Priority.BACKGROUND and self.due_at is not None and self.lead(now) < _AHEAD_SECONDS


class SchedulerRules(RuleBasedStateMachine):
    """A scheduler and a model of it."""

    def __init__(self) -> None:
        super().__init__()
        self.scheduler = Scheduler(max_open=_MOST_OPEN, ahead_seconds=_AHEAD_SECONDS)
        self.known: dict[CastId, Known] = {}
        self.now = 0.0

    @rule(
        number=st.integers(0, 7),
        priority=st.sampled_from(Priority),
        delay_seconds=st.none() | st.floats(0.0, 20.0),
        room=st.sampled_from((None, "kitchen", "hall")),
    )
    def ask(self, number: int, priority: Priority, delay_seconds: float | None, room: str | None) -> None:
        cast_id, due_at = CastId(f"cast{number}"), None if delay_seconds is None else self.now + delay_seconds
        self.scheduler.put(cast_id, priority=priority, room=room, source="s", due_at=due_at)
        if (known := self.known.get(cast_id)) is None:
            self.known[cast_id] = Known(priority, due_at)
            return
        known.priority = max(known.priority, priority)
        times = [time for time in (known.due_at, due_at) if time is not None]
        known.due_at = min(times, default=None)

    @rule(seconds=st.floats(0.0, 30.0))
    def wait(self, seconds: float) -> None:
        self.now += seconds

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def leave_or_join(self, data: st.DataObject) -> None:
        cast_id = data.draw(st.sampled_from(sorted(self.known)))
        known, joins = self.known[cast_id], data.draw(st.booleans())
        self.scheduler.demand(cast_id, self.now if joins else None)
        if not joins or known.due_at is None:
            known.due_at = self.now if joins else None

    @precondition(lambda self: self.known)
    @rule(data=st.data(), available=st.booleans())
    def text(self, data: st.DataObject, available: bool) -> None:
        cast_id = data.draw(st.sampled_from(sorted(self.known)))
        self.scheduler.text(cast_id, available=available)
        self.known[cast_id].has_text = available

    @precondition(lambda self: self.known)
    @rule(data=st.data(), is_elsewhere=st.booleans())
    def leave_to_others(self, data: st.DataObject, is_elsewhere: bool) -> None:
        cast_id = data.draw(st.sampled_from(sorted(self.known)))
        if self.known[cast_id].is_open:
            return
        self.scheduler.elsewhere(cast_id, is_elsewhere=is_elsewhere)
        self.known[cast_id].is_elsewhere = is_elsewhere
        assert not is_elsewhere or self.scheduler.stopped_by(cast_id, self.now) is None

    @precondition(lambda self: any(known.in_flight for known in self.known.values()))
    @rule(data=st.data(), seconds=st.floats(0.3, 9.0), is_made=st.booleans(), closes=st.booleans())
    def come_back(self, data: st.DataObject, seconds: float, is_made: bool, closes: bool) -> None:
        cast_id = data.draw(st.sampled_from(sorted(cast_id for cast_id, known in self.known.items() if known.in_flight)))
        known = self.known[cast_id]
        if is_made:
            ran_dry = known.lead(self.now) < 0
            self.scheduler.made(cast_id, seconds, self.now)
            known.ready_seconds += seconds
            if ran_dry:
                assert math.isclose(self.scheduler.lead(cast_id, self.now), seconds, abs_tol=1e-6)
                known.due_at = self.now + seconds - known.ready_seconds
        if closes:
            self.scheduler.closed(cast_id)
            known.is_open = False
        self.scheduler.returned(cast_id)
        known.in_flight = False

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def settle(self, data: st.DataObject) -> None:
        cast_id = data.draw(st.sampled_from(sorted(self.known)))
        self.scheduler.remove(cast_id)
        del self.known[cast_id]
        assert cast_id not in self.scheduler

    @rule()
    def pick(self) -> None:
        pick = self.scheduler.pick(self.now)
        if pick is None:
            ready = [known for known in self.known.values() if known.is_to_be_made]
            assert not any(known.is_open for known in ready)
            assert not ready or sum(known.is_open for known in self.known.values()) >= _MOST_OPEN
            return
        picked = self.known[pick.cast_id]
        assert picked.is_to_be_made
        self._check_rank(picked)
        self._check_displaced(pick, picked)
        picked.in_flight = picked.is_open = True

    def _check_rank(self, picked: Known) -> None:
        """Nobody who could have had the engine should have had it before."""
        for other in self.known.values():
            # Whoever is not open may have found no room.
            if other is picked or not other.is_to_be_made or not other.is_open:
                continue
            if other.is_alarm(self.now):
                assert picked.is_alarm(self.now)
            elif other.is_due(self.now):
                assert picked.is_due(self.now) or picked.is_alarm(self.now)

    def _check_displaced(self, pick: Pick, picked: Known) -> None:
        if pick.displaced is None:
            return
        displaced = self.known[pick.displaced]
        assert displaced.is_open
        assert not displaced.in_flight
        assert not picked.is_open
        assert picked.priority > displaced.priority or not displaced.is_due(self.now)
        displaced.is_open = False

    @invariant()
    def never_too_many_are_open(self) -> None:
        assert sum(known.is_open for known in self.known.values()) <= _MOST_OPEN
        assert len(self.scheduler) == len(self.known)

    @invariant()
    def the_leads_agree(self) -> None:
        for cast_id, known in self.known.items():
            ours, its = known.lead(self.now), self.scheduler.lead(cast_id, self.now)
            assert ours == its or math.isclose(ours, its, abs_tol=1e-6)


TestSchedulerRules = SchedulerRules.TestCase
TestSchedulerRules.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
