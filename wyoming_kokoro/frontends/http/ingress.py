"""What comes by Home Assistant's Ingress: through the Supervisor's proxy, which has let only a user of the house in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.http.connection import Connection
from wyoming_kokoro.frontends.http.failure import AnsweredError, Failure

if TYPE_CHECKING:
    import asyncio

    from aiohttp import web

    from wyoming_kokoro.frontends.http.limits import Limits

PROXY = "172.30.32.2"
"""The Supervisor's address in the network of the apps: the same in every house."""
_PATH_HEADER = "X-Ingress-Path"
_USER_HEADER = "X-Remote-User-Id"
"""Set by the Supervisor, which drops one that comes from a client."""
_USER = re.compile(r"[A-Za-z0-9-]{1,64}")
_PATH = re.compile(r"(/[A-Za-z0-9._~-]{1,200}){1,4}")


class IngressConnection(Connection):
    """One at the port of the proxy, whoever it is."""

    def __init__(self, manager: web.Server, limits: Limits, loop: asyncio.AbstractEventLoop, proxy: str) -> None:
        """`proxy` is the address that alone may come in here."""
        super().__init__(manager, limits, loop)
        self.proxy = proxy


def is_by_ingress(request: web.BaseRequest) -> bool:
    """Whether it came to the port of the proxy."""
    return isinstance(request.protocol, IngressConnection)


def check_ingress(request: web.BaseRequest) -> None:
    """Raises `AnsweredError` for what came to the port of the proxy from anybody else: it has no other lock."""
    protocol = request.protocol
    if not isinstance(protocol, IngressConnection) or request.remote != protocol.proxy or ingress_path(request) is None:
        text = "this port is for Home Assistant's Ingress alone"
        raise AnsweredError(Failure(403, "invalid_request_error", "not_by_ingress", text))


def ingress_path(request: web.BaseRequest) -> str | None:
    """Below which path of Home Assistant the client finds us; None for who did not come by Ingress."""
    path = request.headers.get(_PATH_HEADER, "")
    return path if is_by_ingress(request) and _PATH.fullmatch(path) else None


def asked_host(request: web.BaseRequest) -> str | None:
    """The host that the client's own request named: what a proxy before Home Assistant saw, else Home Assistant itself."""
    return request.headers.get("X-Forwarded-Host", "").partition(",")[0].strip() or request.headers.get("Host")


def asker(request: web.BaseRequest) -> str:
    """Who asks, as far as fairness goes: a user of the house where it came by Ingress, else an address."""
    user = request.headers.get(_USER_HEADER, "")
    return f"ingress:{user}" if is_by_ingress(request) and _USER.fullmatch(user) else f"http:{request.remote}"
