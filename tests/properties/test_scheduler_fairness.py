"""What the scheduler promises whatever casts there are: driven by a clock of its own, one engine, one sentence at a time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.core.scheduler import Scheduler
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId

_lengths = st.lists(st.floats(0.3, 9.0), min_size=1, max_size=5)
_paces = st.floats(0.2, 8.0)


@dataclass(slots=True)
class Engine:
    """Makes one sentence after the other, as the scheduler says."""

    scheduler: Scheduler
    pace: float
    """Seconds of sound that it makes in a second."""
    now: float = 0.0
    made: list[tuple[CastId, float, float]] = field(default_factory=list)
    """Cast, seconds of its sentence, and when it was ready."""

    def speak(self, lengths: dict[CastId, list[float]], times: int) -> None:
        """So many sentences, each cast's lengths in turn for ever."""
        counts: Counter[CastId] = Counter()
        for _ in range(times):
            pick = self.scheduler.pick(self.now)
            if pick is None:
                return
            cast_lengths = lengths[pick.cast_id]
            seconds = cast_lengths[counts[pick.cast_id] % len(cast_lengths)]
            counts[pick.cast_id] += 1
            self.now += seconds / self.pace
            self.scheduler.made(pick.cast_id, seconds, self.now)
            self.made.append((pick.cast_id, seconds, self.now))


def _casts(lengths: list[list[float]]) -> dict[CastId, list[float]]:
    return {CastId(f"cast{number}"): own for number, own in enumerate(lengths)}


def _put(scheduler: Scheduler, cast_id: str, priority: Priority = Priority.NORMAL, **kwargs: object) -> None:
    due_at = kwargs.get("due_at", 0.0)
    assert due_at is None or isinstance(due_at, float)
    scheduler.put(
        CastId(cast_id),
        priority=priority,
        room=str(kwargs.get("room", cast_id)),
        source=str(kwargs.get("source", "s")),
        due_at=due_at,
    )


def _shares(engine: Engine, casts: dict[CastId, list[float]], rounds: int) -> list[float]:
    """Seconds of sound that each cast got."""
    for cast_id in casts:
        _put(engine.scheduler, cast_id)
    engine.speak(casts, times=rounds * len(casts))
    return [sum(seconds for cast_id, seconds, _ in engine.made if cast_id == own) for own in casts]


@given(_lengths, st.integers(2, 8), _paces)
def test_rooms_that_speak_at_once_get_equal_shares_of_the_engine(lengths: list[float], rooms: int, pace: float) -> None:
    """The same kind of text in each, at another place of it: Jain's index of the sound they get."""
    casts = _casts([[*lengths[number % len(lengths) :], *lengths[: number % len(lengths)]] for number in range(rooms)])
    shares = _shares(Engine(Scheduler(), pace), casts, rounds=80)
    assert sum(shares) ** 2 / (rooms * sum(share**2 for share in shares)) >= 0.95


@given(st.lists(_lengths, min_size=2, max_size=8), _paces)
def test_no_room_falls_behind_in_sound_and_in_sentences_whatever_their_lengths(lengths: list[list[float]], pace: float) -> None:
    """Where the engine can't keep up with anybody they take turns by the sentence; otherwise by the second."""
    casts, engine = _casts(lengths), Engine(Scheduler(), pace)
    shares = _shares(engine, casts, rounds=150)
    counts = Counter(cast_id for cast_id, _, _ in engine.made)
    for share, cast_id in zip(shares, casts, strict=True):
        assert max(share / max(shares), counts[cast_id] / max(counts.values())) >= 0.5


@given(
    st.lists(st.tuples(st.sampled_from([Priority.LOW, Priority.NORMAL, Priority.HIGH]), _lengths), min_size=2, max_size=6),
    _paces,
)
def test_no_priority_starves_another_for_ever(wanted: list[tuple[Priority, list[float]]], pace: float) -> None:
    casts, engine = _casts([own for _, own in wanted]), Engine(Scheduler(), pace)
    for cast_id, (priority, _) in zip(casts, wanted, strict=True):
        _put(engine.scheduler, cast_id, priority)
    engine.speak(casts, times=300)
    longest = max(max(own) for own in casts.values())
    # A shift of ten seconds is made up once so much has been played; nobody waits longer than that, and everybody's sentence.
    patience = 10.0 + 8.0 + longest + 3 * len(casts) * longest / pace
    for cast_id in casts:
        moments = [0.0, *(at for own, _, at in engine.made if own == cast_id), engine.now]
        gaps = [after - before for before, after in pairwise(moments)]
        assert len(moments) > 2
        assert max(gaps) <= patience


@given(st.lists(_lengths, min_size=2, max_size=8), _paces)
def test_casts_without_any_sound_go_first_in_the_order_of_their_rooms_turns(lengths: list[list[float]], pace: float) -> None:
    casts, engine = _casts(lengths), Engine(Scheduler(), pace)
    for cast_id in casts:
        _put(engine.scheduler, cast_id)
    engine.speak(casts, times=len(casts))
    assert sorted(cast_id for cast_id, _, _ in engine.made) == sorted(casts)


@given(st.floats(0.3, 9.0), st.floats(0.1, 0.9), st.integers(1, 20))
def test_a_listener_that_ran_dry_has_the_whole_next_sentence_as_lead(seconds: float, pace: float, times: int) -> None:
    engine = Engine(Scheduler(), pace)
    _put(engine.scheduler, "cast0")
    engine.speak({CastId("cast0"): [seconds]}, times)
    assert engine.scheduler.lead(CastId("cast0"), engine.now) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("first", "second"), [(Priority.HIGH, Priority.NORMAL), (Priority.NORMAL, Priority.LOW), (Priority.CRITICAL, Priority.HIGH)]
)
def test_of_two_casts_in_the_same_state_the_higher_priority_goes_first(first: Priority, second: Priority) -> None:
    scheduler = Scheduler()
    _put(scheduler, "second", second)
    _put(scheduler, "first", first)
    picked = scheduler.pick(0.0)
    assert picked is not None
    assert picked.cast_id == "first"


def test_five_seconds_of_lead_outweigh_one_step_of_priority() -> None:
    scheduler = Scheduler()
    for cast_id, priority, ready in (("high", Priority.HIGH, 7.0), ("normal", Priority.NORMAL, 1.0)):
        _put(scheduler, cast_id, priority, due_at=0.0)
        scheduler.pick(0.0)
        scheduler.made(CastId(cast_id), ready, 0.0)
    picked = scheduler.pick(0.5)
    assert picked is not None
    assert picked.cast_id == "normal"


def test_sources_of_one_room_take_turns() -> None:
    scheduler = Scheduler(max_open=10)
    for number in range(3):
        _put(scheduler, f"busy{number}", room="hall", source="busy")
    _put(scheduler, "other", room="hall", source="other")
    first, second = scheduler.pick(0.0), scheduler.pick(0.0)
    assert first is not None
    assert second is not None
    assert (first.cast_id, second.cast_id) == ("busy0", "other")
