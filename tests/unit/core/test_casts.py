"""Looking at casts, watching them, and taking them back."""

from __future__ import annotations

import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from tests.house import ask, asking, hear, open_house, say
from tests.virtual_time import VirtualClock, run_virtually
from wyoming_kokoro.core.house import House
from wyoming_kokoro.engine.tone import ToneEngine
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.cast import CastRequest, CastState, Outcome, Priority
from wyoming_kokoro.model.errors import (
    CastCutError,
    CastExpiredError,
    CastFailedError,
    CastNotFoundError,
    EngineDiedError,
    RefusedError,
)
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.model.records import Audio, Catalogued, Eos, Expired, Record, Start

T = TypeVar("T")

TEXT = "Dinner is ready. The soup is hot. Please come down now."


def virtually(work: Coroutine[Any, Any, T]) -> T:
    return run_virtually(work)


async def accept(house: House, text: str, **request: Any) -> CastId:
    """Ask for a text without hearing it."""
    return (await house.intake.accept(CastRequest(**{"text": text, "source": "test", **request}))).cast_id


async def settled(house: House, cast_id: CastId) -> None:
    """Wait until no job wants the cast any more."""
    await house.shop.caught_up_with_jobs()
    while house.shop.is_wanted(cast_id):
        await house.shop.settling.settled.wait(house.shop.settling.settled.count)


async def made(house: House, text: str, **request: Any) -> CastId:
    """Ask for a text and wait until it is made."""
    cast_id = await accept(house, text, **request)
    await settled(house, cast_id)
    return cast_id


async def events(house: House, cast_id: CastId, start: int = 0) -> list[Record]:
    async with contextlib.aclosing(house.casts.events(cast_id, start=start)) as found:
        return [sequenced.record async for sequenced in found]


class DeadlyEngine(ToneEngine):
    """Dies under a word until it is healed."""

    word = "poison"

    async def synthesize(self, utterance: Utterance) -> Any:
        if self.word and self.word in utterance.spoken:
            raise EngineDiedError("it died")
        return await super().synthesize(utterance)


def test_a_cast_that_is_made_shows_its_sentences_its_text_and_its_receipt() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock) as house:
            cast_id, pieces = await say(house, TEXT)
            await settled(house, cast_id)
            found = await house.casts.get(cast_id)
            assert found.state is CastState.DONE
            assert found.text == TEXT
            assert [sentence.text for sentence in found.sentences] == [piece.text for piece in pieces]
            assert [sentence.index for sentence in found.sentences] == list(range(len(pieces)))
            ends = [sentence.start_ms + sentence.duration_ms for sentence in found.sentences]
            assert [0, *ends[:-1]] == [sentence.start_ms for sentence in found.sentences]
            assert found.receipt is not None
            assert found.receipt.outcome is Outcome.DONE
            assert found.receipt.audio_ms == ends[-1]
            assert found.voice == "af_heart"
            assert abs(found.created_ms - clock.now_ms()) < 60_000
            assert (found.keep, found.reason) == (False, None)

    virtually(look())


def test_a_cast_is_queued_then_speaking() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0)) as house:
            client = ask(house, TEXT)
            cast_id = await accept(house, TEXT)
            states = [(await house.casts.get(cast_id)).state]
            while not client.pieces:
                await clock.sleep(0.1)
            states.append((await house.casts.get(cast_id)).state)
            listed, _ = await house.casts.newest()
            assert [each.state for each in listed] == [CastState.SPEAKING]
            await client.done()
            assert states[1] is CastState.SPEAKING
            assert states[0] in (CastState.QUEUED, CastState.SPEAKING)

    virtually(look())


def test_an_unknown_cast_is_not_found_by_any_question() -> None:
    async def look() -> None:
        unknown = CastId("a" * 16)
        async with open_house(clock=VirtualClock()) as house:
            for question in (
                house.casts.get(unknown), house.casts.cancel(unknown), house.casts.delete(unknown), house.casts.keep(unknown),
                house.casts.audio(unknown, 3), house.casts.requeue(unknown), events(house, unknown),
            ):  # fmt: skip
                with pytest.raises(CastNotFoundError):
                    await question

    virtually(look())


