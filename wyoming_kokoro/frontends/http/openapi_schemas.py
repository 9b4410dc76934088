"""The shapes of bodies in the OpenAPI description."""

from __future__ import annotations

from typing import Any

from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.model.cast import CastState, JobKind, Outcome, Priority
from wyoming_kokoro.model.recipe import Profile, TextFormat

Schema = dict[str, Any]  # Any: JSON

CAST_ID: Schema = {"type": "string", "pattern": "^[a-z2-7]{16}$"}
SEQ_NUM: Schema = {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}
_MILLISECONDS: Schema = {"type": "integer", "minimum": 0}
_TEXT: Schema = {"type": "string"}


def reference(name: str) -> Schema:
    """Where a schema of that name is used."""
    return {"$ref": f"#/components/schemas/{name}"}


def schemas() -> dict[str, Schema]:
    """All of them, by name."""
    return {
        "CastRequest": _cast_request(),
        "Submitted": _object({"id": CAST_ID, "state": _one_of(CastState), **_links()}),
        "CastSummary": _object(_cast()),
        "Cast": _object({**_cast(), "sentences": {"type": "array", "items": _sentence()}}),
        "CastPage": _object(
            {"casts": {"type": "array", "items": reference("CastSummary")}, "next": {"type": ["string", "null"]}}
        ),
        "DeadCasts": _object({"casts": {"type": "array", "items": _dead_cast()}}),
        "Event": _event(),
        "Ready": _object({"ready": {"const": True}}),
        "Error": _object(
            {"error": _object({"message": _TEXT, "type": _TEXT, "param": {"type": ["string", "null"]}, "code": _TEXT})}
        ),
    }


def _cast_request() -> Schema:
    return {
        "type": "object",
        "required": ["text"],
        "additionalProperties": False,
        "properties": {
            "text": {"type": "string", "minLength": 1, "description": "What to say."},
            "voice": {"type": ["string", "null"], "maxLength": 200, "description": "A voice, an alias or a blend."},
            "speed": {"type": ["number", "null"], "minimum": 0.5, "maximum": 2, "description": "1 is the voice's own pace."},
            "language": {"type": ["string", "null"], "maxLength": 200, "description": "BCP-47 tag, such as en-US."},
            "profile": {**_one_of(Profile, or_null=True), "default": Profile.BALANCED.value},
            "text_format": {**_one_of(TextFormat, or_null=True), "default": TextFormat.PLAIN.value},
            "priority": {"enum": [*(each.label for each in Priority), None], "default": Priority.NORMAL.label},
            "keep": {"type": ["boolean", "null"], "default": False, "description": "Never let it expire."},
        },
    }


def _event() -> Schema:
    """One server-sent event, as its fields."""
    return _object(
        {
            "id": {"type": "string", "pattern": "^[0-9]+$", "description": "Number of the record."},
            "event": {"enum": ["meta", "start", "audio", "alive", "eos", "fail", "expired"]},
            "data": {"type": "string", "description": "Headers of the record, as JSON."},
        }
    )


def _cast() -> dict[str, Schema]:
    return {
        "id": CAST_ID,
        "state": _one_of(CastState),
        "kind": _one_of(JobKind),
        "voice": _TEXT,
        "language": _TEXT,
        "created_ms": {**_MILLISECONDS, "description": "Unix time."},
        "text": {"type": ["string", "null"]},
        "keep": {"type": "boolean"},
        "reason": {"type": ["string", "null"], "description": "Why it failed."},
        "receipt": {"oneOf": [_receipt(), {"type": "null"}]},
        **_links(),
    }


def _dead_cast() -> Schema:
    return _object(
        {
            "id": CAST_ID,
            "kind": _one_of(JobKind),
            "voice": _TEXT,
            "reason": {**_TEXT, "description": "Why it was given up."},
            "jobs": {"type": "array", "items": SEQ_NUM, "description": "Numbers of the requests that this settled."},
        }
    )


def _links() -> dict[str, Schema]:
    link: Schema = {"type": "string", "format": "uri"}
    return {"audio": _object(dict.fromkeys(FORMATS, link)), "events": link}


def _sentence() -> Schema:
    return _object(
        {
            "index": {"type": "integer", "minimum": 0},
            "text": _TEXT,
            "start_ms": _MILLISECONDS,
            "duration_ms": _MILLISECONDS,
            "seq_num": SEQ_NUM,
        }
    )


def _receipt() -> Schema:
    count: Schema = {"type": "integer", "minimum": 0}
    return _object(
        {
            "outcome": _one_of(Outcome),
            "sentences": count,
            "reused": {**count, "description": "Sentences that were copied, not synthesised."},
            "audio_ms": _MILLISECONDS,
            "gen_ms": _MILLISECONDS,
            "realtime_factor": {"type": "number", "minimum": 0},
            "voice": _TEXT,
            "worker": _TEXT,
        }
    )


def _one_of(words: type[CastState | JobKind | Outcome | Profile | TextFormat], *, or_null: bool = False) -> Schema:
    values: list[str | None] = [each.value for each in words]
    return {"enum": [*values, None] if or_null else values}


def _object(properties: dict[str, Schema]) -> Schema:
    return {"type": "object", "required": list(properties), "properties": properties}
