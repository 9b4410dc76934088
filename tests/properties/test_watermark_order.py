"""The watermark in whatever order jobs are settled, and across restarts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wyoming_kokoro.core.watermark import WatermarkTracker
from wyoming_kokoro.model.records import Watermark


@st.composite
def settlements(draw: st.DrawFn) -> tuple[int, list[tuple[int, ...]]]:
    """How many jobs there are, and receipts that name each at most once, in any order."""
    count = draw(st.integers(0, 30))
    order = draw(st.permutations(range(count)))[: draw(st.integers(0, count))]
    receipts: list[tuple[int, ...]] = []
    while order:
        size = draw(st.integers(1, 4))
        receipts.append(tuple(order[:size]))
        order = order[size:]
    return count, receipts


def _first_unsettled(receipts: list[tuple[int, ...]]) -> int:
    settled = {job for jobs in receipts for job in jobs}
    return next(job for job in range(len(settled) + 1) if job not in settled)


@given(settlements())
def test_it_stands_at_the_first_unsettled_job_whatever_the_order(case: tuple[int, list[tuple[int, ...]]]) -> None:
    _, receipts = case
    tracker = WatermarkTracker()
    for place, jobs in enumerate(receipts):
        before = tracker.committable
        tracker.settle(place, jobs)
        assert tracker.jobs == _first_unsettled(receipts[: place + 1])
        assert tracker.committable.jobs >= before.jobs
        assert tracker.committable.done >= before.done


@given(settlements(), st.data())
def test_reading_on_from_any_committed_place_gives_the_same_state(
    case: tuple[int, list[tuple[int, ...]]], data: st.DataObject
) -> None:
    count, receipts = case
    crashed_at = data.draw(st.integers(0, len(receipts)))
    before = WatermarkTracker()
    committed = [before.committable]
    for place, jobs in enumerate(receipts[:crashed_at]):
        before.settle(place, jobs)
        committed.append(before.committable)
    mark = data.draw(st.sampled_from(committed))
    after = WatermarkTracker.resume(mark, jobs_tail=count, done_tail=len(receipts))
    assert (after.jobs, after.done_tail) == (mark.jobs, mark.done)
    for place in range(after.done_tail, len(receipts)):
        after.settle(place, receipts[place])
    assert after.jobs == _first_unsettled(receipts)
    settled = {job for jobs in receipts for job in jobs}
    assert {job for job in range(count) if after.is_settled(job)} == settled


@given(settlements(), st.data())
def test_a_receipt_seen_twice_changes_nothing(case: tuple[int, list[tuple[int, ...]]], data: st.DataObject) -> None:
    _, receipts = case
    tracker = WatermarkTracker()
    for place, jobs in enumerate(receipts):
        tracker.settle(place, jobs)
        again = data.draw(st.integers(0, place))
        seen = (tracker.jobs, tracker.done_tail, tracker.committable)
        tracker.settle(again, receipts[again])
        assert (tracker.jobs, tracker.done_tail, tracker.committable) == seen


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_a_cursor_above_its_streams_tail_counts_as_nothing(jobs: int, done: int, jobs_tail: int, done_tail: int) -> None:
    tracker = WatermarkTracker.resume(Watermark(jobs, done), jobs_tail=jobs_tail, done_tail=done_tail)
    if jobs > jobs_tail or done > done_tail:
        assert (tracker.jobs, tracker.done_tail) == (0, 0)
    else:
        assert (tracker.jobs, tracker.done_tail) == (jobs, done)


def test_without_a_cursor_it_begins_at_the_beginning() -> None:
    tracker = WatermarkTracker.resume(None, jobs_tail=9, done_tail=9)
    assert (tracker.jobs, tracker.done_tail) == (0, 0)


@given(settlements())
def test_records_that_ask_for_nothing_are_passed_over(case: tuple[int, list[tuple[int, ...]]]) -> None:
    count, receipts = case
    tracker = WatermarkTracker()
    named = {job for jobs in receipts for job in jobs}
    for job in range(count):
        if job not in named:
            tracker.skip(job)
    for place, jobs in enumerate(receipts):
        tracker.settle(place, jobs)
    assert tracker.jobs == count
    assert tracker.committable == Watermark(count, len(receipts))
