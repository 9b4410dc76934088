"""The shapes of bodies in the OpenAPI description."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.model.cast import CastState, JobKind, Outcome, Priority
from wyoming_kokoro.model.recipe import Profile, TextFormat

Schema = dict[str, Any]  # Any: JSON

CAST_ID: Schema = {"type": "string", "pattern": "^[a-z2-7]{16}$"}
SEQ_NUM: Schema = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}
MILLISECONDS: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}


def reference(name: str) -> Schema:
    """Where a schema of that name is used."""
    return {"$ref": f"#/components/schemas/{name}"}


def schemas() -> dict[str, Schema]:
    """All of them, by name."""
    return {
        "CastRequest": _cast_request(),
        "Submitted": object_of({"id": CAST_ID, "state": one_of(CastState), **_links()}),
        "CastSummary": object_of(_cast()),
        "Cast": object_of({**_cast(), "sentences": {"type": "array", "items": _sentence()}}),
        "CastPage": object_of(
            {"casts": {"type": "array", "items": reference("CastSummary")}, "next": {"type": ["string", "null"]}}
        ),
        "DeadCasts": object_of({"casts": {"type": "array", "items": _dead_cast()}}),
        "Event": _event(),
        "Ready": object_of({"ready": {"const": True}}),
        "Error": object_of(
            {"error": object_of({"message": TEXT, "type": TEXT, "param": {"type": ["string", "null"]}, "code": TEXT})}
        ),
    }


def speech_fields(usual: Profile) -> dict[str, Schema]:
    """What is to be said, and how."""
    return {
        "text": {"type": "string", "minLength": 1, "description": "What to say."},
        "voice": {"type": ["string", "null"], "maxLength": 200, "description": "A voice, an alias or a blend."},
        "speed": {"type": ["number", "null"], "minimum": 0.5, "maximum": 2, "description": "1 is the voice's own pace."},
        "language": {"type": ["string", "null"], "maxLength": 200, "description": "BCP-47 tag, such as en-US."},
        "profile": {**one_of(Profile, or_null=True), "default": usual.value},
        "text_format": {**one_of(TextFormat, or_null=True), "default": TextFormat.PLAIN.value},
        "priority": {"enum": [*(each.label for each in Priority), None], "default": Priority.NORMAL.label},
    }


def request_of(fields: dict[str, Schema]) -> Schema:
    """A body that asks for speech: a text alone is enough."""
    return {"type": "object", "required": ["text"], "additionalProperties": False, "properties": fields}


def _cast_request() -> Schema:
    keep: Schema = {"type": ["boolean", "null"], "default": False, "description": "Never let it expire."}
    return request_of({**speech_fields(Profile.BALANCED), "keep": keep})


def _event() -> Schema:
    """One server-sent event, as its fields."""
    return object_of(
        {
            "id": {"type": "string", "pattern": "^[0-9]+$", "description": "Number of the record."},
            "event": {"enum": ["meta", "start", "audio", "alive", "eos", "fail", "expired"]},
            "data": {"type": "string", "description": "Headers of the record, as JSON."},
        }
    )


def _cast() -> dict[str, Schema]:
    return {
        "id": CAST_ID,
        "state": one_of(CastState),
        "kind": one_of(JobKind),
        "voice": TEXT,
        "language": TEXT,
        "created_ms": {**MILLISECONDS, "description": "Unix time."},
        "text": {"type": ["string", "null"]},
        "keep": {"type": "boolean"},
        "reason": {"type": ["string", "null"], "description": "Why it failed."},
        "receipt": {"oneOf": [_receipt(), {"type": "null"}]},
        **_links(),
    }


def _dead_cast() -> Schema:
    return object_of(
        {
            "id": CAST_ID,
            "kind": one_of(JobKind),
            "voice": TEXT,
            "reason": {**TEXT, "description": "Why it was given up."},
            "jobs": {"type": "array", "items": SEQ_NUM, "description": "Numbers of the requests that this settled."},
        }
    )


def _links() -> dict[str, Schema]:
    link: Schema = {"type": "string", "format": "uri"}
    return {"audio": object_of(dict.fromkeys(FORMATS, link)), "events": link}


def _sentence() -> Schema:
    return object_of(
        {
            "index": {"type": "integer", "minimum": 0},
            "text": TEXT,
            "start_ms": MILLISECONDS,
            "duration_ms": MILLISECONDS,
            "seq_num": SEQ_NUM,
        }
    )


def _receipt() -> Schema:
    count: Schema = {"type": "integer", "minimum": 0}
    return object_of(
        {
            "outcome": one_of(Outcome),
            "sentences": count,
            "reused": {**count, "description": "Sentences that were copied, not synthesised."},
            "audio_ms": MILLISECONDS,
            "gen_ms": MILLISECONDS,
            "realtime_factor": {"type": "number", "minimum": 0},
            "voice": TEXT,
            "worker": TEXT,
        }
    )


def one_of(words: type[StrEnum], *, or_null: bool = False) -> Schema:
    """One of its values."""
    values: list[str | None] = [each.value for each in words]
    return {"enum": [*values, None] if or_null else values}


def object_of(properties: dict[str, Schema]) -> Schema:
    """An object in which all of them stand."""
    return {"type": "object", "required": list(properties), "properties": properties}
