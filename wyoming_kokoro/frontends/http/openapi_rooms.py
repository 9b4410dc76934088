"""The routes of announcements and rooms in the OpenAPI description, and the shapes of their bodies."""

from __future__ import annotations

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.core.rooms.view import RoomState
from wyoming_kokoro.frontends.announcement import FIELDS
from wyoming_kokoro.frontends.http.openapi_parts import body, errors, header, in_path, json_of, order, paging, query
from wyoming_kokoro.frontends.http.openapi_schemas import (
    CAST_ID,
    MILLISECONDS,
    SEQ_NUM,
    TEXT,
    Schema,
    object_of,
    one_of,
    reference,
    request_of,
    speech_fields,
)
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.presentation import HIGHEST, LOWEST
from wyoming_kokoro.model.recipe import Profile
from wyoming_kokoro.model.room import RoomEventKind

_ID = in_path("id", {"type": "string", "pattern": "^[!-~]{1,200}$"})
_ROOM = in_path("room", {"type": "string"})
_SINCE = query("since", SEQ_NUM, "Event of the room from which on it counts.")
_OPTIONAL_TEXT: Schema = {"type": ["string", "null"]}
_OPTIONAL_NUMBER: Schema = {"type": ["number", "null"]}
_NAMES: Schema = {"type": "array", "items": TEXT}


def room_paths() -> dict[str, Schema]:
    """By path and method."""
    return {**_announcement_paths(), **_room_paths(), **_command_paths()}


def room_schemas() -> dict[str, Schema]:
    """By name."""
    return {
        "AnnouncementRequest": _announcement_request(),
        "Announced": object_of({"id": TEXT, "cast": CAST_ID, "rooms": _NAMES}),
        "Announcement": _announcement(),
        "AnnouncementPage": object_of(
            {"announcements": {"type": "array", "items": reference("Announcement")}, "next": _OPTIONAL_TEXT}
        ),
        "Room": object_of(_room()),
        "Rooms": object_of({"rooms": {"type": "array", "items": reference("Room")}}),
        "RoomWithHistory": object_of({**_room(), "history": {"type": "array", "items": reference("Announcement")}}),
        "RoomSettings": {"type": "object", "additionalProperties": False, "properties": _settings()},
        "RoomEvent": _event(),
    }


def _announcement_paths() -> dict[str, Schema]:
    key = header("Idempotency-Key", {"type": "string", "pattern": "^[!-~]{1,200}$"})
    accepted = {"201": json_of("It is durable.", "Announced"), "200": json_of("It was accepted before.", "Announced")}
    return {
        "/api/announcements": {
            "post": {
                "summary": "Announce a text in rooms; the key is its id where the body names none",
                "parameters": [key],
                "requestBody": body("AnnouncementRequest"),
                "responses": {**accepted, **errors(400, 401, 403, 413, 415, 422, 429, 503, 507)},
            },
            "get": {
                "summary": "Announcements with their receipts, the newest first",
                "parameters": paging(),
                "responses": {"200": json_of("A page.", "AnnouncementPage"), **errors(400, 401, 403, 503)},
            },
        },
        "/api/announcements/{id}": {
            "get": {
                "summary": "One announcement, with what became of it in each room",
                "parameters": [_ID],
                "responses": {"200": json_of("The announcement.", "Announcement"), **errors(401, 403, 404, 503)},
            },
            "delete": order("Take it back wherever it has not ended", [_ID], (401, 403, 404, 503, 507)),
        },
    }


def _room_paths() -> dict[str, Schema]:
    limit = query("limit", {"type": "integer", "minimum": 1, "maximum": 200})
    events: Schema = {"description": "Events.", "content": {"text/event-stream": {"schema": reference("RoomEvent")}}}
    return {
        "/api/rooms": {
            "get": {
                "summary": "All rooms as they are now",
                "responses": {"200": json_of("The rooms.", "Rooms"), **errors(401, 403)},
            },
        },
        "/api/rooms/{room}": {
            "get": {
                "summary": "A room with what has ended there; with `since`, what was missed by who was away",
                "parameters": [_ROOM, _SINCE, limit],
                "responses": {"200": json_of("The room.", "RoomWithHistory"), **errors(400, 401, 403, 404, 503)},
            },
            "patch": {
                "summary": "Set what is named, from now on; null is what the options say",
                "parameters": [_ROOM],
                "requestBody": body("RoomSettings"),
                "responses": {"200": json_of("The room.", "Room"), **errors(400, 401, 403, 404, 413, 415, 503, 507)},
            },
        },
        "/api/rooms/{room}/events": {
            "get": {
                "summary": "What happens in a room, as it becomes durable; without a place, from now on",
                "parameters": [_ROOM, _SINCE, header("Last-Event-ID", SEQ_NUM)],
                "responses": {"200": events, "204": {"description": "The server stops."}, **errors(400, 401, 403, 404, 503)},
            },
        },
    }


