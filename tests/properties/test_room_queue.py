"""A room's queue: what is next, what is dropped, whatever comes and goes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.queue import RoomQueue
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.recipe import Profile, Recipe
from wyoming_kokoro.model.room import Announcement

RECIPE = Recipe(
    text="", sentences=(), voice="v", speed=1.0, language="en-US", profile=Profile.QUALITY, model="m", text_version=1
)
entries = st.lists(
    st.tuples(
        st.sampled_from(Priority),
        st.sampled_from([None, "door", "washing"]),
        st.integers(0, 50),
        st.sampled_from([0.0, 0.0, 5.0, 20.0]),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)
Drawn = list[tuple[Priority, str | None, int, float, bool, bool]]


def queue_of(drawn: Drawn) -> tuple[RoomQueue, list[Entry]]:
    """A queue with those entries, in the order of acceptance."""
    queue, made = RoomQueue(), []
    for order, (priority, topic, expires_ms, rests_until, is_blocking, is_replay) in enumerate(drawn):
        announcement = Announcement(
            announcement_id=f"a{order}", recipe=RECIPE, rooms=("r",), priority=priority, source="s", expires_ms=expires_ms,
            asked="", topic=topic, replay_of="x" if is_replay else None,
        )  # fmt: skip
        entry = Entry.of(announcement, order)
        entry.rests_until, entry.is_blocking = rests_until, is_blocking
        queue.put(entry)
        made.append(entry)
    return queue, made


@given(entries, st.floats(0, 30), st.booleans())
def test_the_next_one_is_the_most_urgent_then_the_oldest_that_may_be_heard(drawn: Drawn, now: float, is_quiet: bool) -> None:
    queue, made = queue_of(drawn)
    allowed = [entry for entry in made if not (is_quiet and entry.may_be_held)]
    blocked_from = min((entry.rank for entry in allowed if entry.rests_until > now and entry.is_blocking), default=None)
    ready = [e for e in allowed if e.rests_until <= now and (blocked_from is None or e.rank < blocked_from)]
    assert queue.next(now, is_quiet=is_quiet) == min(ready, key=lambda entry: entry.rank, default=None)


@given(entries)
def test_of_each_topic_all_but_the_newest_are_superseded_and_nothing_else(drawn: Drawn) -> None:
    queue, made = queue_of(drawn)
    newest = {entry.announcement.topic: entry.order for entry in made}
    expected = [e.order for e in made if e.announcement.topic is not None and newest[e.announcement.topic] != e.order]
    assert sorted(entry.order for entry, _ in queue.superseded()) == expected


@given(entries, st.integers(0, 60))
def test_what_has_expired_is_what_was_to_be_heard_by_now_unless_it_was_begun(drawn: Drawn, now_ms: int) -> None:
    queue, made = queue_of(drawn)
    for entry in made[::3]:
        entry.last_heard_ms = now_ms
    expired = {entry.order for entry in queue.expired(now_ms)}
    assert expired == {e.order for e in made if e.last_heard_ms is None and e.announcement.expires_ms <= now_ms}


@given(entries, st.floats(0, 30), st.booleans())
def test_nothing_changes_by_time_alone_before_it_says_so(drawn: Drawn, now: float, is_quiet: bool) -> None:
    queue, _ = queue_of([(*rest[:2], 10**9, *rest[3:]) for rest in drawn])
    before = queue.next(now, is_quiet=is_quiet)
    seconds = queue.seconds_to_change(now, 0)
    later = now + min(seconds, 1000.0) * 0.999
    assert queue.next(later, is_quiet=is_quiet) == before


@given(entries, st.data())
def test_what_is_taken_out_is_gone_and_the_rest_stays_in_order(drawn: Drawn, data: st.DataObject) -> None:
    queue, made = queue_of(drawn)
    gone = data.draw(st.sets(st.sampled_from([entry.order for entry in made]))) if made else set()
    for order in gone:
        assert queue.remove(order) is made[order]
        assert queue.remove(order) is None
    left = queue.entries()
    assert {entry.order for entry in left} == {entry.order for entry in made} - gone
    assert left == sorted(left, key=lambda entry: entry.rank)
    assert len(queue) == len(left)
