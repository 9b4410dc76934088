"""The OpenAPI description of this door. A test holds it to the routes that there are, and the routes to it."""

from __future__ import annotations

from functools import cache

from wyoming_kokoro import __version__
from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.openapi_lexicon import lexicon_paths, lexicon_schemas
from wyoming_kokoro.frontends.http.openapi_parts import JSON, body, errors, header, in_path, json_of, order, paging, query
from wyoming_kokoro.frontends.http.openapi_rooms import room_paths, room_schemas
from wyoming_kokoro.frontends.http.openapi_schemas import CAST_ID, SEQ_NUM, Schema, reference, schemas
from wyoming_kokoro.model.presentation import HIGHEST, LOWEST

_OPEN: Schema = {"security": []}
_ID = in_path("id", CAST_ID)


@cache
def description() -> Schema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "wyoming-kokoro",
            "version": __version__,
            "description": "Text in, a link out: heard while it is being made, and again at once.",
        },
        "security": [{"token": []}],
        "paths": {**_cast_paths(), **_order_paths(), **_sound_paths(), **room_paths(), **lexicon_paths(), **_state_paths()},
        "components": {
            "schemas": {**schemas(), **room_schemas(), **lexicon_schemas()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _cast_paths() -> dict[str, Schema]:
    refusals = (400, 401, 403, 413, 415, 422, 429, 503, 507)
    return {
        "/api/casts": {
            "post": {
                "summary": "Ask for a text to be spoken",
                "parameters": [header("Idempotency-Key", {"type": "string", "pattern": "^[!-~]{1,200}$"})],
                "requestBody": body("CastRequest"),
                "responses": {
                    "201": json_of("It is new.", "Submitted"),
                    "200": json_of("It was asked for before.", "Submitted"),
                    **errors(*refusals),
                },
            },
            "get": {
                "summary": "Casts, the newest first",
                "parameters": paging(),
                "responses": {"200": json_of("A page.", "CastPage"), **errors(400, 401, 403, 503)},
            },
        },
        "/api/casts/{id}": {
            "get": {
                "summary": "All that is known of a cast, with links for the presentation that is asked for",
                "parameters": [_ID, *_presentation()],
                "responses": {"200": json_of("The cast.", "Cast"), **errors(400, 401, 403, 404, 503)},
            },
            "delete": {
                "summary": "Take it back, and let go of its sound and its text",
                "parameters": [_ID],
                "responses": {"204": {"description": "Done."}, **errors(401, 403, 404, 503, 507)},
            },
        },
    }


def _order_paths() -> dict[str, Schema]:
    statuses = (401, 403, 404, 503, 507)
    return {
        "/api/casts/dead": {
            "get": {
                "summary": "Casts that were given up and not queued again since, the oldest first",
                "responses": {"200": json_of("All of them.", "DeadCasts"), **errors(401, 403, 503)},
            },
        },
        "/api/casts/{id}/cancel": {
            "post": order("Take back all that was asked of it so far; it is cut if it is being made", [_ID], statuses)
        },
        "/api/casts/{id}/keep": {
            "put": order("Never let it expire", [_ID], (*statuses, 410)),
            "delete": order("Let it expire like the others again", [_ID], (*statuses, 410)),
        },
        "/api/casts/{id}/requeue": {"post": order("Ask again for a cast that was given up", [_ID], statuses)},
    }


def _sound_paths() -> dict[str, Schema]:
    seq, name = in_path("seq", SEQ_NUM), in_path("format", {"enum": list(FORMATS)})
    key = in_path("key", {"type": "string", "pattern": "^[0-9a-f]{32}$"})
    parameters = [_ID, key, name, *_presentation(), header("Range", {"type": "string"})]
    whole = {"description": "All of it, or all there will be.", "content": _audio()}
    part = {"description": "A part of it.", "content": _audio()}
    unchanged, beyond = {"description": "It has not changed."}, {"description": "There is no such part."}
    answers = {"200": whole, "206": part, "304": unchanged, "416": beyond, **errors(400, 403, 404, 409, 410, 503, 507)}
    return {
        "/api/casts/{id}/events": {
            "get": {
                "summary": "Its records as they become durable, without sound",
                "parameters": [_ID, header("Last-Event-ID", SEQ_NUM)],
                "responses": {
                    "200": {"description": "Events.", "content": {"text/event-stream": {"schema": reference("Event")}}},
                    "204": {"description": "Nothing more will come."},
                    **errors(400, 401, 403, 404, 503),
                },
            }
        },
        "/api/casts/{id}/records/{seq}": {
            "get": {
                "summary": "The sound of one sentence",
                "parameters": [_ID, seq],
                "responses": {
                    "200": {"description": "FLAC.", "content": {"audio/flac": _BINARY}},
                    **errors(400, 401, 403, 404, 409, 410, 503),
                },
            }
        },
        "/audio/{id}.{key}.{format}": {
            "get": {"summary": "The sound, for whoever has the link", "parameters": parameters, "responses": answers, **_OPEN},
            "head": {"summary": "The same without the sound", "parameters": parameters, "responses": answers, **_OPEN},
        },
    }


def _state_paths() -> dict[str, Schema]:
    page: Schema = {"text/plain": {"schema": {"type": "string"}}}
    document = {"description": "This description.", "content": {JSON: {"schema": {"type": "object"}}}}
    healthy = {"200": {"description": "OK", "content": page}}
    ready = {"200": json_of("It can speak.", "Ready"), **errors(503)}
    return {
        "/api/openapi.json": {
            "get": {"summary": "This description", "responses": {"200": document, **errors(401, 403)}},
        },
        "/health": _get_and_head("Whether the process answers", healthy),
        "/ready": _get_and_head("Whether it can speak: the engine has synthesised a sentence", ready),
        "/metrics": {
            "get": {
                "summary": "Figures for Prometheus",
                "responses": {"200": {"description": "Text, 0.0.4.", "content": page}, **errors(401)},
            }
        },
    }


_BINARY: Schema = {"schema": {"type": "string", "format": "binary"}}


def _get_and_head(summary: str, responses: dict[str, Schema]) -> Schema:
    return {
        "get": {"summary": summary, "responses": responses, **_OPEN},
        "head": {"summary": summary, "responses": responses, **_OPEN},
    }


def _audio() -> Schema:
    return {served.media_type: _BINARY for served in FORMATS.values()}


def _presentation() -> list[Schema]:
    numbers = {name: {"type": "integer", "minimum": LOWEST[name], "maximum": HIGHEST[name]} for name in HIGHEST}
    return [
        query("from", numbers["from"], "Sentence to begin with."),
        query("chime", {"enum": ["", *CHIMES]}, "What is heard before the speech."),
        query("lead_ms", numbers["lead_ms"], "Silence before everything, in milliseconds."),
        query("repeat", numbers["repeat"], "How often the speech is heard."),
    ]