def _command_paths() -> dict[str, Schema]:
    statuses = (401, 403, 404, 503, 507)
    told = {
        "stop": "Be silent at once, and drop all that waits",
        "skip": "End what is heard, and go on with the next",
        "clear": "Drop all that waits",
    }
    paths = {f"/api/rooms/{{room}}/{name}": {"post": order(about, [_ROOM], statuses)} for name, about in told.items()}
    replay = "Play again what was heard last; with `since`, all that has ended since, heard or missed"
    return {**paths, "/api/rooms/{room}/replay": {"post": order(replay, [_ROOM, _SINCE], (400, *statuses))}}


def _announcement_request() -> Schema:
    names: Schema = {"type": ["array", "null"], "items": TEXT}
    fields: dict[str, Schema] = {
        **speech_fields(Profile.QUALITY),
        "id": {"type": ["string", "null"], "pattern": "^[!-~]{1,200}$", "description": "A second one under it is the first."},
        "expires_in": {**_OPTIONAL_NUMBER, "minimum": 0, "description": "Seconds; 600, or 120 for what is critical."},
        "sent_at": {"type": ["string", "number", "null"], "description": "When it was sent: ISO 8601, or seconds since 1970."},
        "topic": {**_OPTIONAL_TEXT, "description": "A newer one of the same topic supersedes what was not heard yet."},
        "chime": {"enum": [None, "", *CHIMES], "description": "What is heard before; null is the room's own."},
        "lead_ms": {"type": ["integer", "null"], "minimum": LOWEST["lead_ms"], "maximum": HIGHEST["lead_ms"]},
        "repeat": {"type": ["integer", "null"], "minimum": LOWEST["repeat"], "maximum": HIGHEST["repeat"]},
        "volume": {**_OPTIONAL_NUMBER, "minimum": 0, "maximum": 1, "description": "While it is heard."},
        "rooms": {**names, "description": "Where; null is everywhere."},
        "exclude": {**names, "description": "Where not."},
    }
    return request_of({name: fields[name] for name in FIELDS})


def _announcement() -> Schema:
    return object_of(
        {
            "id": TEXT,
            "cast": CAST_ID,
            "text": TEXT,
            "voice": TEXT,
            "language": TEXT,
            "priority": {"enum": [each.label for each in Priority]},
            "source": TEXT,
            "topic": _OPTIONAL_TEXT,
            "replay_of": {**_OPTIONAL_TEXT, "description": "The one that is heard again with it."},
            "accepted_ms": MILLISECONDS,
            "expires_ms": {"type": "integer"},
            "is_over": {"type": "boolean", "description": "Whether it has ended in every room."},
            "rooms": {"type": "object", "additionalProperties": _receipt()},
        }
    )


def _receipt() -> Schema:
    return object_of(
        {
            "event": {**one_of(RoomEventKind, or_null=True), "description": "The last one; null before the room has met it."},
            "is_final": {"type": "boolean"},
            "at_ms": {"type": ["integer", "null"]},
            "seq_num": {"type": ["integer", "null"]},
            "reason": _OPTIONAL_TEXT,
            "field": {**_OPTIONAL_TEXT, "description": "What of the request the reason is about."},
            "position_seconds": {**_OPTIONAL_NUMBER, "description": "How far it was heard."},
            "speakers": {"type": "array", "items": _result()},
        }
    )


def _result() -> Schema:
    return object_of(
        {
            "speaker": TEXT,
            "outcome": {**one_of(PlayOutcome, or_null=True), "description": "null while it plays."},
            "reason": _OPTIONAL_TEXT,
            "position_seconds": _OPTIONAL_NUMBER,
        }
    )


def _settings() -> dict[str, Schema]:
    return {
        "voice": {**_OPTIONAL_TEXT, "description": "null is the server's."},
        "speed": {**_OPTIONAL_NUMBER, "minimum": 0.5, "maximum": 2},
        "volume": {**_OPTIONAL_NUMBER, "minimum": 0, "maximum": 1, "description": "null leaves the speakers as they are."},
        "dnd": {"type": ["boolean", "null"], "description": "Do not disturb."},
    }


def _room() -> dict[str, Schema]:
    playing = object_of({"id": TEXT, "cast": CAST_ID, "play_id": TEXT, "position_seconds": {"type": "number", "minimum": 0}})
    return {
        "room": TEXT,
        "state": one_of(RoomState),
        "held_by": {**_OPTIONAL_TEXT, "description": "What keeps announcements back."},
        "queue_length": {"type": "integer", "minimum": 0},
        "queue": {**_NAMES, "description": "Ids, first those that are to be heard first."},
        "now_playing": {"oneOf": [playing, {"type": "null"}]},
        "speakers": _NAMES,
        "settings": object_of(_settings()),
        "tail": {**SEQ_NUM, "description": "Number of the room's next event: a place for `since`."},
    }


def _event() -> Schema:
    return object_of(
        {
            "id": {"type": "string", "pattern": "^[0-9]+$", "description": "Number of the event in the room."},
            "event": one_of(RoomEventKind),
            "data": {"type": "string", "description": "What happened, as JSON."},
        }
    )