def test_pages_hold_every_cast_once_newest_first_and_a_hit_moves_none() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            casts = [await made(house, f"This is number {number}.") for number in range(7)]
            first, token = await house.casts.newest(limit=3)
            await accept(house, "This is number 1.")
            newcomer = await made(house, "Somebody came in between.")
            seen, pages = [each.cast_id for each in first], 1
            while token is not None:
                page, token = await house.casts.newest(limit=3, before=token)
                seen += [each.cast_id for each in page]
                pages += 1
            assert seen == casts[::-1]
            assert pages == 3
            assert (await house.casts.newest(limit=1))[0][0].cast_id == newcomer

    virtually(look())


def test_the_order_of_casts_outlives_a_restart() -> None:
    async def look() -> None:
        clock, storage = VirtualClock(), MemoryStorage()
        async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
            casts = [await made(house, f"This is number {number}.") for number in range(5)]
            await house.casts.delete(casts[1])
            casts.append(await made(house, "This is number 1."))
            assert casts[-1] == casts[1]
            before = [each.cast_id for each in (await house.casts.newest())[0]]
        async with open_house(MemoryLog(clock, storage=storage), clock=clock) as house:
            assert [each.cast_id for each in (await house.casts.newest())[0]] == before == [casts[i] for i in (5, 4, 3, 2, 0)]

    virtually(look())


def test_a_token_that_is_none_is_refused_by_name() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            for token in ("x", "-1", "", "9" * 40, "٣"):
                with pytest.raises(RefusedError) as refused:
                    await house.casts.newest(before=token)
                assert refused.value.field == "before"

    virtually(look())


def test_events_of_a_finished_cast_come_without_sound_and_end_behind_its_end() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            cast_id = await made(house, TEXT)
            found = await events(house, cast_id)
            assert [type(record).__name__ for record in found] == ["Meta", "Start", "Audio", "Audio", "Audio", "Eos"]
            assert all(record.body == b"" for record in found if isinstance(record, Audio))
            assert all(record.checksum for record in found if isinstance(record, Audio))
            tail = (await house.casts.get(cast_id)).tail
            assert await events(house, cast_id, tail) == []
            assert await events(house, cast_id, tail + 10) == []

    virtually(look())


def test_events_follow_a_cast_while_it_is_made_and_resume_at_a_cursor() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0)) as house:
            cast_id = await accept(house, TEXT)
            cursor = 0
            early: list[Record] = []
            async with contextlib.aclosing(house.casts.events(cast_id)) as following:
                async for sequenced in following:
                    cursor = sequenced.seq_num + 1
                    early.append(sequenced.record)
                    if isinstance(sequenced.record, Audio):
                        break
            rest = await events(house, cast_id, cursor)
            assert [*early, *rest] == await events(house, cast_id)
            assert isinstance(rest[-1], Eos)

    virtually(look())


def test_events_go_on_behind_a_failure_that_was_not_the_last_word() -> None:
    async def look() -> None:
        clock = VirtualClock()
        engine = DeadlyEngine(clock)
        async with open_house(clock=clock, engine=engine) as house:
            cast_id = await made(house, "A drop of poison. Nothing more.")
            failed = await house.casts.get(cast_id)
            assert failed.state is CastState.FAILED
            assert "died 2 times" in str(failed.reason)
            engine.word = ""
            await house.casts.requeue(cast_id)
            found = await events(house, cast_id)
            assert [type(record).__name__ for record in found].count("Fail") == 1
            assert isinstance(found[-1], Eos)

    virtually(look())


