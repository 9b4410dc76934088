"""Bytes of the records of `announcements` and `rooms/*`: all in the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.journal.codec.envelope import Encoded, canonical_json, seal
from wyoming_kokoro.journal.codec.fields import BodyFields, HeaderFields
from wyoming_kokoro.journal.codec.recipes import recipe_document, recipe_from
from wyoming_kokoro.journal.codec.work import cast_id_from
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.room import (
    Announcement,
    CommandKind,
    RoomCommand,
    RoomEvent,
    RoomEventKind,
    RoomPlace,
    RoomSetting,
    SettingName,
    SpeakerResult,
    Withdrawal,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def encode_announcement(announcement: Announcement) -> Encoded:
    """The cast id follows from the recipe."""
    document: dict[str, object] = {
        "asked": announcement.asked,
        "chime": announcement.chime,
        "digest": announcement.digest,
        "expires_ms": announcement.expires_ms,
        "id": announcement.announcement_id,
        "lead_ms": announcement.lead_ms,
        "priority": announcement.priority.label,
        "recipe": recipe_document(announcement.recipe),
        "repeat": announcement.repeat,
        "replay_of": announcement.replay_of,
        "rooms": list(announcement.rooms),
        "source": announcement.source,
        "topic": announcement.topic,
        "volume": announcement.volume,
    }
    return seal("announcement", canonical_json(document))


def decode_announcement(_: HeaderFields, body: bytes) -> Announcement:
    """The reverse of `encode_announcement`."""
    fields = BodyFields.parse(body)
    return Announcement(
        announcement_id=fields.text("id"),
        recipe=recipe_from(fields.section("recipe")),
        rooms=fields.texts("rooms"),
        priority=Priority.from_label(fields.text("priority")),
        source=fields.text("source"),
        expires_ms=fields.number("expires_ms"),
        asked=fields.text("asked"),
        digest=fields.text("digest"),
        topic=fields.optional_text("topic"),
        chime=fields.optional_text("chime"),
        lead_ms=fields.optional_number("lead_ms"),
        repeat=fields.number("repeat"),
        volume=fields.optional_real("volume"),
        replay_of=fields.optional_text("replay_of"),
    )


def encode_withdrawal(withdrawal: Withdrawal) -> Encoded:
    """Nothing but the id."""
    return seal("withdrawal", canonical_json({"id": withdrawal.announcement_id}))


def decode_withdrawal(_: HeaderFields, body: bytes) -> Withdrawal:
    """The reverse of `encode_withdrawal`."""
    return Withdrawal(announcement_id=BodyFields.parse(body).text("id"))


def encode_room_event(event: RoomEvent) -> Encoded:
    """What is empty is left out."""
    document: dict[str, object] = {
        "cast": event.cast_id,
        "duration_seconds": event.duration_seconds,
        "event": event.event.value,
        "field": event.field or None,
        "id": event.announcement_id,
        "index": event.index,
        "order": event.order,
        "play_id": event.play_id or None,
        "position_seconds": event.position_seconds,
        "reason": event.reason or None,
        "speakers": _results_document(event.speakers) or None,
        "urls": [{"format": name, "url": url} for name, url in event.urls] or None,
    }
    return seal("room", canonical_json(document))


def decode_room_event(_: HeaderFields, body: bytes) -> RoomEvent:
    """The reverse of `encode_room_event`."""
    fields = BodyFields.parse(body)
    return RoomEvent(
        event=RoomEventKind(fields.text("event")),
        announcement_id=fields.text("id"),
        order=fields.number("order"),
        cast_id=cast_id_from(fields),
        index=fields.optional_number("index"),
        position_seconds=fields.optional_real("position_seconds"),
        duration_seconds=fields.optional_real("duration_seconds"),
        reason=fields.optional_text("reason") or "",
        field=fields.optional_text("field") or "",
        play_id=fields.optional_text("play_id") or "",
        urls=tuple((each.text("format"), each.text("url")) for each in fields.optional_sections("urls")),
        speakers=tuple(_result_from(each) for each in fields.optional_sections("speakers")),
    )


def encode_room_place(place: RoomPlace) -> Encoded:
    """Three places."""
    document: dict[str, object] = {
        "announcements": place.announcements,
        "control": place.control,
        "events": place.events,
    }
    return seal("place", canonical_json(document))


def decode_room_place(_: HeaderFields, body: bytes) -> RoomPlace:
    """The reverse of `encode_room_place`."""
    fields = BodyFields.parse(body)
    return RoomPlace(
        announcements=fields.number("announcements"), events=fields.number("events"), control=fields.number("control")
    )


def encode_room_command(command: RoomCommand) -> Encoded:
    """What is empty is left out."""
    document: dict[str, object] = {
        "below": command.below,
        "id": command.announcement_id,
        "kind": command.kind.value,
        "play_id": command.play_id or None,
        "since": command.since,
    }
    return seal("command", canonical_json(document))


def decode_room_command(_: HeaderFields, body: bytes) -> RoomCommand:
    """The reverse of `encode_room_command`."""
    fields = BodyFields.parse(body)
    return RoomCommand(
        kind=CommandKind(fields.text("kind")),
        below=fields.number("below"),
        announcement_id=fields.optional_text("id"),
        since=fields.optional_number("since"),
        play_id=fields.optional_text("play_id") or "",
    )


def encode_room_setting(setting: RoomSetting) -> Encoded:
    """Without a value it is the usual again."""
    return seal("setting", canonical_json({"name": setting.name.value, "value": setting.value}))


def decode_room_setting(_: HeaderFields, body: bytes) -> RoomSetting:
    """The reverse of `encode_room_setting`."""
    fields = BodyFields.parse(body)
    return RoomSetting(name=SettingName(fields.text("name")), value=fields.optional_scalar("value"))


def _results_document(results: Iterable[SpeakerResult]) -> list[dict[str, object]]:
    return [
        {
            "outcome": None if result.outcome is None else result.outcome.value,
            "position_seconds": result.position_seconds,
            "reason": result.reason,
            "speaker": result.speaker,
        }
        for result in results
    ]


def _result_from(fields: BodyFields) -> SpeakerResult:
    outcome = fields.optional_text("outcome")
    return SpeakerResult(
        speaker=fields.text("speaker"),
        outcome=None if outcome is None else PlayOutcome(outcome),
        reason=fields.text("reason"),
        position_seconds=fields.optional_real("position_seconds"),
    )
