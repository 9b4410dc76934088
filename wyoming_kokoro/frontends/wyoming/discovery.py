"""Lets Home Assistant find the server by itself, through zeroconf. Never in the way: a failure is logged, no more."""

from __future__ import annotations

import ipaddress
import logging
import socket
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from zeroconf.asyncio import AsyncServiceInfo

_LOGGER = logging.getLogger(__name__)

SERVICE = "_wyoming._tcp.local."

_OUTSIDE = ("224.0.0.251", 5353)
"""Where zeroconf speaks: the address that this machine would speak from is the one that is announced. Nothing is sent."""


class Responder(Protocol):
    """What is used of `zeroconf.asyncio.AsyncZeroconf`."""

    async def async_register_service(self, info: AsyncServiceInfo, /) -> object:
        """Make the service known; raises where the name is taken."""
        ...

    async def async_unregister_all_services(self) -> None:
        """Say goodbye."""
        ...

    async def async_close(self) -> None:
        """Let go of the sockets."""
        ...


class Discovery:
    """One name on the network. It is stable: Home Assistant takes a new one for a new server."""

    def __init__(
        self, instance: str, open_responder: Callable[[], Responder] | None = None, *, address: str | None = None
    ) -> None:
        """`address` is where others reach this machine, where that can't be seen from the address that is listened on."""
        self._address = address
        self.name = f"wyoming-kokoro-{instance}.{SERVICE}"
        self._open_responder = open_responder or _open_zeroconf
        self._responder: Responder | None = None

    async def start(self, host: str, port: int) -> None:
        """Announce the server that listens there."""
        from zeroconf import Error
        from zeroconf.asyncio import AsyncServiceInfo

        address = self._address or announced_address(host)
        if address is None:
            _LOGGER.info("not announced by zeroconf: only this machine can reach %s", host)
            return
        service = AsyncServiceInfo(SERVICE, self.name, port=port, parsed_addresses=[address])
        try:
            self._responder = self._open_responder()
            await self._responder.async_register_service(service)
        except (Error, OSError, RuntimeError) as error:
            _LOGGER.warning("not announced by zeroconf: %s", str(error) or type(error).__name__)
            await self.stop()
        else:
            _LOGGER.info("announced by zeroconf as %s at %s port %d", self.name, address, port)

    async def stop(self) -> None:
        """Take the name back. Idempotent."""
        from zeroconf import Error

        responder, self._responder = self._responder, None
        if responder is None:
            return
        try:
            await responder.async_unregister_all_services()
            await responder.async_close()
        except (Error, OSError, RuntimeError) as error:
            _LOGGER.debug("zeroconf did not end well: %s", str(error) or type(error).__name__)


def announced_address(host: str) -> str | None:
    """Where others reach a server that listens on `host`; None where they can't, or it is unknown."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if not address.is_unspecified:
        return None if address.is_loopback else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if ipaddress.ip_address(found).is_loopback else found


def _open_zeroconf() -> Responder:
    from zeroconf.asyncio import AsyncZeroconf

    return AsyncZeroconf()
