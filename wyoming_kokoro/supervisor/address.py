"""How players in the house reach the app: a container's own address ends at the machine that it is on."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from wyoming_kokoro.model.errors import TokenRefusedError
from wyoming_kokoro.supervisor.info import ask_info

if TYPE_CHECKING:
    from wyoming_kokoro.supervisor.api import SupervisorApi

_LOGGER = logging.getLogger(__name__)


async def find_base_url(api: SupervisorApi, http_port: int) -> str | None:
    """`http://HOST:PORT` of the HTTP door; None where nobody outside reaches it, or nobody says where the machine is.

    Raises `ServerError` where the Supervisor or Home Assistant is away.
    """
    port = (await ask_info(api)).ports.get(f"{http_port}/tcp")
    if port is None:
        _LOGGER.warning("players can't fetch speech: port %d is switched off on the app's page, under Network", http_port)
        return None
    host = await _host_of_home_assistant(api) or await _host_of_machine(api)
    if host is None:
        _LOGGER.warning("nobody says how players reach this machine: set base_url to http://ADDRESS:%d", port)
        return None
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _host_of_home_assistant(api: SupervisorApi) -> str | None:
    """Out of the address that its owner has given it for the house; it runs on the same machine. While it starts it is away."""
    try:
        url = (await api.home_assistant("/config")).get("internal_url")
    except TokenRefusedError as error:
        _LOGGER.debug("Home Assistant does not say where it is: %s", error)
        return None
    try:
        return urlsplit(url).hostname if isinstance(url, str) else None
    except ValueError:
        return None


async def _host_of_machine(api: SupervisorApi) -> str | None:
    name = (await api.get("/info")).get("hostname")
    if not isinstance(name, str) or not name:
        return None
    _LOGGER.warning("players fetch speech at %s.local; where one can't find that name, set base_url to an address", name)
    return f"{name}.local"
