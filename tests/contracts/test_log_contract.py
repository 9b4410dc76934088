"""What ports.Log promises, held against every journal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.contracts.log_backends import BACKENDS, Backend, line, make_backend
from tests.fake_s2 import FakeS2
from tests.fixtures.record_samples import SAMPLES
from wyoming_kokoro.model.errors import (
    AppendRefusedError,
    FencingTokenMismatchError,
    LogUnavailableError,
    SeqNumMismatchError,
    UnfitRecordsError,
)
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Audio, Fence, Input, Record, Sequenced, Trim, Unreadable, checksum
from wyoming_kokoro.ports import Log, Lost, Won

DAY_MS = 86_400_000
MIB = 1024 * 1024


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path, fake_s2: FakeS2) -> Backend:
    return make_backend(request, tmp_path, fake_s2)


@pytest.fixture
async def log(backend: Backend) -> AsyncIterator[Log]:
    opened = await backend.open()
    yield opened
    await opened.close()


def numbers(records: Sequence[Sequenced]) -> list[int]:
    return [record.seq_num for record in records]


def sound(size_bytes: int, index: int = 0) -> Audio:
    body = bytes([index % 256]) * size_bytes
    return Audio(
        index=index, duration_ms=1, text="t", body=body, body_format="pcm", rate=24_000, attempt=1, worker="w", key="k",
        checksum=checksum(body),
    )  # fmt: skip


async def take(log: Log, stream: str, start: int, count: int) -> list[Sequenced]:
    """The first records that a follower sees."""
    found: list[Sequenced] = []
    async with asyncio.timeout(20), aclosing(log.follow(stream, start)) as records:
        async for record in records:
            found.append(record)
            if len(found) == count:
                break
    return found


# --- appending and reading


async def test_a_stream_that_was_never_written_is_empty(log: Log) -> None:
    assert await log.check_tail("nothing") == 0
    assert list(await log.read("nothing", 0)) == []
    assert list(await log.read_back("nothing")) == []
    assert list(await log.list_streams("")) == []


async def test_reading_does_not_make_a_stream(log: Log) -> None:
    await log.read("nothing", 0)
    await log.check_tail("nothing")
    assert list(await log.list_streams("")) == []


async def test_seq_nums_are_dense_from_0_and_the_ack_tells_them(log: Log) -> None:
    assert await log.append("s", [line(0), line(1)]) == Ack(0, 2)
    assert await log.append("s", [line(2)]) == Ack(2, 3)
    assert numbers(await log.read("s", 0)) == [0, 1, 2]
    assert await log.check_tail("s") == 3


async def test_streams_are_numbered_apart(log: Log) -> None:
    await log.append("a", [line(0)])
    assert await log.append("b", [line(1)]) == Ack(0, 1)
    assert [each.record for each in await log.read("a", 0)] == [line(0)]


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - {"trim"}))
async def test_every_record_comes_back_as_it_was_written(log: Log, name: str) -> None:
    await log.append("s", [SAMPLES[name]])
    for found in (await log.read("s", 0), await log.read_back("s")):
        assert [each.record for each in found] == [SAMPLES[name]]


async def test_a_body_is_kept_to_the_byte(log: Log) -> None:
    record = sound(0)
    body = bytes(range(256)) + b"\0\xff\r\n"
    whole = Audio(**{**{name: getattr(record, name) for name in record.__slots__}, "body": body, "checksum": checksum(body)})
    await log.append("s", [record, whole])
    assert [each.record for each in await log.read("s", 0)] == [record, whole]


async def test_a_reader_cannot_change_what_is_stored(log: Log) -> None:
    await log.append("s", [line(0)])
    first, second = await log.read("s", 0), await log.read("s", 0)
    assert first is not second
    assert first[0] == second[0]


async def test_reading_starts_at_the_cursor_and_ends_at_the_limit(log: Log) -> None:
    await log.append("s", [line(index) for index in range(10)])
    assert numbers(await log.read("s", 4, limit=3)) == [4, 5, 6]
    assert numbers(await log.read("s", 9)) == [9]


@pytest.mark.parametrize("cursor", [10, 11, 2**40, 2**70])
async def test_reading_at_or_beyond_the_tail_is_empty(log: Log, cursor: int) -> None:
    await log.append("s", [line(index) for index in range(10)])
    await log.append("t", [line(0)])
    assert list(await log.read("s", cursor)) == []


async def test_reading_back_gives_the_newest_first(log: Log) -> None:
    await log.append("s", [line(index) for index in range(10)])
    assert numbers(await log.read_back("s", limit=3)) == [9, 8, 7]
    assert numbers(await log.read_back("s", before=3, limit=100)) == [2, 1, 0]
    assert numbers(await log.read_back("s", before=2**70, limit=1)) == [9]
    assert list(await log.read_back("s", before=0)) == []


async def test_large_records_are_read_in_parts_but_never_none(log: Log) -> None:
    for index in range(4):
        await log.append("s", [sound(600_000, index)])
    cursor, found = 0, []
    while part := await log.read("s", cursor):
        found += numbers(part)
        cursor = part[-1].seq_num + 1
    assert found == [0, 1, 2, 3]
    assert numbers(await log.read_back("s", limit=4)) == [3, 2, 1, 0]


# --- what is refused


@pytest.mark.parametrize(
    "records",
    [
        [],
        [line(0)] * 1001,
        [sound(MIB)],
        [sound(600_000)] * 2,
        [Unreadable("of old")],
        [line(-1)],
        [line(2**64)],
        [Fence("x" * 37)],
        [Fence("ä" * 19)],
        [Trim(-1)],
    ],
    ids=["none", "1001", "large", "large together", "unreadable", "negative", "huge", "token", "token bytes", "trim"],
)
async def test_what_no_journal_could_hold_is_refused_and_leaves_no_trace(log: Log, records: list[Record]) -> None:
    for write in (lambda: log.append("s", records), lambda: log.claim("s", records)):
        with pytest.raises(UnfitRecordsError):
            await write()
    assert await log.check_tail("s") == 0
    assert await log.append("s", [line(0)]) == Ack(0, 1)


@pytest.mark.parametrize("stream", ["", ".", "..", "a\0b", "x" * 513, "ä" * 257, "\ud800"])
async def test_a_name_that_no_stream_can_have_is_refused(log: Log, stream: str) -> None:
    with pytest.raises(UnfitRecordsError):
        await log.append(stream, [line(0)])


@pytest.mark.parametrize("stream", ["x" * 512, "a/b/_c", "räume/küche", "-", "%_"])
async def test_other_names_are_taken(log: Log, stream: str) -> None:
    await log.append(stream, [line(0)])
    assert list(await log.list_streams("")) == [stream]


async def test_a_batch_of_1000_and_a_record_just_below_the_limit_are_taken(log: Log) -> None:
    assert await log.append("s", [line(index) for index in range(1000)]) == Ack(0, 1000)
    assert await log.append("s", [sound(MIB - 200)]) == Ack(1000, 1001)


# --- conditions


async def test_match_seq_num_is_a_comparison_with_the_tail(log: Log) -> None:
    await log.append("s", [line(0), line(1)], match_seq_num=0)
    for wrong in (0, 1, 3):
        with pytest.raises(SeqNumMismatchError) as caught:
            await log.append("s", [line(9), line(9)], match_seq_num=wrong)
        assert caught.value.expected == 2
    assert await log.append("s", [line(2)], match_seq_num=2) == Ack(2, 3)
    assert [each.record for each in await log.read("s", 0)] == [line(0), line(1), line(2)]


async def test_of_many_conditional_appends_one_wins_and_the_others_can_read_it(log: Log) -> None:
    async def race(index: int) -> int | None:
        try:
            await log.append("s", [line(index)], match_seq_num=0)
        except SeqNumMismatchError as error:
            assert error.expected == 1
            assert len(await log.read("s", 0)) == 1
            return None
        return index

    winners = [index for index in await asyncio.gather(*map(race, range(50))) if index is not None]
    assert len(winners) == 1
    assert [each.record for each in await log.read("s", 0)] == [line(winners[0])]


async def test_a_fence_refuses_other_tokens_and_lets_those_without_one_pass(log: Log) -> None:
    assert await log.append("s", [Fence("one")], fencing_token="") == Ack(0, 1)
    with pytest.raises(FencingTokenMismatchError) as caught:
        await log.append("s", [line(0)], fencing_token="two")
    assert caught.value.expected == "one"
    await log.append("s", [line(1)], fencing_token="one")
    await log.append("s", [line(2)])
    assert [each.record for each in await log.read("s", 1)] == [line(1), line(2)]


async def test_a_fence_takes_effect_after_its_batch(log: Log) -> None:
    await log.append("s", [Fence("one"), line(0)])
    await log.append("s", [Fence("two"), line(1), Fence("three")], fencing_token="one")
    with pytest.raises(FencingTokenMismatchError) as caught:
        await log.append("s", [line(2)], fencing_token="two")
    assert caught.value.expected == "three"


async def test_the_fence_is_checked_before_the_number(log: Log) -> None:
    await log.append("s", [Fence("one")])
    with pytest.raises(FencingTokenMismatchError):
        await log.append("s", [line(0)], match_seq_num=7, fencing_token="two")
    with pytest.raises(SeqNumMismatchError):
        await log.append("s", [line(0)], match_seq_num=7, fencing_token="one")


async def test_a_refused_fence_changes_nothing(log: Log) -> None:
    with pytest.raises(SeqNumMismatchError):
        await log.append("s", [Fence("late")], match_seq_num=5)
    assert await log.append("s", [line(0)], fencing_token="") == Ack(0, 1)


async def test_a_zombie_is_refused_even_when_its_append_was_under_way(log: Log) -> None:
    await log.append("s", [Fence("old")])
    takeover = asyncio.ensure_future(log.append("s", [Fence("new"), line(1)], match_seq_num=1))
    late = asyncio.ensure_future(log.append("s", [line(0)], fencing_token="old"))
    await takeover
    with pytest.raises(FencingTokenMismatchError):
        await late
    assert [each.record for each in await log.read("s", 0)] == [Fence("old"), Fence("new"), line(1)]


# --- claims


async def test_of_any_number_of_claims_one_is_won_and_the_others_learn_by_whom(log: Log) -> None:
    answers = await asyncio.gather(*(log.claim("s", [line(index)]) for index in range(50)))
    won = [index for index, answer in enumerate(answers) if isinstance(answer, Won)]
    assert len(won) == 1
    firsts = {answer.first.record for answer in answers if isinstance(answer, Lost) and answer.first}
    assert firsts == {line(won[0])}
    assert sum(isinstance(answer, Lost) for answer in answers) == 49
    assert await log.check_tail("s") == 1


async def test_a_claim_passes_over_commands(log: Log) -> None:
    await log.append("s", [Fence("one"), line(0)])
    lost = await log.claim("s", [line(1)])
    assert isinstance(lost, Lost)
    assert lost.first is not None
    assert (lost.first.seq_num, lost.first.record) == (1, line(0))


async def test_a_claim_finds_nothing_readable_where_all_is_trimmed(log: Log) -> None:
    await log.append("s", [line(0), Trim(2)])
    assert await log.check_tail("s") == 2
    await trimmed_to(log, "s", [])
    assert await log.claim("s", [line(1)]) == Lost(None)


# --- order


async def test_appends_take_effect_in_the_order_of_their_start(log: Log) -> None:
    started = [asyncio.ensure_future(log.append("s", [line(index)], match_seq_num=index)) for index in range(300)]
    acks = await asyncio.gather(*reversed(started))
    assert sorted(ack.start for ack in acks) == list(range(300))
    cursor, found = 0, []
    while part := await log.read("s", cursor):
        found += [each.record for each in part]
        cursor = part[-1].seq_num + 1
    assert found == [line(index) for index in range(300)]


async def test_after_a_refusal_the_appends_behind_it_are_judged_by_what_is_there(log: Log) -> None:
    started = [asyncio.ensure_future(log.append("s", [line(at)], match_seq_num=at)) for at in (0, 5, 1, 2)]
    answers = await asyncio.gather(*started, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Ack, SeqNumMismatchError, Ack, Ack]
    assert await log.check_tail("s") == 3


async def test_a_cancelled_append_is_written_once_or_not_at_all(log: Log) -> None:
    tasks = [asyncio.ensure_future(log.append("s", [line(index), line(index)])) for index in range(40)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await log.append("s", [line(99), line(99)])
    found = [each.record for each in await log.read("s", 0)]
    kept = [record.index for record in found if isinstance(record, Input)]
    assert found[::2] == found[1::2]
    assert set(range(1, 40, 2)) <= set(kept)
    assert kept[::2] == sorted(set(kept))
    assert await log.check_tail("s") == len(found)


# --- time


async def test_timestamps_do_not_go_back_when_the_clock_does(backend: Backend, log: Log) -> None:
    await log.append("s", [line(0)])
    backend.clock.unix_ms -= 3_600_000
    await log.append("s", [line(1)])
    backend.clock.unix_ms += 7_200_000
    await log.append("s", [line(2)])
    stamps = [each.timestamp_ms for each in await log.read("s", 0)]
    assert stamps == sorted(stamps)
    assert stamps[-1] == backend.clock.unix_ms


async def test_a_clock_that_was_far_ahead_spoils_only_its_own_streams(backend: Backend, log: Log) -> None:
    today_ms = backend.clock.unix_ms
    backend.clock.unix_ms += 100 * DAY_MS
    await log.append("ahead", [line(0)])
    backend.clock.unix_ms = today_ms
    await log.append("ahead", [line(1)])
    await log.append("other", [line(2)])
    ahead = [each.timestamp_ms for each in await log.read("ahead", 0)]
    assert ahead == sorted(ahead)
    assert [each.timestamp_ms for each in await log.read("other", 0)] == [today_ms]


# --- trimming


async def trimmed_to(log: Log, stream: str, left: list[int]) -> None:
    """Wait for a trim that may take effect late."""
    async with asyncio.timeout(20):
        while numbers(await log.read(stream, 0)) != left:
            pass


async def test_a_trim_takes_away_what_is_below_it_and_leaves_the_tail(log: Log) -> None:
    await log.append("s", [line(index) for index in range(10)])
    assert await log.append("s", [Trim(7)]) == Ack(10, 11)
    await trimmed_to(log, "s", [7, 8, 9, 10])
    assert (await log.read("s", 10))[0].record == Trim(7)
    assert numbers(await log.read("s", 3, limit=2)) == [7, 8]
    assert numbers(await log.read_back("s")) == [10, 9, 8, 7]
    assert await log.check_tail("s") == 11
    assert await log.append("s", [line(11)], match_seq_num=11) == Ack(11, 12)


async def test_a_trim_may_come_again_and_never_goes_back(log: Log) -> None:
    await log.append("s", [line(index) for index in range(10)])
    await log.append("s", [Trim(7)])
    await log.append("s", [Trim(3), Trim(7)])
    await trimmed_to(log, "s", [7, 8, 9, 10, 11, 12])


async def test_a_trim_reaches_no_further_than_itself(log: Log) -> None:
    await log.append("s", [line(0), line(1)])
    await log.append("s", [Trim(2**63), line(3)])
    await trimmed_to(log, "s", [3])
    assert await log.check_tail("s") == 4


async def test_a_fence_outlives_its_record(log: Log) -> None:
    await log.append("s", [Fence("one"), line(1)])
    await log.append("s", [Trim(3)])
    await trimmed_to(log, "s", [])
    with pytest.raises(FencingTokenMismatchError):
        await log.append("s", [line(2)], fencing_token="two")


async def test_a_long_stream_is_trimmed_whole(log: Log) -> None:
    for _ in range(3):
        await log.append("s", [line(0)] * 1000)
    await log.append("other", [line(0)])
    await log.append("s", [Trim(3000)])
    await trimmed_to(log, "s", [3000])
    assert numbers(await log.read("other", 0)) == [0]


# --- following


async def test_a_follower_catches_up_and_goes_on(log: Log) -> None:
    await log.append("s", [line(index) for index in range(150)])
    following = asyncio.ensure_future(take(log, "s", 20, 180))
    for index in range(150, 200):
        await log.append("s", [line(index)])
    assert numbers(await following) == list(range(20, 200))


async def test_a_follower_gets_the_largest_records(log: Log) -> None:
    for index, size_bytes in enumerate((MIB - 300, 10, 700_000)):
        await log.append("s", [sound(size_bytes, index)])
    assert numbers(await take(log, "s", 0, 3)) == [0, 1, 2]


async def test_followers_may_come_before_the_stream(log: Log) -> None:
    followings = [asyncio.ensure_future(take(log, "s", 0, 3)) for _ in range(5)]
    await asyncio.sleep(0)
    await log.append("other", [line(7)])
    await log.append("s", [line(0), line(1)])
    await log.append("s", [line(2)])
    for following in followings:
        assert [each.record for each in await following] == [line(0), line(1), line(2)]


async def test_a_follower_at_a_cursor_beyond_the_tail_waits_for_it(log: Log) -> None:
    following = asyncio.ensure_future(take(log, "s", 3, 1))
    await asyncio.sleep(0)
    await log.append("s", [line(index) for index in range(5)])
    assert numbers(await following) == [3]


async def test_a_slow_follower_misses_nothing_and_holds_nobody_up(log: Log) -> None:
    async with aclosing(log.follow("s", 0)) as slow:
        await log.append("s", [line(0)])
        assert (await anext(slow)).seq_num == 0
        following = asyncio.ensure_future(take(log, "s", 0, 301))
        for index in range(1, 301):
            await log.append("s", [line(index)])
        assert numbers(await following) == list(range(301))
        assert [(await anext(slow)).seq_num for _ in range(300)] == list(range(1, 301))


async def test_a_follower_goes_on_behind_a_trim(log: Log) -> None:
    await log.append("s", [line(index) for index in range(10)])
    await log.append("s", [Trim(8)])
    await trimmed_to(log, "s", [8, 9, 10])
    assert numbers(await take(log, "s", 2, 3)) == [8, 9, 10]


async def test_a_follower_sees_nothing_that_was_refused(log: Log) -> None:
    following = asyncio.ensure_future(take(log, "s", 0, 2))
    await asyncio.sleep(0)
    with pytest.raises(AppendRefusedError):
        await log.append("s", [line(9)], match_seq_num=4)
    await log.append("s", [line(0), line(1)])
    assert [each.record for each in await following] == [line(0), line(1)]


async def test_a_follower_that_is_cancelled_leaves_the_others_alone(log: Log) -> None:
    gone = asyncio.ensure_future(take(log, "s", 0, 1))
    staying = asyncio.ensure_future(take(log, "s", 0, 1))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    await log.append("s", [line(0)])
    assert numbers(await staying) == [0]


# --- names


async def test_streams_are_listed_by_prefix_in_byte_order_and_in_pages(log: Log) -> None:
    names = ["a", "a/1", "a/10", "a/2", "a0", "b", "é", "z", "\U0001f600", "\uffee"]
    for name in names:
        await log.append(name, [line(0)])
    ordered = sorted(names, key=str.encode)
    assert list(await log.list_streams("")) == ordered
    assert list(await log.list_streams("a/")) == ["a/1", "a/10", "a/2"]
    assert list(await log.list_streams("é")) == ["é"]
    assert list(await log.list_streams("a/", start_after="a/1")) == ["a/10", "a/2"]
    assert list(await log.list_streams("nothing")) == []
    pages, last = [], ""
    while page := await log.list_streams("", start_after=last, limit=3):
        assert len(page) <= 3
        pages += page
        last = page[-1]
    assert pages == ordered


# --- closing


async def test_all_is_there_after_closing_and_opening_again(backend: Backend) -> None:
    first = await backend.open()
    await first.append("s", [Fence("one"), line(1), line(2)])
    await first.append("s", [Trim(2)])
    await first.close()
    for turn in range(2):
        again = await backend.open()
        assert [each.record for each in await again.read("s", 0)] == [line(2), Trim(2)]
        assert await again.check_tail("s") == 4
        with pytest.raises(FencingTokenMismatchError):
            await again.append("s", [line(turn)], fencing_token="two")
        assert await again.claim("s", [line(9)]) == Lost((await again.read("s", 2))[0])
        await again.close()


async def test_closing_finishes_what_was_begun_and_may_be_repeated(backend: Backend) -> None:
    log = await backend.open()
    begun = [asyncio.ensure_future(log.append("s", [line(index)])) for index in range(100)]
    await asyncio.sleep(0)
    await asyncio.gather(log.close(), log.close())
    await log.close()
    again = await backend.open()
    assert await again.check_tail("s") == 100
    await again.close()
    acks = await asyncio.gather(*begun)
    assert [ack.start for ack in acks] == list(range(100))


async def test_a_closed_journal_refuses_and_ends_its_followers(backend: Backend) -> None:
    log = await backend.open()
    following = asyncio.ensure_future(take(log, "s", 0, 1))
    await log.append("other", [line(0)])
    await log.close()
    with pytest.raises(LogUnavailableError):
        await following
    for call in (
        lambda: log.append("s", [line(0)]),
        lambda: log.claim("s", [line(0)]),
        lambda: log.read("s", 0),
        lambda: log.read_back("s"),
        lambda: log.check_tail("s"),
        lambda: log.list_streams(""),
    ):
        with pytest.raises(LogUnavailableError):
            await call()
