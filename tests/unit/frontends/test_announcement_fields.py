"""A JSON object becomes an announcement, or a refusal that names the field."""

from __future__ import annotations

import pytest

from wyoming_kokoro.frontends.announcement import FIELDS, read_announcement
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import NothingToSpeakError, RefusedError
from wyoming_kokoro.model.recipe import Profile, TextFormat


def read(**fields: object) -> AnnouncementRequest:
    return read_announcement({"text": "Dinner is ready.", **fields}, "test")


def test_the_text_alone_is_an_announcement() -> None:
    assert read() == AnnouncementRequest(text="Dinner is ready.", source="test")


def test_every_field_is_read() -> None:
    asked = read(
        id="dinner-1", voice="bf_emma", speed=1.2, language="en-GB", profile="latency", text_format="ssml", priority="critical",
        expires_in=90, sent_at="2026-05-01T07:30:00+02:00", topic="dinner", chime="bell", lead_ms=300, repeat=2, volume=0.4,
        rooms=["kitchen", "hall"], exclude=["hall"],
    )  # fmt: skip
    assert asked == AnnouncementRequest(
        text="Dinner is ready.", source="test", rooms=("kitchen", "hall"), exclude=("hall",), announcement_id="dinner-1",
        voice="bf_emma", speed=1.2, language="en-GB", profile=Profile.LATENCY, text_format=TextFormat.SSML,
        priority=Priority.CRITICAL, expires_in_seconds=90.0, sent_at_ms=1_777_613_400_000, topic="dinner", chime="bell",
        lead_ms=300, repeat=2, volume=0.4,
    )  # fmt: skip


def test_null_is_as_good_as_not_named() -> None:
    assert read(**dict.fromkeys(name for name in FIELDS if name != "text")) == read()


def test_an_empty_chime_is_none_and_a_missing_one_is_the_rooms_own() -> None:
    assert (read(chime="").chime, read().chime) == ("", None)


@pytest.mark.parametrize(
    "sent_at", [1_777_613_400, 1_777_613_400.0, "2026-05-01T05:30:00Z", "2026-05-01T05:30:00.000+00:00", "2026-05-01T05:30:00"]
)
def test_a_moment_is_a_date_or_seconds(sent_at: object) -> None:
    assert read(sent_at=sent_at).sent_at_ms == 1_777_613_400_000


@pytest.mark.parametrize(
    ("fields", "field", "hint"),
    [
        ({"id": ""}, "id", "1 to 200"),
        ({"id": "two words"}, "id", "without spaces"),
        ({"id": 7}, "id", "string"),
        ({"speed": 3}, "speed", "0.5 to 2"),
        ({"expires_in": -1}, "expires_in", "0 to"),
        ({"expires_in": "soon"}, "expires_in", "number"),
        ({"expires_in": float("inf")}, "expires_in", "number"),
        ({"sent_at": "yesterday"}, "sent_at", "date"),
        ({"sent_at": -1}, "sent_at", "date"),
        ({"sent_at": 10**400}, "sent_at", "date"),
        ({"sent_at": True}, "sent_at", "date"),
        ({"chime": "gong"}, "chime", "bell"),
        ({"lead_ms": 0.5}, "lead_ms", "whole number"),
        ({"repeat": 0}, "repeat", "1 to 10"),
        ({"volume": 1.5}, "volume", "0 to 1"),
        ({"volume": True}, "volume", "0 to 1"),
        ({"rooms": "kitchen"}, "rooms", "list"),
        ({"rooms": ["kitchen", ""]}, "rooms", "empty"),
        ({"rooms": ["kitchen", 7]}, "rooms", "string"),
        ({"exclude": {}}, "exclude", "list"),
        ({"priority": "urgent"}, "priority", "critical"),
        ({"room": "kitchen"}, "room", "did you mean rooms"),
        ({"keep": True}, "keep", "no such field"),
    ],
)
def test_a_wrong_field_is_refused_by_name(fields: dict[str, object], field: str, hint: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read(**fields)
    assert refused.value.field == field
    assert hint in refused.value.message


def test_nothing_to_speak_is_refused() -> None:
    with pytest.raises(NothingToSpeakError):
        read(text=" \n")
