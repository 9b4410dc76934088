"""Announcements and rooms through the HTTP door."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from tests.http_house import PATIENCE_SECONDS, Event, HttpHouse, open_http_house, read_events
from tests.pretend_speaker import PretendSpeaker
from tests.room_house import household_of, room
from wyoming_kokoro.model.announcement import PlayOutcome

Speakers = dict[str, list[PretendSpeaker]]


@contextlib.asynccontextmanager
async def house_of(speakers: Speakers, options: Any = None) -> AsyncIterator[HttpHouse]:
    async with open_http_house(household=household_of(speakers, options)) as house:
        yield house


async def announce(house: HttpHouse, text: str, **fields: Any) -> str:
    status, document = await house.answer("POST", "/api/announcements", json={"text": text, **fields})
    assert status == 201, document
    return str(document["id"])


@contextlib.asynccontextmanager
async def watching(house: HttpHouse, name: str, **headers: str) -> AsyncIterator[AsyncIterator[Event]]:
    """Events of a room; there once the answer has begun."""
    async with asyncio.timeout(PATIENCE_SECONDS), house.ask("GET", f"/api/rooms/{name}/events", headers=headers) as response:
        assert response.status == 200
        yield read_events(response)


async def until(events: AsyncIterator[Event], name: str) -> list[Event]:
    found = []
    async for event in events:
        found.append(event)
        if event.name == name:
            return found
    raise AssertionError(f"no event {name}")


async def test_an_announcement_is_heard_and_its_receipt_can_be_read() -> None:
    speakers = room("kitchen", "office")
    async with house_of(speakers) as house, watching(house, "kitchen") as events:
        tea = await announce(house, "Tea.", rooms=["kitchen"], id="tea-1")
        seen = await until(events, "finished")
        assert [event.name for event in seen] == ["queued", "started", "sentence", "finished"]
        started = json.loads(seen[1].data)
        assert (started["id"], started["room"], started["stream"]) == (tea, "kitchen", "rooms/kitchen")
        assert started["urls"]["mp3"].startswith("http://house:10210/audio/")
        status, document = await house.answer("GET", f"/api/announcements/{tea}")
        assert (status, document["text"], document["is_over"]) == (200, "Tea.", True)
        assert document["rooms"]["kitchen"]["event"] == "finished"
        assert document["rooms"]["kitchen"]["speakers"][0]["outcome"] == "confirmed"


async def test_a_known_id_or_key_is_the_first_one_again_and_another_text_under_it_is_refused() -> None:
    async with house_of(room("kitchen")) as house:
        key = {"Idempotency-Key": "door-1"}
        first, body = await house.answer("POST", "/api/announcements", json={"text": "Open."}, headers=key)
        again, same = await house.answer("POST", "/api/announcements", json={"text": "Open."}, headers=key)
        assert (first, again, body["id"], same["id"]) == (201, 200, "door-1", "door-1")
        other, refusal = await house.answer("POST", "/api/announcements", json={"text": "Closed.", "id": "door-1"})
        assert (other, refusal["error"]["param"]) == (422, "id")


async def test_a_wrong_field_is_named() -> None:
    async with house_of(room("kitchen")) as house:
        for fields, param in (
            ({"rooms": ["kitchem"]}, "rooms"),
            ({"exclude": ["kitchen"]}, "rooms"),
            ({"volume": 3}, "volume"),
            ({"colour": "red"}, "colour"),
        ):
            status, refusal = await house.answer("POST", "/api/announcements", json={"text": "Tea.", **fields})
            assert (status, refusal["error"]["param"]) == (400, param), refusal
        status, refusal = await house.answer("GET", "/api/rooms/kitchem")
        assert (status, refusal["error"]["code"]) == (404, "unknown_room")
        assert "kitchen" in refusal["error"]["message"]
        assert (await house.answer("GET", "/api/announcements/nothing"))[0] == 404


async def test_a_room_is_stopped_and_says_so() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].hangs = True
    async with house_of(speakers) as house, watching(house, "kitchen") as events:
        heard = await announce(house, "Heard.")
        await until(events, "started")
        waiting = await announce(house, "Waiting.")
        await until(events, "queued")
        status, document = await house.answer("GET", "/api/rooms/kitchen")
        assert (status, document["state"], document["queue"]) == (200, "playing", [waiting])
        assert document["now_playing"]["id"] == heard
        async with house.ask("POST", "/api/rooms/kitchen/stop") as response:
            assert response.status == 204
        ended = [json.loads(event.data)["id"] for event in (await until(events, "cancelled"), await until(events, "cancelled"))
                 for event in event if event.name == "cancelled"]  # fmt: skip
        assert sorted(ended) == sorted([heard, waiting])
        status, document = await house.answer("GET", "/api/rooms")
        assert [each["state"] for each in document["rooms"]] == ["idle"]


async def test_settings_are_set_and_shown_and_null_brings_the_options_back() -> None:
    async with house_of(room("kitchen"), {"kitchen": {"volume": 0.5}}) as house:
        status, document = await house.answer("PATCH", "/api/rooms/kitchen", json={"volume": 0.2, "dnd": True})
        assert (status, document["settings"]["volume"], document["held_by"]) == (200, 0.2, "do not disturb")
        status, document = await house.answer("PATCH", "/api/rooms/kitchen", json={"volume": None, "dnd": False})
        assert (document["settings"]["volume"], document["held_by"]) == (0.5, None)
        for wrong in ({"volume": 2}, {"dnd": "yes"}, {"voice": "nobody"}, {"loudness": 1}):
            status, refusal = await house.answer("PATCH", "/api/rooms/kitchen", json=wrong)
            assert (status, refusal["error"]["param"]) == (400, next(iter(wrong)))


async def test_a_stream_of_events_goes_on_behind_the_last_one_that_was_seen() -> None:
    async with house_of(room("kitchen")) as house:
        async with watching(house, "kitchen") as events:
            await announce(house, "Tea.")
            seen = await until(events, "finished")
        async with watching(house, "kitchen", **{"Last-Event-ID": str(seen[0].seq_num)}) as events:
            assert [event.seq_num for event in await until(events, "finished")] == [event.seq_num for event in seen[1:]]


async def test_what_was_missed_is_listed_and_played_again() -> None:
    speakers = room("kitchen")
    async with house_of(speakers) as house, watching(house, "kitchen") as events:
        tail = (await house.answer("GET", "/api/rooms/kitchen"))[1]["tail"]
        tea = await announce(house, "Tea.")
        await until(events, "finished")
        missed = (await house.answer("GET", f"/api/rooms/kitchen?since={tail}"))[1]["history"]
        assert [each["id"] for each in missed] == [tea]
        async with house.ask("POST", f"/api/rooms/kitchen/replay?since={tail}") as response:
            assert response.status == 204
        again = json.loads((await until(events, "finished"))[-1].data)["id"]
        assert (await house.answer("GET", f"/api/announcements/{again}"))[1]["replay_of"] == tea
    assert len(speakers["kitchen"][0].air.hearings) == 2


async def test_fetching_to_the_last_byte_is_evidence_that_it_was_heard() -> None:
    speakers = room("kitchen")
    async with house_of(speakers) as house, watching(house, "kitchen") as events:
        await announce(house, "Tea.")
        await until(events, "finished")
        play = speakers["kitchen"][0].air.hearings[0].play
        assert not play.is_fetched()
        # The room signs its links by another secret than this door: the door's own link with the play's name has to do.
        link = (await house.answer("GET", f"/api/casts/{play.cast_id}"))[1]["audio"]["mp3"]
        await house.fetch(f"{link}?play={play.play_id}", headers={"Range": "bytes=0-99"})
        assert not play.is_fetched()
        response, body = await house.fetch(f"{link}?play={play.play_id}")
        assert (response.status, len(body)) == (200, response.content_length)
        assert play.is_fetched()


async def test_a_busy_speaker_is_no_error_of_the_asker() -> None:
    speakers = room("kitchen")
    speakers["kitchen"][0].outcomes = [PlayOutcome.BUSY]
    async with house_of(speakers) as house, watching(house, "kitchen") as events:
        await announce(house, "Tea.")
        assert "warning" in [event.name for event in await until(events, "finished")]
