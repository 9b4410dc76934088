"""`/api/casts`: ask for speech, look, watch, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.audio.containers import FORMATS
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.audio_link import read_presentation
from wyoming_kokoro.frontends.http.carried import idempotency_key, json_body, page_limit, seq_num_of
from wyoming_kokoro.frontends.http.ingress import asker
from wyoming_kokoro.frontends.http.request import read_request
from wyoming_kokoro.frontends.http.sheltered import sheltered
from wyoming_kokoro.frontends.http.stored_sound import served_body
from wyoming_kokoro.frontends.json_fields import parse_object
from wyoming_kokoro.model.cast import CastState
from wyoming_kokoro.model.errors import CastNotFoundError
from wyoming_kokoro.model.ids import CastId, parse_cast_id
from wyoming_kokoro.model.presentation import Presentation

if TYPE_CHECKING:
    from wyoming_kokoro.core.cast_view import CastView
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.frontends.http.links import Links
    from wyoming_kokoro.model.records import Receipt


class CastRoutes:
    """Each handler is one call of the core."""

    def __init__(self, house: House, links: Links, limits: Limits) -> None:
        self._house = house
        self._links = links
        self._limits = limits

    async def submit(self, request: web.Request) -> web.Response:
        """`POST /api/casts`"""
        body = await json_body(request, self._limits.body_seconds)
        asked = read_request(parse_object(body), asker(request))
        key = idempotency_key(request.headers.get("Idempotency-Key"))
        # Who hangs up now has asked all the same.
        accepted = await sheltered(self._house.intake.accept(asked, idempotency_key=key))
        cast_id = accepted.cast_id
        state = CastState.DONE if accepted.is_hit else (await self._house.casts.get(cast_id)).state
        document = {"id": cast_id, "state": state, **self._links.of(request, cast_id, Presentation())}
        return json_answer(document, status=201 if accepted.is_new else 200, headers={"Location": f"/api/casts/{cast_id}"})

    async def newest(self, request: web.Request) -> web.Response:
        """`GET /api/casts`"""
        limit = page_limit(request.query.get("limit"), self._limits.page_casts)
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
