"""Stands before every route: who may come in, under which id, and what a failed request is told."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.answers import REQUEST_ID, failure_answer, new_request_id, sign_headers
from wyoming_kokoro.frontends.http.failure import AnsweredError, Failure, failure_of, failure_of_status
from wyoming_kokoro.frontends.http.ingress import asked_host, check_ingress, is_by_ingress
from wyoming_kokoro.frontends.http.known_host import is_foreign_page, is_known_host
from wyoming_kokoro.model.errors import VoiceOfAHouseError

if TYPE_CHECKING:
    from collections.abc import Collection

    from aiohttp.typedefs import Handler, Middleware

    from wyoming_kokoro.frontends.http.api_token import ApiToken

_LOGGER = logging.getLogger(__name__)

_ID = web.RequestKey("id", str)
_REQUEST_IDS = re.compile(r"[A-Za-z0-9._-]{1,64}")
_KEPT_HEADERS = ("Allow", "Location")


class Guard:
    """Made into a middleware by `aiohttp.web`."""

    def __init__(self, token: ApiToken, base_url: str | None, *, open_routes: Collection[str]) -> None:
        """`open_routes` are the patterns of those that need no token."""
        self._token = token
        self._base_url = base_url
        self._open_routes = frozenset(open_routes)

    def middleware(self) -> Middleware:
        """The middleware."""

        @web.middleware
        async def guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
            return await self._serve(request, handler)

        return guarded

    async def _serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        request_id = request[_ID] = _request_id(request.headers.get(REQUEST_ID))
        route = _pattern(request)
        try:
            self._check(request, route)
            answer = await handler(request)
        except VoiceOfAHouseError as error:
            answer = _refused(request, failure_of(error))
        except AnsweredError as error:
            answer = _refused(request, error.failure)
        except web.HTTPException as error:
            kept = {name: error.headers[name] for name in _KEPT_HEADERS if name in error.headers}
            answer = failure_answer(failure_of_status(error.status), kept)
        except (ConnectionError, asyncio.CancelledError):
            raise
        except Exception:  # whatever it is, the client gets no more than an id to ask for
            _LOGGER.exception("request %s failed unexpectedly: %s %s", request_id, request.method, route)
            answer = failure_answer(failure_of_status(500))
        _LOGGER.debug("request %s: %s %s: %d", request_id, request.method, route, answer.status)
        return answer

    def _check(self, request: web.Request, route: str) -> None:
        if is_by_ingress(request):
            check_ingress(request)
            self._refuse_foreign_page(request, asked_host(request))
            return
        if route in self._open_routes:
            return
        host = request.headers.get("Host")
        if not route.startswith("/metrics") and not is_known_host(host, self._base_url):
            text = "an address, localhost, a name in .local or that of base_url is expected"
            raise AnsweredError(Failure(403, "invalid_request_error", "unknown_host", text, "Host"))
        self._refuse_foreign_page(request, host)
        if not self._token.admits(request.headers.get("Authorization")):
            raise AnsweredError(failure_of_status(401))

    def _refuse_foreign_page(self, request: web.Request, host: str | None) -> None:
        # A browser sends these for any page without asking first; where no token is wanted, nothing else would stop them.
        is_simple = request.method == "POST" and request.content_type != "application/json"
        if is_simple and is_foreign_page(request.headers.get("Origin"), host, self._base_url):
            text = "a web page of another server can't do this"
            raise AnsweredError(Failure(403, "invalid_request_error", "foreign_page", text, "Origin"))


async def sign(request: web.Request, response: web.StreamResponse) -> None:
    """Put on every answer what all of them carry; a signal of `aiohttp.web`."""
    sign_headers(response.headers, request.get(_ID) or new_request_id())


def request_id_of(request: web.Request) -> str:
    """The id under which the log knows it."""
    return request[_ID]


def _request_id(offered: str | None) -> str:
    return offered if offered and _REQUEST_IDS.fullmatch(offered) else new_request_id()


def _pattern(request: web.Request) -> str:
    """The pattern of the route that was found, never what was asked for: that may hold keys."""
    resource = request.match_info.route.resource
    return "(nothing)" if resource is None else resource.canonical


def _refused(request: web.Request, failure: Failure) -> web.Response:
    level = logging.ERROR if failure.status >= 500 else logging.INFO
    _LOGGER.log(level, "request %s from %s: %d %s", request[_ID], request.remote, failure.status, failure.code)
    return failure_answer(failure)
