"""`/audio/{id}.{key}.{format}`: what a speaker fetches. A finished cast is a file; one that is being made is a stream."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from aiohttp import web

from wyoming_kokoro import __version__
from wyoming_kokoro.audio.chime import CHIMES
from wyoming_kokoro.audio.containers import FORMATS, content_length
from wyoming_kokoro.core.play_links import PLAY_PARAMETER
from wyoming_kokoro.frontends.http.audio_link import read_presentation
from wyoming_kokoro.frontends.http.byte_range import Part, UnsatisfiableError, requested_part
from wyoming_kokoro.frontends.http.cast_routes import cast_id_of
from wyoming_kokoro.frontends.http.failure import AnsweredError, Failure
from wyoming_kokoro.frontends.http.guard import request_id_of
from wyoming_kokoro.frontends.http.outlet import Outlet
from wyoming_kokoro.frontends.http.renditions import Heard
from wyoming_kokoro.model.cast import CastState
from wyoming_kokoro.model.errors import CastExpiredError, RefusedError, VoiceOfAHouseError

if TYPE_CHECKING:
    from wyoming_kokoro.audio.containers import ServedFormat
    from wyoming_kokoro.core.audio_links import AudioLinks
    from wyoming_kokoro.core.cast_view import CastView
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.frontends.http.rendition import Rendition
    from wyoming_kokoro.frontends.http.renditions import Renditions
    from wyoming_kokoro.frontends.http.survey import Survey

_LOGGER = logging.getLogger(__name__)


class _Asked(NamedTuple):
    """What a link asks for."""

    heard: Heard
    served: ServedFormat


class AudioRoute:
    """No login: the key in the link is the permission."""

    def __init__(self, house: House, audio_links: AudioLinks, renditions: Renditions, limits: Limits) -> None:
        self._house = house
        self._audio_links = audio_links
        self._renditions = renditions
        self._limits = limits

    async def audio(self, request: web.Request) -> web.StreamResponse:
        """`GET` and `HEAD`."""
        asked = self._asked(request)
        view = await self._house.casts.get(asked.heard.cast_id)
        if view.state is CastState.EXPIRED:
            raise CastExpiredError("the cast has expired")
        if view.state is CastState.DONE or not asked.heard.presentation.repeat:
            return await self._file(request, asked, view)
        return await self._live(request, asked)

    def _asked(self, request: web.Request) -> _Asked:
        served = FORMATS.get(request.match_info["format"])
        if served is None:
            raise RefusedError("format", f"one of {', '.join(FORMATS)} is expected")
        heard = Heard(cast_id_of(request), read_presentation(request.query, CHIMES))
        if not self._audio_links.opens(request.match_info["key"], *heard):
            text = "the key does not belong to this cast with these parameters"
            raise AnsweredError(Failure(403, "invalid_request_error", "wrong_key", text, "key"))
        return _Asked(heard, served)

    # -- a cast that is being made ---------------------------------------------------------------------------------------------

    async def _live(self, request: web.Request, asked: _Asked) -> web.StreamResponse:
        """From the first sentence on, then at the live edge."""
        response = web.StreamResponse(headers={"Cache-Control": "no-store", "Accept-Ranges": "none"})
        response.content_type = asked.served.media_type
        if request.method == "HEAD":
            return await _head(request, response)
        async with self._renditions.open(asked.heard, asked.served.name) as rendition:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.first_bytes_seconds):
                    await rendition.begun()
            return await self._pour(request, response, rendition, None, is_last=True)

    # -- a cast that is finished -----------------------------------------------------------------------------------------------

    async def _file(self, request: web.Request, asked: _Asked, view: CastView) -> web.StreamResponse:
        """All of it, or a part; the same bytes for everybody."""
        first_index = asked.heard.presentation.first_index
        if first_index and first_index >= len(view.sentences):
            raise RefusedError("from", f"the cast has {len(view.sentences)} sentences, from 0 on")
        survey = await self._renditions.survey(asked.heard, view.tail)
        etag = _etag(survey, asked.served)
        headers = {"ETag": etag, "Cache-Control": "private, no-cache", "Accept-Ranges": "bytes"}
        if _is_named(request.headers.get("If-None-Match"), etag):
            return web.Response(status=304, headers=headers)
        async with self._renditions.open(asked.heard, asked.served.name, survey) as rendition:
            size_bytes = content_length(asked.served.name, survey.pcm_bytes)
            if size_bytes is None:
                await rendition.completed()
                size_bytes = rendition.size_bytes
            try:
                part = requested_part(_range(request, etag), size_bytes)
            except UnsatisfiableError:
                return _unsatisfiable(size_bytes, headers)
            response = _file_response(part, size_bytes, headers)
            response.content_type = asked.served.media_type
            if request.method == "HEAD":
                return await _head(request, response)
            part = part or Part(0, size_bytes)
            return await self._pour(request, response, rendition, part, is_last=part.end == size_bytes)

    # -- both ------------------------------------------------------------------------------------------------------------------

    async def _pour(
        self,
        request: web.Request,
        response: web.StreamResponse,
        rendition: Rendition,
        part: Part | None,
        *,
        is_last: bool,
    ) -> web.StreamResponse:
        """Send that part, or all there will be; `is_last` where the end is in it.

        A failure closes without the end, so that no stump is taken for the whole.
        """
        outlet = Outlet(request, response, self._limits)
        await outlet.open()
        place = part.start if part else 0
        try:
            while data := await rendition.read(place, self._next_bytes(part, place)):
                await outlet.deliver(data)
                place += len(data)
        except VoiceOfAHouseError as error:
            _LOGGER.warning("request %s: the sound ends early: %s", request_id_of(request), error)
            outlet.break_off()
            return response
        await response.write_eof()
        if is_last and (play_id := request.query.get(PLAY_PARAMETER)):
            self._house.fetches.complete(play_id)
        return response

    def _next_bytes(self, part: Part | None, place: int) -> int:
        return self._limits.slice_bytes if part is None else min(self._limits.slice_bytes, part.end - place)


async def _head(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    await response.prepare(request)
    await response.write_eof()
    return response


def _file_response(part: Part | None, size_bytes: int, headers: dict[str, str]) -> web.StreamResponse:
    if part is None:
        response = web.StreamResponse(headers=headers)
        response.content_length = size_bytes
    else:
        response = web.StreamResponse(status=206, headers=headers)
        response.headers["Content-Range"] = f"bytes {part.start}-{part.end - 1}/{size_bytes}"
        response.content_length = part.end - part.start
    return response


def _unsatisfiable(size_bytes: int, headers: dict[str, str]) -> web.Response:
    return web.Response(status=416, headers={**headers, "Content-Range": f"bytes */{size_bytes}"})


def _etag(survey: Survey, served: ServedFormat) -> str:
    """Strong: equal sound gives equal bytes, as long as the encoders are the same."""
    digest = hashlib.sha256(f"{survey.digest} {served.name} {__version__}".encode()).hexdigest()
    return f'"{digest[:32]}"'


def _range(request: web.Request, etag: str) -> str | None:
    """The header `Range`, unless `If-Range` says that it was meant for other bytes; only GET knows parts."""
    if request.method != "GET" or request.headers.get("If-Range", etag).strip() != etag:
        return None
    return request.headers.get("Range")


def _is_named(header: str | None, etag: str) -> bool:
    if header is None:
        return False
    return header.strip() == "*" or etag in [each.strip().removeprefix("W/") for each in header.split(",")]