def test_a_dead_letter_is_listed_until_it_is_queued_again() -> None:
    async def look() -> None:
        clock = VirtualClock()
        engine = DeadlyEngine(clock)
        async with open_house(clock=clock, engine=engine) as house:
            cast_id = await made(house, "A drop of poison.")
            assert [letter.cast_id for letter in await house.casts.dead()] == [cast_id]
            engine.word = ""
            await house.casts.requeue(cast_id)
            assert await house.casts.dead() == []
            await settled(house, cast_id)
            assert (await house.casts.get(cast_id)).state is CastState.DONE
            with pytest.raises(CastNotFoundError):
                await house.casts.requeue(cast_id)

    virtually(look())


def test_one_sentence_can_be_had_by_its_number() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            cast_id, pieces = await say(house, TEXT)
            await settled(house, cast_id)
            sentence = (await house.casts.get(cast_id)).sentences[1]
            audio = await house.casts.audio(cast_id, sentence.seq_num)
            assert (audio.text, audio.body) == (pieces[1].text, pieces[1].pcm)
            with pytest.raises(CastNotFoundError):
                await house.casts.audio(cast_id, 0)
            with pytest.raises(CastNotFoundError):
                await house.casts.audio(cast_id, 999)

    virtually(look())


def test_a_listener_may_begin_at_a_later_sentence() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            cast_id, pieces = await say(house, TEXT)
            async with contextlib.aclosing(house.listening.listen(cast_id, first_index=1)) as listened:
                assert [piece.index async for piece in listened] == [1, 2]
            async with contextlib.aclosing(house.listening.listen(cast_id, first_index=len(pieces))) as listened:
                assert [piece async for piece in listened] == []

    virtually(look())


def test_cancelling_cuts_the_cast_and_its_listener_is_told() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0)) as house:
            client = ask(house, TEXT)
            while not client.pieces:
                await clock.sleep(0.1)
            assert client.cast_id is not None
            await house.casts.cancel(client.cast_id)
            with pytest.raises(CastCutError):
                await client.done()
            await settled(house, client.cast_id)
            found = await house.casts.get(client.cast_id)
            assert (found.state, found.reason) == (CastState.FAILED, "it was cancelled")
            assert found.receipt is not None
            assert found.receipt.outcome is Outcome.CANCELLED
            assert len((await say(house, TEXT))[1]) == 3

    virtually(look())


def test_a_cast_that_was_cancelled_before_it_began_says_so() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0), max_open_casts=1) as house:
            first = await accept(house, TEXT, priority=Priority.CRITICAL)
            second = await accept(house, "Nobody wants this.")
            await house.casts.cancel(second)
            await settled(house, second)
            found = await house.casts.get(second)
            assert (found.state, found.reason) == (CastState.FAILED, "it was cancelled")
            assert not isinstance((await events(house, second))[-1], Start)
            await settled(house, first)

    virtually(look())


def test_deleting_leaves_no_sound_and_no_text_and_a_later_request_makes_it_anew() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock) as house:
            cast_id, before = await say(house, TEXT)
            await house.casts.keep(cast_id)
            await settled(house, cast_id)
            await house.casts.delete(cast_id)
            found = await house.casts.get(cast_id)
            assert (found.state, found.text, found.sentences, found.receipt) == (CastState.EXPIRED, None, (), None)
            stored = [each.record for stream in (cast_stream(cast_id), catalog_stream(cast_id))
                      for each in await house.shop.log.read(stream, 0)]  # fmt: skip
            assert not [record for record in stored if isinstance(record, Audio | Catalogued)]
            assert (await house.casts.newest())[0] == []
            assert [type(record) for record in await events(house, cast_id)] == [Expired]
            with pytest.raises(CastExpiredError):
                await house.casts.keep(cast_id)
            with pytest.raises(CastExpiredError):
                await hear(house, cast_id)
            again, after = await say(house, TEXT)
            assert (again, [piece.pcm for piece in after]) == (cast_id, [piece.pcm for piece in before])
            await settled(house, cast_id)
            anew = await house.casts.get(cast_id)
            assert (anew.state, anew.text, anew.keep) == (CastState.DONE, TEXT, False)
            assert [each.cast_id for each in (await house.casts.newest())[0]] == [cast_id]

    virtually(look())


