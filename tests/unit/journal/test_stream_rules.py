"""What a stream is, without a journal round it."""

from __future__ import annotations

import pytest

from tests.contracts.log_backends import NOON_MS, HandClock, line
from wyoming_kokoro.journal.batch import MAX_METERED_BYTES, pack
from wyoming_kokoro.journal.stream_state import StreamState
from wyoming_kokoro.journal.timestamps import DAY_MS, Timestamps
from wyoming_kokoro.model.errors import UnfitRecordsError
from wyoming_kokoro.model.records import Fence, Trim


def test_a_batch_knows_its_last_fence_and_its_trims() -> None:
    batch = pack([Fence("one"), line(0), Trim(5), Fence("two"), Trim(1)])
    assert batch.fence == "two"
    assert batch.trims == ((2, 5), (4, 1))


def test_a_batch_of_the_very_limit_is_taken_and_one_byte_more_is_not() -> None:
    room = MAX_METERED_BYTES - pack([line(0, "")]).metered_bytes
    half, odd = divmod(room, 2)  # the text stands in a header and in the body
    assert pack([line(0, "x" * half)]).metered_bytes == MAX_METERED_BYTES - odd
    with pytest.raises(UnfitRecordsError, match=str(MAX_METERED_BYTES)):
        pack([line(0, "x" * (half + 1))])


def test_a_state_moves_by_what_a_batch_holds() -> None:
    state = StreamState(tail=10, first=2, fencing_token="one", newest_ms=5)
    assert state.after(pack([line(0), Trim(4), Fence("two")]), 6) == StreamState(13, 4, "two", 6)
    assert state.after(pack([Trim(1)]), 6) == StreamState(11, 2, "one", 6)
    assert state.after(pack([Trim(99), line(0)]), 6) == StreamState(12, 11, "one", 6)


def test_stamps_hold_while_the_clock_catches_up() -> None:
    clock = HandClock()
    stamps = Timestamps(clock, NOON_MS + 1000)
    assert stamps.next_ms(0) == NOON_MS + 1000
    clock.unix_ms += 3000
    assert stamps.next_ms(0) == NOON_MS + 3000
    clock.unix_ms -= DAY_MS
    assert stamps.next_ms(0) == NOON_MS + 3000


def test_a_stamp_of_more_than_a_day_ahead_counts_in_its_own_stream_alone() -> None:
    clock = HandClock()
    stamps = Timestamps(clock, NOON_MS)
    clock.unix_ms += DAY_MS + 1
    assert stamps.next_ms(0) == NOON_MS + DAY_MS + 1
    clock.unix_ms = NOON_MS
    assert stamps.next_ms(NOON_MS + DAY_MS + 1) == NOON_MS + DAY_MS + 1
    assert stamps.next_ms(0) == NOON_MS
