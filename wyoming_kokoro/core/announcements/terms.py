"""What a request for an announcement means here: in which rooms, until when, in whose voice. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence

from wyoming_kokoro.core.rooms.preferences import Preferences
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.errors import RefusedError, RoomNotFoundError
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.room import Announcement

_USUAL_SECONDS = 600.0
_CRITICAL_SECONDS = 120.0
"""So long an announcement is worth hearing, unless it says otherwise."""


def rooms_of(request: AnnouncementRequest, rooms: Sequence[str]) -> tuple[str, ...]:
    """Where it is to be heard, in the order of the settings. Raises `RoomNotFoundError`, and `RefusedError` where none is
    left."""
    for field, names in (("rooms", request.rooms), ("exclude", request.exclude)):
        for name in names:
            if name not in rooms:
                raise RoomNotFoundError(name, tuple(rooms), field=field)
    named = request.rooms or rooms
    meant = tuple(room for room in rooms if room in named and room not in request.exclude)
    if not meant:
        raise RefusedError("rooms", "there is no room left in which it could be heard")
    return meant


def cast_request(request: AnnouncementRequest, rooms: Sequence[str], preferences: Mapping[str, Preferences]) -> CastRequest:
    """What is to be spoken. One cast serves all rooms: where their voices, or paces, differ, the server's own counts."""
    voices = {preferences[room].voice for room in rooms}
    speeds = {preferences[room].speed for room in rooms}
    return CastRequest(
        text=request.text,
        source=request.source,
        voice=request.voice or (voices.pop() if len(voices) == 1 else None),
        speed=(speeds.pop() if len(speeds) == 1 else None) if request.speed is None else request.speed,
        language=request.language,
        profile=request.profile,
        text_format=request.text_format,
        priority=request.priority,
        room=rooms[0],
    )


def announcement_of(
    request: AnnouncementRequest, announcement_id: str, recipe: Recipe, rooms: tuple[str, ...], now_ms: int
) -> Announcement:
    """The record of it."""
    seconds = request.expires_in_seconds
    if seconds is None:
        seconds = _CRITICAL_SECONDS if request.priority is Priority.CRITICAL else _USUAL_SECONDS
    sent_ms = now_ms if request.sent_at_ms is None else min(request.sent_at_ms, now_ms)
    return Announcement(
        announcement_id=announcement_id,
        recipe=recipe,
        rooms=rooms,
        priority=request.priority,
        source=request.source,
        expires_ms=sent_ms + round(1000 * seconds),
        asked=asked(request),
        digest=request.digest,
        topic=request.topic,
        chime=request.chime,
        lead_ms=request.lead_ms,
        repeat=request.repeat,
        volume=request.volume,
    )


def asked(request: AnnouncementRequest) -> str:
    """Equal for equal requests, whoever sent them and when."""
    body = [
        request.text, request.rooms, request.exclude, request.voice, request.speed, request.language, request.profile,
        request.text_format, request.priority.label, request.expires_in_seconds, request.topic, request.chime,
        request.lead_ms, request.repeat, request.volume,
    ]  # fmt: skip
    text = json.dumps(body, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