def test_deleting_a_cast_that_is_being_made_stops_it_first() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0)) as house:
            client = ask(house, TEXT)
            while not client.pieces:
                await clock.sleep(0.1)
            assert client.cast_id is not None
            await house.casts.delete(client.cast_id)
            assert (await house.casts.get(client.cast_id)).state is CastState.EXPIRED
            with pytest.raises((CastCutError, CastExpiredError)):
                await client.done()

    virtually(look())


def test_deleting_a_live_cast_takes_its_text_away() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock, engine=ToneEngine(clock, realtime_factor=1.0)) as house:
            incoming = house.intake.open(CastRequest(source="test"))
            incoming.feed("The first sentence is here. ")
            await clock.sleep(1)
            incoming.feed("The second one followed. ")
            incoming.end()
            cast_id = await incoming.cast_id()
            assert cast_id is not None
            assert len(await hear(house, cast_id)) == 2
            await incoming.abandon()
            await settled(house, cast_id)
            assert (await house.casts.get(cast_id)).text == "The first sentence is here. The second one followed."
            await house.casts.delete(cast_id)
            left = [each.record for each in await house.shop.log.read(f"in/{cast_id}", 0)]
            assert [type(record).__name__ for record in left] == ["Trim"]

    virtually(look())


def test_damaged_sound_is_not_given_out_but_made_again() -> None:
    async def look() -> None:
        clock = VirtualClock()
        log = MemoryLog(clock)
        async with open_house(log, clock=clock) as house:
            cast_id = await made(house, TEXT)
            sentences = (await house.casts.get(cast_id)).sentences
            flip_a_bit(log, cast_id, sentences[1].seq_num)
            damaged = await house.casts.get(cast_id)
            assert damaged.state is CastState.FAILED
            assert "sentence 1 is damaged" in str(damaged.reason)
            with pytest.raises(CastFailedError):
                await house.casts.audio(cast_id, sentences[1].seq_num)
            await house.casts.get(cast_id)
            await settled(house, cast_id)
            mended = await house.casts.get(cast_id)
            assert mended.state is CastState.DONE
            assert [sentence.text for sentence in mended.sentences] == [sentence.text for sentence in sentences]
            assert mended.sentences[0] == sentences[0]
            assert (await house.casts.audio(cast_id, mended.sentences[1].seq_num)).is_intact

    virtually(look())


def flip_a_bit(log: MemoryLog, cast_id: CastId, seq_num: int) -> None:
    """As a bad disk does."""
    records = log._storage.streams[cast_stream(cast_id)].records
    stored = records[seq_num]
    body = bytes([stored.encoded.body[0] ^ 1]) + stored.encoded.body[1:]
    records[seq_num] = stored._replace(encoded=stored.encoded._replace(body=body))


def test_a_kept_cast_says_so_and_can_be_let_go() -> None:
    async def look() -> None:
        async with open_house(clock=VirtualClock()) as house:
            cast_id = await made(house, TEXT)
            await house.casts.keep(cast_id)
            await house.casts.keep(cast_id)
            assert (await house.casts.get(cast_id)).keep
            assert await house.shop.log.check_tail(catalog_stream(cast_id)) == 2
            await house.casts.keep(cast_id, keep=False)
            assert not (await house.casts.get(cast_id)).keep

    virtually(look())


def test_an_asker_that_is_there_counts_but_a_watcher_does_not() -> None:
    async def look() -> None:
        clock = VirtualClock()
        async with open_house(clock=clock) as house, asking(house, TEXT) as cast_id:
            assert house.shop.feeds.listeners(cast_id) == 1
            async with contextlib.aclosing(house.casts.events(cast_id)) as following:
                await anext(following)
                assert house.shop.feeds.listeners(cast_id) == 1

    virtually(look())
