"""What comes through a real broker is accepted or refused, and what happens is told."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.mqtt_client import mqtt_client
from tests.unit.mqtt.fake_rooms import FakeHouse
from tests.unit.mqtt.mqtt_house import BASE, needs_mosquitto, new_server, open_door
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogUnavailableError, QueueFullError, UnfitRecordsError
from wyoming_kokoro.model.room import RoomEventKind, SpeakerResult

pytestmark = needs_mosquitto


async def test_text_becomes_an_announcement_and_an_event_tells_so(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.say("kitchen", "Dinner is ready.")
        queued = (await door.client.first(f"{BASE}/room/kitchen/event")).json
        (asked,) = door.house.announcements.asked
        assert (asked.text, asked.rooms, asked.source) == ("Dinner is ready.", ("kitchen",), "mqtt")
        assert (queued["event"], queued["id"], queued["room"]) == ("queued", asked.announcement_id, "kitchen")
        assert (queued["stream"], queued["seq_num"]) == ("rooms/kitchen", 0)


async def test_a_broadcast_goes_to_the_rooms_that_it_names(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.client.publish(f"{BASE}/broadcast/say", {"text": "Hello.", "exclude": ["hall"], "priority": "high"})
        await door.client.publish(f"{BASE}/broadcast/say", "Hello all.")
        await door.client.until(lambda heard: len(door.house.announcements.asked) == 2 and len(heard) > 3)
        first, second = door.house.announcements.asked
        assert (first.rooms, first.exclude, first.priority.label) == ((), ("hall",), "high")
        assert (second.text, second.rooms) == ("Hello all.", ())


async def test_settings_and_commands_reach_their_room_in_order(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        for name, value in (("voice", "bm_lewis"), ("speed", "1.25"), ("volume", "0.4"), ("dnd", "ON"), ("volume", "None")):
            await door.client.publish(f"{BASE}/room/hall/set/{name}", value)
        for command in ("stop", "skip", "replay", "clear", "played p-1"):
            await door.client.publish(f"{BASE}/room/hall/cmd", command)
        await door.client.publish(f"{BASE}/room/hall/say", "The last word.")
        await door.client.first(f"{BASE}/room/hall/event")
        assert door.house.rooms.calls == [
            ("set", "hall", "voice=bm_lewis"), ("set", "hall", "speed=1.25"), ("set", "hall", "volume=0.4"),
            ("set", "hall", "dnd=True"), ("set", "hall", "volume=None"),
            ("stop", "hall"), ("skip", "hall"), ("replay", "hall"), ("clear", "hall"), ("played", "hall", "p-1"),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "payload", "where", "field"),
    [
        ("room/kitchen/say", "", "room/kitchen/event", "text"),
        ("room/kitchen/say", b"\xff\xfe", "room/kitchen/event", "payload"),
        ("room/kitchen/say", "{broken", "room/kitchen/event", "payload"),
        ("room/kitchen/say", {"text": "x", "speed": 9}, "room/kitchen/event", "speed"),
        ("room/kitchen/say", {"text": "x", "colour": "red"}, "room/kitchen/event", "colour"),
        ("room/kitchen/say", {"text": "x", "rooms": ["hall"]}, "room/kitchen/event", "rooms"),
        ("room/kitchen/say", "refuse me", "room/kitchen/event", "voice"),
        ("room/attic/say", "Anybody?", "event", "room"),
        ("room/attic/cmd", "stop", "event", "room"),
        ("broadcast/say", {"text": "x", "rooms": ["attic"]}, "event", "room"),
        ("broadcast/say", {"rooms": ["hall"]}, "event", "text"),
        ("room/hall/set/speed", "fast", "room/hall/event", "speed"),
        ("room/hall/set/volume", "1.5", "room/hall/event", "volume"),
        ("room/hall/set/dnd", "maybe", "room/hall/event", "dnd"),
        ("room/hall/set/colour", "red", "room/hall/event", "setting"),
        ("room/hall/cmd", "dance", "room/hall/event", "cmd"),
        ("room/hall/cmd", "played", "room/hall/event", "cmd"),
    ],
)
async def test_what_is_wrong_is_refused_by_an_event_that_names_the_field(
    tmp_path: Path, topic: str, payload: object, where: str, field: str
) -> None:
    async with open_door(tmp_path) as door:
        await door.client.publish(f"{BASE}/{topic}", payload)
        refused = (await door.client.first(f"{BASE}/{where}")).json
        assert (refused["event"], refused["field"]) == ("failed", field)
        assert refused["reason"]
        assert datetime.fromisoformat(refused["at"]).tzinfo is not None
        assert refused["topic"] == f"{BASE}/{topic}"


async def test_a_refusal_carries_the_askers_own_id(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        door.house.announcements.errors.append(QueueFullError(50))
        await door.say("kitchen", {"text": "Too much.", "id": "mine-1"})
        refused = (await door.client.first(f"{BASE}/room/kitchen/event")).json
        assert (refused["id"], refused["code"]) == ("mine-1", "queue_full")


async def test_what_can_never_be_written_is_refused(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        door.house.announcements.errors.append(UnfitRecordsError("it is too large"))
        await door.say("kitchen", "Far too long.")
        assert (await door.client.first(f"{BASE}/room/kitchen/event")).json["reason"] == "it is too large"


async def test_a_fault_of_ours_holds_nobody_up(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with open_door(tmp_path) as door:
        door.house.announcements.errors.append(ZeroDivisionError())
        await door.say("kitchen", "The first.")
        await door.say("kitchen", "The second.")
        await door.client.first(f"{BASE}/room/kitchen/event", lambda heard: heard.json["event"] == "queued")
        assert [asked.text for asked in door.house.announcements.asked] == ["The second."]
        assert "ZeroDivisionError" in caplog.text


async def test_where_the_journal_is_away_the_message_is_tried_again_under_the_same_id(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        errors = [LogUnavailableError("away"), AppendOutcomeUnknownError("who knows")]
        door.house.announcements.errors.extend(errors)
        await door.say("kitchen", "Dinner is ready.")
        await door.client.first(f"{BASE}/room/kitchen/event")
        assert door.house.announcements.entered == 3
        assert len(door.house.announcements.asked) == 1
        assert door.refusals() == []


async def test_no_text_of_an_announcement_reaches_a_log_at_info_or_a_retained_topic(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_door(tmp_path) as door:
        with caplog.at_level("INFO"):
            for payload in ("Our secret.", {"text": "Our secret.", "speed": 9}, '{"Our secret."'):
                await door.say("kitchen", payload)
            await door.client.until(lambda _: len(door.refusals()) == 2)
        assert "secret" not in caplog.text
        assert not [heard for heard in door.client.heard if heard.is_retained and b"secret" in heard.payload]


async def test_a_retained_command_is_passed_over(tmp_path: Path) -> None:
    house = FakeHouse()
    async with open_door(tmp_path, house) as door:
        await door.client.publish("wyoming_kokoro/other/room/kitchen/say", "Old.", retain=True)
        await door.client.publish("wyoming_kokoro/other/room/kitchen/cmd", "stop", retain=True)
        server = new_server(house, door.broker.url, instance="other")
        await server.start()
        async with mqtt_client(door.broker.port, "wyoming_kokoro/other/#") as client:
            await client.first("wyoming_kokoro/other/status", lambda heard: heard.payload == b"online")
            await client.publish("wyoming_kokoro/other/room/kitchen/say", "New.")
            await client.first("wyoming_kokoro/other/room/kitchen/event")
        await server.stop(1)
        assert [asked.text for asked in house.announcements.asked] == ["New."]
        assert house.rooms.calls == []


async def test_what_is_left_of_a_messages_own_time_is_its_expiry(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.say("kitchen", "Soon.", MessageExpiryInterval=30)
        await door.say("kitchen", {"text": "Later.", "expires_in": 99}, MessageExpiryInterval=30)
        await door.client.until(lambda _: len(door.house.announcements.asked) == 2)
        assert [asked.expires_in_seconds for asked in door.house.announcements.asked] == [30.0, 99.0]


async def test_events_carry_what_applies_and_sentences_come_at_most_twice_a_second(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        rooms, now_ms = door.house.rooms, door.house.shop.clock.now_ms()
        rooms.happens("hall", RoomEventKind.STARTED, "one", play_id="p-1", duration_seconds=2.5, urls=(("mp3", "http://h/a"),))
        for number in range(10):
            rooms.happens(
                "hall", RoomEventKind.SENTENCE, "one", index=number, position_seconds=number / 10, at_ms=now_ms + 100 * number
            )
        rooms.happens("hall", RoomEventKind.FINISHED, "one", speakers=(SpeakerResult(speaker="s", reason="well"),))
        await door.client.first(f"{BASE}/room/hall/event", lambda heard: heard.json["event"] == "finished")
        started, *sentences, finished = [heard.json for heard in door.client.on(f"{BASE}/room/hall/event")]
        assert (started["play_id"], started["duration_seconds"], started["urls"]) == ("p-1", 2.5, {"mp3": "http://h/a"})
        assert [sentence["index"] for sentence in sentences] == [0, 5]
        assert finished["speakers"][0]["reason"] == "well"
        assert not any(heard.is_retained for heard in door.client.on(f"{BASE}/room/hall/event"))


async def test_info_state_and_status_are_retained(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.client.publish(f"{BASE}/room/hall/set/volume", "0.4")
        await door.client.first(f"{BASE}/room/hall/state", lambda heard: heard.json["settings"]["volume"] == 0.4)
        async with mqtt_client(door.broker.port, f"{BASE}/#") as later:
            await later.until(lambda heard: len(heard) == 4)
            found = {heard.topic.removeprefix(f"{BASE}/"): heard for heard in later.heard}
        assert all(heard.is_retained for heard in found.values())
        assert found["status"].payload == b"online"
        assert found["info"].json["rooms"] == ["kitchen", "hall"]
        assert [voice["name"] for voice in found["info"].json["voices"]] == ["af_heart", "bm_lewis"]
        assert found["room/hall/state"].json["settings"] == {"voice": "af_heart", "speed": 1.0, "volume": 0.4, "dnd": False}
        assert found["room/kitchen/state"].json["queue"] == ["one", "two"]


async def test_a_room_that_is_gone_is_removed_from_home_assistant_and_the_broker(tmp_path: Path) -> None:
    async with open_door(tmp_path, FakeHouse(("kitchen", "attic"))) as door:
        await door.server.stop(1)
        async with mqtt_client(door.broker.port, "homeassistant/#", f"{BASE}/room/+/state") as client:
            await client.first("homeassistant/device/wyoming_kokoro_home_attic/config")
            server = new_server(FakeHouse(("kitchen",)), door.broker.url)
            await server.start()
            await client.first("homeassistant/device/wyoming_kokoro_home_attic/config", lambda heard: not heard.payload)
            await client.first(f"{BASE}/room/attic/state", lambda heard: not heard.payload)
            await server.stop(1)
        async with mqtt_client(door.broker.port, "homeassistant/#", f"{BASE}/room/+/state") as later:
            await later.until(lambda heard: len(heard) == 3)
            assert not [heard for heard in later.heard if "attic" in heard.topic]


async def test_without_discovery_home_assistant_forgets_us(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.server.stop(1)
        async with mqtt_client(door.broker.port, "homeassistant/#") as client:
            await client.until(lambda heard: len(heard) == 3)
            server = new_server(FakeHouse(), door.broker.url, has_discovery=False)
            await server.start()
            await client.until(lambda heard: len([each for each in heard if not each.payload]) == 3)
            await server.stop(1)


async def test_on_home_assistants_birth_everything_is_sent_again(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.client.subscribe("homeassistant/#")
        await door.client.until(
            lambda heard: len([each for each in heard if each.is_retained and "/device/" in each.topic]) == 3
        )
        door.client.heard.clear()
        await door.client.publish("homeassistant/status", "online")
        wanted = {"homeassistant/device/wyoming_kokoro_home_hall/config", f"{BASE}/room/hall/state", f"{BASE}/status"}
        await door.client.until(lambda heard: wanted <= {each.topic for each in heard})


async def test_questions_are_answered_where_the_asker_wants_it(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.client.subscribe("wyoming_kokoro/answers/#")
        await door.client.publish(
            f"{BASE}/request/cancel", {"id": "one"}, ResponseTopic="wyoming_kokoro/answers/me", CorrelationData=b"42"
        )
        answer = await door.client.first("wyoming_kokoro/answers/me")
        assert (answer.json, answer.correlation) == ({"id": "one", "cancelled": True}, b"42")
        await door.client.publish(f"{BASE}/request/cancel", "two")
        assert (await door.client.first(f"{BASE}/response/cancel")).json["id"] == "two"
        await door.client.publish(f"{BASE}/request/dance", "", CorrelationData=b"43")
        refused = await door.client.first(f"{BASE}/response/dance")
        assert (refused.json["error"]["param"], refused.correlation) == ("operation", b"43")


@pytest.mark.parametrize(
    "topic", ["elsewhere", "wyoming_kokoro", f"{BASE}/room/hall/say", f"{BASE}/request/list", "wyoming_kokoro/other/status"]
)
async def test_no_answer_goes_where_it_would_be_taken_for_something_else(tmp_path: Path, topic: str) -> None:
    async with open_door(tmp_path) as door:
        await door.client.publish(f"{BASE}/request/cancel", {"id": "one"}, ResponseTopic=topic)
        refused = (await door.client.first(f"{BASE}/response/cancel")).json
        assert refused["error"]["param"] == "ResponseTopic"
        assert json.dumps(refused) not in [heard.payload.decode() for heard in door.client.on(topic)]
        assert door.house.announcements.cancelled == []


async def test_the_broker_is_not_needed_to_start_and_is_found_when_it_comes(tmp_path: Path) -> None:
    async with open_door(tmp_path) as door:
        await door.broker.stop()
        house = FakeHouse()
        server = new_server(house, door.broker.url, instance="other")
        await server.start()
        await asyncio.sleep(0)
        await door.broker.start()
        async with mqtt_client(door.broker.port, "wyoming_kokoro/other/#") as client:
            await client.first("wyoming_kokoro/other/status", lambda heard: heard.payload == b"online")
        await server.stop(1)
