"""What becomes of calls when S2 loses, delays or refuses; driven through the real SDK against the fake server."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from random import Random

import pytest

from tests.contracts.log_backends import HandClock, line
from tests.fake_s2 import FakeS2, Fault
from wyoming_kokoro.journal.s2 import Place, S2Log, lane, open_s2, place
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    AppendRefusedError,
    FencingTokenMismatchError,
    JournalError,
    LogUnavailableError,
    SeqNumMismatchError,
)
from wyoming_kokoro.model.position import Ack
from wyoming_kokoro.model.records import Fence, Input, Trim
from wyoming_kokoro.ports import Log, Lost, Won

BASIN = "some-basin"


async def open_on(server: FakeS2, *, token: str | None = None) -> S2Log:
    return await open_s2(Place(endpoint=server.endpoint, basin=BASIN, access_token=token), HandClock())


@pytest.fixture
async def log(fake_s2: FakeS2) -> AsyncIterator[S2Log]:
    opened = await open_on(fake_s2)
    yield opened
    await opened.close()


async def indexes(log: Log, stream: str = "s") -> list[int]:
    found: list[int] = []
    cursor = 0
    while part := await log.read(stream, cursor):
        found += [each.record.index for each in part if isinstance(each.record, Input)]
        cursor = part[-1].seq_num + 1
    return found


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - neither the client nor the fake has an event for it
            await asyncio.sleep(0)


# --- lost on the way


@pytest.mark.parametrize("match", [2, None])
@pytest.mark.parametrize("fault", [{"loses_reply": True}, {"loses_request": True}])
async def test_an_append_that_was_lost_on_the_way_is_written_once(
    fake_s2: FakeS2, log: S2Log, fault: dict[str, bool], match: int | None
) -> None:
    await log.append("s", [line(0), line(1)])
    fake_s2.faults.add(Fault(call="append", times=3, **fault))  # type: ignore[arg-type]
    assert await log.append("s", [line(2)], match_seq_num=match) == Ack(2, 3)
    assert await log.append("s", [line(3)]) == Ack(3, 4)
    assert await indexes(log) == [0, 1, 2, 3]


async def test_a_lost_reply_to_a_claim_does_not_turn_it_into_a_loss(fake_s2: FakeS2, log: S2Log) -> None:
    fake_s2.faults.add(Fault(call="append", loses_reply=True))
    assert await log.claim("s", [line(0)]) == Won(Ack(0, 1))
    lost = await log.claim("s", [line(0)])
    assert isinstance(lost, Lost)


async def test_a_lost_reply_to_the_last_batch_of_a_token_is_no_refusal(fake_s2: FakeS2, log: S2Log) -> None:
    await log.append("s", [Fence("mine"), line(0)])
    fake_s2.faults.add(Fault(call="append", loses_reply=True))
    assert await log.append("s", [line(1), Fence("end-mine")], fencing_token="mine") == Ack(2, 4)
    with pytest.raises(FencingTokenMismatchError):
        await log.append("s", [line(2)], fencing_token="mine")
    assert await indexes(log) == [0, 1]


async def test_commands_alone_are_resolved_too(fake_s2: FakeS2, log: S2Log) -> None:
    await log.append("s", [line(0), line(1)])
    for record in (Fence("one"), Trim(1)):
        fake_s2.faults.add(Fault(call="append", loses_reply=True))
        await log.append("s", [record])
    assert await log.check_tail("s") == 4


async def test_a_batch_that_trims_itself_away_is_never_called_refused(fake_s2: FakeS2, log: S2Log) -> None:
    await log.append("s", [line(0)])
    fake_s2.faults.add(Fault(call="append", loses_reply=True))
    with pytest.raises(AppendOutcomeUnknownError):
        await log.append("s", [line(1), Trim(3)], match_seq_num=1)
    assert await log.check_tail("s") == 3


async def test_what_was_under_way_behind_a_lost_reply_follows_in_order(fake_s2: FakeS2, log: S2Log) -> None:
    fake_s2.faults.add(Fault(call="append", loses_reply=True, times=4))
    acks = await asyncio.gather(*(log.append("s", [line(index)]) for index in range(40)))
    assert [ack.start for ack in acks] == list(range(40))
    assert await indexes(log) == list(range(40))


async def test_a_refusal_in_the_middle_spares_those_behind_it(fake_s2: FakeS2, log: S2Log) -> None:
    started = [asyncio.ensure_future(log.append("s", [line(at)], match_seq_num=at, fencing_token="")) for at in (0, 5, 1, 0, 2)]
    answers = await asyncio.gather(*started, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Ack, SeqNumMismatchError, Ack, SeqNumMismatchError, Ack]
    assert await indexes(log) == [0, 1, 2]


async def test_a_reply_that_never_comes_is_looked_up(fake_s2: FakeS2, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "REQUEST_SECONDS", 0.2)
    log = await open_on(fake_s2)
    await log.append("s", [line(0)])
    fake_s2.faults.add(Fault(call="append", holds=asyncio.Event()))
    assert await log.append("s", [line(1)]) == Ack(1, 2)
    fake_s2.faults.add(Fault(call="read", holds=asyncio.Event()))
    assert await indexes(log) == [0, 1]
    await log.close()


# --- refused


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (409, "transaction_conflict"),
        (429, "rate_limited"),
        (500, "storage"),
        (502, "hot_server"),
        (503, "unavailable"),
        (504, ""),
    ],
)
@pytest.mark.parametrize("call", ["append", "read", "tail", "list"])
async def test_what_passes_is_tried_again(fake_s2: FakeS2, log: S2Log, call: str, status: int, code: str) -> None:
    fake_s2.faults.add(Fault(call=call, times=3, status=status, code=code))
    assert await log.append("s", [line(0)]) == Ack(0, 1)
    assert await indexes(log) == [0]
    assert await log.check_tail("s") == 1
    assert await log.list_streams("") == ["s"]


async def test_a_server_that_only_refuses_counts_as_away_and_is_tried_until_it_does_not(fake_s2: FakeS2, log: S2Log) -> None:
    fake_s2.faults.add(Fault(call="append", times=20, status=429, code="rate_limited"))
    with pytest.raises(LogUnavailableError):
        await log.append("s", [line(0)])
    async with asyncio.timeout(20):
        while True:
            try:
                await log.append("s", [line(1)])
                break
            except LogUnavailableError:
                await asyncio.sleep(0)
    assert await indexes(log) == [1]


@pytest.mark.parametrize("status", [500, 503])
async def test_where_nobody_can_say_it_is_unknown(fake_s2: FakeS2, log: S2Log, status: int) -> None:
    fake_s2.faults.add(Fault(call="append", times=100, status=status))
    with pytest.raises(AppendOutcomeUnknownError):
        await log.append("s", [line(0)])


async def test_who_may_not_is_told_so(fake_s2: FakeS2) -> None:
    fake_s2.tokens.required = True
    with pytest.raises(JournalError, match="s2-access-token"):
        await open_on(fake_s2, token="wrong")
    log = await open_on(fake_s2, token="root")
    await log.append("s", [line(0)])
    await log.close()


# --- away


async def test_while_s2_is_away_nobody_waits_and_one_line_says_so(
    fake_s2: FakeS2, log: S2Log, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    await log.append("s", [line(0)])
    await fake_s2.stop()
    with pytest.raises((LogUnavailableError, AppendOutcomeUnknownError)):
        await log.append("s", [line(1)])
    calls = (
        lambda: log.append("s", [line(1)]),
        lambda: log.claim("t", [line(1)]),
        lambda: log.read("s", 0),
        lambda: log.check_tail("s"),
    )
    for _ in range(5):
        for call in calls:
            with pytest.raises(LogUnavailableError):
                await call()
    assert len([record for record in caplog.records if "does not answer" in record.message]) == 1
    await fake_s2.start()
    await until(lambda: "answers again" in caplog.text)
    assert await log.append("s", [line(2)]) == Ack(1, 2)


async def test_a_follower_outlives_an_outage(fake_s2: FakeS2, log: S2Log) -> None:
    async with asyncio.timeout(30), aclosing(log.follow("s", 0)) as records:
        for turn in range(3):
            await append_at_last(log, line(turn))
            assert (await anext(records)).record == line(turn)
            following = asyncio.ensure_future(anext(records))
            await fake_s2.stop()
            with pytest.raises((AppendRefusedError, AppendOutcomeUnknownError)):
                await log.append("s", [line(99)])
            await fake_s2.start()
            await append_at_last(log, line(turn + 100))
            assert (await following).record == line(turn + 100)


async def append_at_last(log: Log, record: Input) -> None:
    while True:
        try:
            await log.append("s", [record])
        except LogUnavailableError:
            await asyncio.sleep(0)
        else:
            return


async def test_an_append_under_way_when_s2_goes_is_unknown(fake_s2: FakeS2, log: S2Log) -> None:
    await log.append("s", [line(0)])
    fake_s2.faults.add(Fault(call="append", holds=asyncio.Event()))
    under_way = asyncio.ensure_future(log.append("s", [line(1)]))
    await until(lambda: fake_s2.calls.count("append") == 2)
    behind = asyncio.ensure_future(log.append("s", [line(2)]))
    await fake_s2.stop()
    with pytest.raises(AppendOutcomeUnknownError):
        await under_way
    with pytest.raises((AppendOutcomeUnknownError, LogUnavailableError)):
        await behind


async def test_a_restart_of_s2_is_not_noticed(fake_s2: FakeS2, log: S2Log) -> None:
    for index in range(3):
        await log.append("s", [line(index)])
        await fake_s2.stop()
        await fake_s2.start()
    assert await indexes(log) == [0, 1, 2]


async def test_an_s2_that_hangs_does_not_keep_the_journal_open(fake_s2: FakeS2) -> None:
    log = await open_on(fake_s2)
    await log.append("s", [line(0)])
    await log.append("t", [line(0)])
    for call in ("append", "read", "tail"):
        fake_s2.faults.add(Fault(call=call, holds=asyncio.Event(), times=100))
    under_way = asyncio.ensure_future(log.append("s", [line(1)]))
    following = asyncio.ensure_future(anext(log.follow("s", 5)))
    await until(lambda: fake_s2.calls.count("append") == 3)
    fake_s2.hangs = True
    async with asyncio.timeout(15):
        await log.close()
    with pytest.raises(AppendOutcomeUnknownError):
        await under_way
    with pytest.raises(LogUnavailableError):
        await following


# --- streams and sessions


async def test_an_existing_basin_is_left_as_it_is_and_its_streams_last_all_the_same(fake_s2: FakeS2) -> None:
    first = await open_on(fake_s2)
    await first.close()
    config = fake_s2.basins[BASIN].config
    config.clear()
    config["default_stream_config"] = {"retention_policy": {"age": 3600}}
    before = dict(config)
    log = await open_s2(Place(endpoint=fake_s2.endpoint, basin=BASIN), HandClock(), streams=("jobs", "rooms/a"))
    await log.append("made/by/append", [line(0)])
    await log.close()
    again = await open_s2(Place(endpoint=fake_s2.endpoint, basin=BASIN), HandClock(), streams=("jobs", "rooms/a"))
    await again.close()
    basin = fake_s2.basins[BASIN]
    assert basin.config == before
    assert basin.names == ["jobs", "made/by/append", "rooms/a"]
    for stream_config in basin.stream_configs.values():
        assert isinstance(stream_config, dict)
        assert stream_config["retention_policy"] == {"infinite": {}}
        assert "delete_on_empty" not in stream_config


async def test_an_idle_stream_lets_go_of_its_session(fake_s2: FakeS2, log: S2Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane, "IDLE_SECONDS", 0.0)
    for index in range(3):
        await log.append("s", [line(index)])
        await until(lambda: not log._lanes)
    assert await indexes(log) == [0, 1, 2]


async def test_trims_that_take_effect_late_are_lived_with(fake_s2: FakeS2, log: S2Log) -> None:
    basin = fake_s2.basins[BASIN]
    basin.trims_late = True
    await log.append("s", [line(0), line(1)])
    await log.append("s", [line(2), Trim(2)])
    assert await indexes(log) == [0, 1, 2]
    basin.sweep()
    assert await indexes(log) == [2]
    assert await log.append("s", [line(3)], match_seq_num=4) == Ack(4, 5)


async def test_several_writers_share_a_stream_and_each_keeps_its_order(fake_s2: FakeS2) -> None:
    logs = [await open_on(fake_s2) for _ in range(3)]
    await asyncio.gather(
        *(each.append("s", [line(100 * place + index)]) for place, each in enumerate(logs) for index in range(20))
    )
    found = await indexes(logs[0])
    assert sorted(found) == [100 * writer + index for writer in range(3) for index in range(20)]
    for writer in range(3):
        mine = [index for index in found if index // 100 == writer]
        assert mine == sorted(mine)
    for each in logs:
        await each.close()


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_goes_wrong_an_answer_is_true(fake_s2: FakeS2, seed: int) -> None:
    """Two writers, conditional and not, and a server that loses and refuses: acked is there once, refused is not there."""
    random = Random(seed)
    logs = [await open_on(fake_s2) for _ in range(2)]
    answers: dict[int, object] = {}

    async def write(writer: int, number: int) -> None:
        conditions = {} if random.random() < 0.6 else {"match_seq_num": await logs[writer].check_tail("s")}
        try:
            answers[number] = await logs[writer].append("s", [line(number)] * random.randint(1, 3), **conditions)
        except (AppendRefusedError, AppendOutcomeUnknownError) as error:
            answers[number] = error

    for turn in range(12):
        for _ in range(random.randint(0, 3)):
            kind = random.choice([{"loses_reply": True}, {"loses_request": True}, {"status": 503}, {"status": 429}])
            fake_s2.faults.add(Fault(call=random.choice(["append", "append", "read", "tail"]), **kind))  # type: ignore[arg-type]
        await asyncio.gather(*(write(random.randrange(2), 10 * turn + each) for each in range(random.randint(1, 5))))
    found = await indexes(logs[0])
    runs = [number for place, number in enumerate(found) if place == 0 or found[place - 1] != number]
    assert len(runs) == len(set(runs)), "a batch was written twice, or torn"
    for number, answer in answers.items():
        if isinstance(answer, Ack):
            assert found[answer.start : answer.tail] == [number] * (answer.tail - answer.start)
            assert found.count(number) == answer.tail - answer.start
        elif isinstance(answer, AppendRefusedError):
            assert number not in found
    for each in logs:
        await each.close()
