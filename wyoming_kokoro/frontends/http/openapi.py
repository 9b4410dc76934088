"""The OpenAPI description of this door. A test holds it to the routes that there are, and the routes to it."""

from __future__ import annotations

from functools import cache

from wyoming_kokoro import __version__
from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.openapi_schemas import CAST_ID, SEQ_NUM, Schema, reference, schemas
from wyoming_kokoro.model.presentation import HIGHEST, LOWEST

_JSON = "application/json"
_OPEN: Schema = {"security": []}
_ID: Schema = {"name": "id", "in": "path", "required": True, "schema": CAST_ID}


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
        "paths": {**_cast_paths(), **_order_paths(), **_sound_paths(), **_state_paths()},
        "components": {
            "schemas": schemas(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _cast_paths() -> dict[str, Schema]:
    body = {"required": True, "content": {_JSON: {"schema": reference("CastRequest")}}}
    refusals = (400, 401, 403, 413, 415, 422, 429, 503, 507)
    paging = [
        _query("limit", {"type": "integer", "minimum": 1, "maximum": 200}),
        _query("before", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "The `next` of the page before."),
    ]
    return {
        "/api/casts": {
            "post": {
                "summary": "Ask for a text to be spoken",
                "parameters": [_header("Idempotency-Key", {"type": "string", "pattern": "^[!-~]{1,200}$"})],
                "requestBody": body,
                "responses": {
                    "201": _json("It is new.", "Submitted"),
                    "200": _json("It was asked for before.", "Submitted"),
                    **_errors(*refusals),
                },
            },
            "get": {
                "summary": "Casts, the newest first",
                "parameters": paging,
                "responses": {"200": _json("A page.", "CastPage"), **_errors(400, 401, 403, 503)},
            },
        },
        "/api/casts/{id}": {
            "get": {
                "summary": "All that is known of a cast, with links for the presentation that is asked for",
                "parameters": [_ID, *_presentation()],
                "responses": {"200": _json("The cast.", "Cast"), **_errors(400, 401, 403, 404, 503)},
            },
            "delete": {
                "summary": "Take it back, and let go of its sound and its text",
                "parameters": [_ID],
                "responses": {"204": {"description": "Done."}, **_errors(401, 403, 404, 503, 507)},
            },
        },
    }


def _order_paths() -> dict[str, Schema]:
    errors = (401, 403, 404, 503, 507)
    return {
        "/api/casts/dead": {
            "get": {
                "summary": "Casts that were given up and not queued again since, the oldest first",
                "responses": {"200": _json("All of them.", "DeadCasts"), **_errors(401, 403, 503)},
            },
        },
        "/api/casts/{id}/cancel": {
            "post": _order("Take back all that was asked of it so far; it is cut if it is being made", errors)
        },
        "/api/casts/{id}/keep": {
            "put": _order("Never let it expire", (*errors, 410)),
            "delete": _order("Let it expire like the others again", (*errors, 410)),
        },
        "/api/casts/{id}/requeue": {"post": _order("Ask again for a cast that was given up", errors)},
    }


def _sound_paths() -> dict[str, Schema]:
    seq: Schema = {"name": "seq", "in": "path", "required": True, "schema": SEQ_NUM}
    key: Schema = {"name": "key", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^[0-9a-f]{32}$"}}
    name: Schema = {"name": "format", "in": "path", "required": True, "schema": {"enum": list(FORMATS)}}
    parameters = [_ID, key, name, *_presentation(), _header("Range", {"type": "string"})]
    whole = {"description": "All of it, or all there will be.", "content": _audio()}
    part = {"description": "A part of it.", "content": _audio()}
    unchanged, beyond = {"description": "It has not changed."}, {"description": "There is no such part."}
    answers = {"200": whole, "206": part, "304": unchanged, "416": beyond, **_errors(400, 403, 404, 409, 410, 503, 507)}
    return {
        "/api/casts/{id}/events": {
            "get": {
                "summary": "Its records as they become durable, without sound",
                "parameters": [_ID, _header("Last-Event-ID", SEQ_NUM)],
                "responses": {
                    "200": {"description": "Events.", "content": {"text/event-stream": {"schema": reference("Event")}}},
                    "204": {"description": "Nothing more will come."},
                    **_errors(400, 401, 403, 404, 503),
                },
            }
        },
        "/api/casts/{id}/records/{seq}": {
            "get": {
                "summary": "The sound of one sentence",
                "parameters": [_ID, seq],
                "responses": {
                    "200": {"description": "FLAC.", "content": {"audio/flac": _BINARY}},
                    **_errors(400, 401, 403, 404, 409, 410, 503),
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
    document = {"description": "This description.", "content": {_JSON: {"schema": {"type": "object"}}}}
    healthy = {"200": {"description": "OK", "content": page}}
    ready = {"200": _json("It can speak.", "Ready"), **_errors(503)}
    return {
        "/api/openapi.json": {
            "get": {"summary": "This description", "responses": {"200": document, **_errors(401, 403)}},
        },
        "/health": _get_and_head("Whether the process answers", healthy),
        "/ready": _get_and_head("Whether it can speak: the engine has synthesised a sentence", ready),
        "/metrics": {
            "get": {
                "summary": "Figures for Prometheus",
                "responses": {"200": {"description": "Text, 0.0.4.", "content": page}, **_errors(401)},
            }
        },
    }


def _order(summary: str, errors: tuple[int, ...]) -> Schema:
    return {"summary": summary, "parameters": [_ID], "responses": {"204": {"description": "Done."}, **_errors(*errors)}}


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
        _query("from", numbers["from"], "Sentence to begin with."),
        _query("chime", {"enum": ["", *CHIMES]}, "What is heard before the speech."),
        _query("lead_ms", numbers["lead_ms"], "Silence before everything, in milliseconds."),
        _query("repeat", numbers["repeat"], "How often the speech is heard."),
    ]


def _query(name: str, schema: Schema, about: str = "") -> Schema:
    return {"name": name, "in": "query", "schema": schema, **({"description": about} if about else {})}


def _header(name: str, schema: Schema) -> Schema:
    return {"name": name, "in": "header", "schema": schema}


def _json(about: str, schema: str) -> Schema:
    return {"description": about, "content": {_JSON: {"schema": reference(schema)}}}


def _errors(*statuses: int) -> dict[str, Schema]:
    return {str(status): _json(_ABOUT[status], "Error") for status in statuses}


_ABOUT = {
    400: "The request is wrong: `param` names the field.",
    401: "The token is missing or wrong.",
    403: "The server is not known by that `Host`, the key of the link is wrong, or another's web page asks.",
    404: "There is no such cast, or it was not given up.",
    409: "The cast has failed, or was cut.",
    410: "The cast has expired.",
    413: "The body is too large.",
    415: "It is not `application/json`.",
    422: "The `Idempotency-Key` was used for another body.",
    429: "Too much is waiting.",
    503: "Journal or engine are away; `Retry-After` says when to come again.",
    507: "The disk is full.",
}
