"""What the Supervisor knows of this app."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wyoming_kokoro.supervisor.api import Answer, SupervisorApi


class AppInfo(NamedTuple):
    """As far as it matters here."""

    hostname: str
    """How Home Assistant reaches the app inside of the machine; empty where it is not told."""
    ports: dict[str, int]
    """By port and protocol in the app, such as `10210/tcp`: the one outside. What is switched off is missing."""
    ingress_port: int | None
    """Where the app takes what comes by Ingress; None where it has none."""


async def ask_info(api: SupervisorApi) -> AppInfo:
    """Ask for it. Raises as `api` does."""
    return read_info(await api.get("/addons/self/info"))


def read_info(answer: Answer) -> AppInfo:
    """Out of the answer; what is not there, or is something else, counts as not told."""
    network = answer.get("network")
    ports = network if isinstance(network, dict) else {}
    hostname, ingress_port = answer.get("hostname"), answer.get("ingress_port")
    return AppInfo(
        hostname=hostname if isinstance(hostname, str) else "",
        ports={str(inside): outside for inside, outside in ports.items() if type(outside) is int},
        ingress_port=ingress_port if answer.get("ingress") is True and type(ingress_port) is int and ingress_port else None,
    )
