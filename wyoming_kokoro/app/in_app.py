"""What is different where the server is Home Assistant's app (add-on), beside its options and its broker."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.frontends.http.server import HttpServer
from wyoming_kokoro.model.errors import DoorError, SupervisorRefusalError
from wyoming_kokoro.supervisor.address import find_base_url
from wyoming_kokoro.supervisor.api import SupervisorApi
from wyoming_kokoro.supervisor.discovery import Discovery
from wyoming_kokoro.supervisor.info import ask_info
from wyoming_kokoro.supervisor.patience import patiently

if TYPE_CHECKING:
    from wyoming_kokoro.core.play_links import PlayLinks
    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.settings import Settings

_LOGGER = logging.getLogger(__name__)

_PATIENCE_SECONDS = 3.0
"""A Supervisor that answers by then was never away; the server does not wait longer for it."""


def inside_app(settings: Settings) -> Settings:
    """The settings for the doors: a container is not found by zeroconf, Home Assistant hears of it from the Supervisor."""
    return replace(settings, wyoming=replace(settings.wyoming, zeroconf=False))


@contextlib.asynccontextmanager
async def within_house(
    api: SupervisorApi, clock: Clock, settings: Settings, ports: Mapping[str, int], http: HttpServer, links: PlayLinks
) -> AsyncIterator[None]:
    """Made known to Home Assistant, to players and to Ingress, for the length of the block; whatever the Supervisor does, the
    server speaks. `settings` are the owner's: by `zeroconf` they say whether the server is to be found."""
    discovery = Discovery(api, clock, settings.data_dir)
    tasks = TaskSet()
    try:
        if settings.http.base_url is None:
            leading = tasks.start(_lead(api, clock, ports["http_port"], links), name="supervisor.address")
            await asyncio.wait({leading}, timeout=_PATIENCE_SECONDS)
        is_found = settings.wyoming.zeroconf
        telling = discovery.announce(ports["wyoming_port"]) if is_found else discovery.withdraw()
        tasks.start(telling, name="supervisor.discovery")
        tasks.start(_open_ingress(api, clock, http), name="supervisor.ingress")
        yield
    finally:
        await tasks.stop()


async def _lead(api: SupervisorApi, clock: Clock, http_port: int, links: PlayLinks) -> None:
    """Players fetch from the machine, once it is known where that is."""
    try:
        url = await patiently(api, clock, "the address for players", lambda: find_base_url(api, http_port))
    except SupervisorRefusalError as error:
        _LOGGER.warning("nobody says how players reach this machine: %s; set base_url", error)
        return
    if url is not None:
        links.lead_to(url)
        _LOGGER.info("players fetch speech from %s", url)


async def _open_ingress(api: SupervisorApi, clock: Clock, http: HttpServer) -> None:
    """Only where the Supervisor would lead somebody there."""
    try:
        port = (await patiently(api, clock, "Ingress", lambda: ask_info(api))).ingress_port
        if port is not None:
            await http.open_ingress(port)
    except (SupervisorRefusalError, DoorError) as error:
        _LOGGER.warning("there is no Ingress: %s", error)
