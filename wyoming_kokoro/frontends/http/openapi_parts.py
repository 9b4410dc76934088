"""What the operations of the OpenAPI description are put together from."""

from __future__ import annotations

from wyoming_kokoro.frontends.http.openapi_schemas import Schema, reference

JSON = "application/json"


def in_path(name: str, schema: Schema) -> Schema:
    """A part of the path."""
    return {"name": name, "in": "path", "required": True, "schema": schema}


def query(name: str, schema: Schema, about: str = "") -> Schema:
    """A parameter behind the question mark."""
    return {"name": name, "in": "query", "schema": schema, **({"description": about} if about else {})}


def header(name: str, schema: Schema) -> Schema:
    """A header of the request."""
    return {"name": name, "in": "header", "schema": schema}


def paging() -> list[Schema]:
    """Which page of a list."""
    return [
        query("limit", {"type": "integer", "minimum": 1, "maximum": 200}),
        query("before", {"type": "string", "pattern": "^[0-9]{1,18}$"}, "The `next` of the page before."),
    ]


def body(schema: str) -> Schema:
    """A body that has to be there."""
    return {"required": True, "content": {JSON: {"schema": reference(schema)}}}


def json_of(about: str, schema: str) -> Schema:
    """An answer."""
    return {"description": about, "content": {JSON: {"schema": reference(schema)}}}


def order(summary: str, parameters: list[Schema], statuses: tuple[int, ...]) -> Schema:
    """Something that is told, and answered by nothing but that it was taken."""
    return {"summary": summary, "parameters": parameters, "responses": {"204": {"description": "Done."}, **errors(*statuses)}}


def errors(*statuses: int) -> dict[str, Schema]:
    """What may go wrong."""
    return {str(status): json_of(_ABOUT[status], "Error") for status in statuses}


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
