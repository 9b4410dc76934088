"""What requests carry beside their path: bodies, keys, numbers; a wrong one is refused by name."""

from __future__ import annotations

import asyncio
import re

from aiohttp import web

from wyoming_kokoro.frontends.http.failure import AnsweredError, Failure, failure_of_status
from wyoming_kokoro.model.errors import RefusedError

_USUAL_PAGE = 50
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,200}")
_HIGHEST_SEQ_NUM_DIGITS = 18


def seq_num_of(field: str, text: str) -> int:
    """The number of a record. Raises `RefusedError`."""
    if not (text.isascii() and text.isdigit() and len(text) <= _HIGHEST_SEQ_NUM_DIGITS):
        raise RefusedError(field, "the number of a record is expected")
    return int(text)


async def json_body(request: web.Request, seconds: float) -> bytes:
    """The body, which must say that it is JSON and come in time. Raises `AnsweredError`."""
    if request.content_type != "application/json" or request.headers.get("Content-Encoding", "identity") != "identity":
        failure = failure_of_status(415, "the header Content-Type: application/json is expected, and no Content-Encoding")
        raise AnsweredError(failure._replace(field="Content-Type"))
    try:
        async with asyncio.timeout(seconds):
            return await request.read()
    except TimeoutError:
        raise AnsweredError(failure_of_status(408, f"a body has to be complete within {seconds:g} s")) from None
    except web.RequestPayloadError:
        raise AnsweredError(failure_of_status(400, "the body ended too early")) from None


def idempotency_key(header: str | None) -> str | None:
    """What the header `Idempotency-Key` says. Raises `AnsweredError`."""
    if header is not None and not _IDEMPOTENCY_KEY.fullmatch(header):
        text = "1 to 200 letters, digits and signs are expected"
        raise AnsweredError(Failure(400, "invalid_request_error", "invalid_value", text, "Idempotency-Key"))
    return header


def page_limit(text: str | None, highest: int) -> int:
    """How much is shown on one page. Raises `RefusedError`."""
    if text is None:
        return _USUAL_PAGE
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= highest):
        raise RefusedError("limit", f"a whole number from 1 to {highest} is expected")
    return int(text)


def last_event_start(request: web.Request) -> int | None:
    """Behind the last event that the client has seen; None where it has seen none. Raises `RefusedError`."""
    last_event_id = request.headers.get("Last-Event-ID")
    return None if last_event_id is None else seq_num_of("Last-Event-ID", last_event_id.strip()) + 1
