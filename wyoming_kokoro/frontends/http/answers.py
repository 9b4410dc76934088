"""How answers look: JSON, and failures in OpenAI's shape."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from wyoming_kokoro.frontends.http.failure import Failure

REQUEST_ID = "x-request-id"


def sign_headers(headers: MutableMapping[str, str], request_id: str) -> None:
    """What all answers carry."""
    headers[REQUEST_ID] = request_id
    headers["Server"] = "wyoming-kokoro"
    headers["X-Content-Type-Options"] = "nosniff"


def new_request_id() -> str:
    """An id that nobody else has."""
    return secrets.token_hex(8)


def json_answer(document: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """That document. Half characters become question marks."""
    body = (json.dumps(document, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    return web.Response(
        status=status, body=body, content_type="application/json", headers={"Cache-Control": "no-store", **(headers or {})}
    )


def failure_answer(failure: Failure, headers: Mapping[str, str] | None = None) -> web.Response:
    """That failure."""
    named = dict(headers or {})
    if failure.retry_seconds is not None:
        named["Retry-After"] = str(failure.retry_seconds)
    if failure.status == 401:
        named["WWW-Authenticate"] = "Bearer"
    return json_answer(failure.document, status=failure.status, headers=named)
