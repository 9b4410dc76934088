"""`/api/casts`: ask for speech, look, watch, delete."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.audio_link import read_presentation
from wyoming_kokoro.frontends.http.failure import AnsweredError, Failure, failure_of_status
from wyoming_kokoro.frontends.http.request import read_request
from wyoming_kokoro.frontends.http.sheltered import sheltered
from wyoming_kokoro.frontends.http.stored_sound import served_body
from wyoming_kokoro.frontends.json_fields import parse_object
from wyoming_kokoro.model.cast import CastState
from wyoming_kokoro.model.errors import CastNotFoundError, RefusedError
from wyoming_kokoro.model.ids import CastId, parse_cast_id
from wyoming_kokoro.model.presentation import Presentation

if TYPE_CHECKING:
    from wyoming_kokoro.core.cast_view import CastView
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.frontends.http.links import Links
    from wyoming_kokoro.model.records import Receipt

_USUAL_PAGE = 50
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,200}")
_HIGHEST_SEQ_NUM_DIGITS = 18


class CastRoutes:
    """Each handler is one call of the core."""

    def __init__(self, house: House, links: Links, limits: Limits) -> None:
        self._house = house
        self._links = links
        self._limits = limits

    async def submit(self, request: web.Request) -> web.Response:
        """`POST /api/casts`"""
        body = await _json_body(request, self._limits.body_seconds)
        asked = read_request(parse_object(body), f"http:{request.remote}")
        key = _idempotency_key(request.headers.get("Idempotency-Key"))
        # Who hangs up now has asked all the same.
        accepted = await sheltered(self._house.intake.accept(asked, idempotency_key=key))
        cast_id = accepted.cast_id
        state = CastState.DONE if accepted.is_hit else (await self._house.casts.get(cast_id)).state
        document = {"id": cast_id, "state": state, **self._links.of(request, cast_id, Presentation())}
        return json_answer(document, status=201 if accepted.is_new else 200, headers={"Location": f"/api/casts/{cast_id}"})

    async def newest(self, request: web.Request) -> web.Response:
        """`GET /api/casts`"""
        limit = _limit(request.query.get("limit"), self._limits.page_casts)
        views, token = await self._house.casts.newest(limit=limit, before=request.query.get("before"))
        return json_answer({"casts": [self._document(request, view) for view in views], "next": token})

    async def get(self, request: web.Request) -> web.Response:
        """`GET /api/casts/{id}`: the links are made for the presentation that the query asks for."""
        presentation = read_presentation(request.query, CHIMES)
        view = await self._house.casts.get(cast_id_of(request))
        return json_answer({**self._document(request, view, presentation), "sentences": _sentences(view)})

    async def delete(self, request: web.Request) -> web.Response:
        """`DELETE /api/casts/{id}`"""
        cast_id = cast_id_of(request)
        await sheltered(self._house.casts.delete(cast_id))
        return web.Response(status=204)

    async def record(self, request: web.Request) -> web.Response:
        """`GET /api/casts/{id}/records/{seq}`"""
        audio = await self._house.casts.audio(cast_id_of(request), seq_num_of("seq", request.match_info["seq"]))
        body = await served_body(audio)
        headers = {"ETag": f'"{audio.checksum}"', "Cache-Control": "private, no-cache"}
        return web.Response(body=body, content_type=FORMATS["flac"].media_type, headers=headers)

    def _document(self, request: web.Request, view: CastView, presentation: Presentation | None = None) -> dict[str, object]:
        return {
            "id": view.cast_id,
            "state": view.state,
            "kind": view.kind,
            "voice": view.voice,
            "language": view.language,
            "created_ms": view.created_ms,
            "text": view.text,
            "keep": view.keep,
            "reason": view.reason,
            "receipt": _receipt(view.receipt),
            **self._links.of(request, view.cast_id, presentation or Presentation()),
        }


def cast_id_of(request: web.Request) -> CastId:
    """The cast that the path names. Raises `CastNotFoundError` for what can be no cast."""
    cast_id = parse_cast_id(request.match_info["id"])
    if cast_id is None:
        raise CastNotFoundError("there is no such cast: an id has 16 letters and digits")
    return cast_id


def seq_num_of(field: str, text: str) -> int:
    """The number of a record. Raises `RefusedError`."""
    if not (text.isascii() and text.isdigit() and len(text) <= _HIGHEST_SEQ_NUM_DIGITS):
        raise RefusedError(field, "the number of a record is expected")
    return int(text)


async def _json_body(request: web.Request, seconds: float) -> bytes:
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


def _idempotency_key(header: str | None) -> str | None:
    if header is not None and not _IDEMPOTENCY_KEY.fullmatch(header):
        text = "1 to 200 letters, digits and signs are expected"
        raise AnsweredError(Failure(400, "invalid_request_error", "invalid_value", text, "Idempotency-Key"))
    return header


def _limit(text: str | None, highest: int) -> int:
    if text is None:
        return _USUAL_PAGE
    if not (text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= highest):
        raise RefusedError("limit", f"a whole number from 1 to {highest} is expected")
    return int(text)


def _sentences(view: CastView) -> list[dict[str, object]]:
    return [
        {
            "index": sentence.index,
            "text": sentence.text,
            "start_ms": sentence.start_ms,
            "duration_ms": sentence.duration_ms,
            "seq_num": sentence.seq_num,
        }
        for sentence in view.sentences
    ]


def _receipt(receipt: Receipt | None) -> dict[str, object] | None:
    if receipt is None:
        return None
    return {
        "outcome": receipt.outcome,
        "sentences": receipt.sentences,
        "reused": receipt.reused,
        "audio_ms": receipt.audio_ms,
        "gen_ms": receipt.gen_ms,
        "realtime_factor": round(receipt.realtime_factor, 2),
        "voice": receipt.voice,
        "worker": receipt.worker,
    }
