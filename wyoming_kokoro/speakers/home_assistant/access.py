"""Where Home Assistant is reached, and with which token."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.model.errors import SettingsError
from wyoming_kokoro.settings.supervised import find_supervisor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.settings import HomeAssistantSettings


class Access(NamedTuple):
    """A WebSocket API and the right to use it."""

    url: str
    """Of the WebSocket."""
    token: str
    token_name: str
    """What an owner would have to look at where the token is refused."""


def find_access(settings: HomeAssistantSettings, environment: Mapping[str, str]) -> Access:
    """The settings' own, else the Supervisor's. Raises SettingsError where there is none."""
    if settings.url is not None:
        if settings.token is None:
            raise SettingsError("home_assistant_token is missing: make one in Home Assistant (your profile, Security)")
        return Access(f"{_as_websocket(settings.url)}/api/websocket", settings.token, "home_assistant_token")
    if supervised := find_supervisor(environment):
        return Access(f"{_as_websocket(supervised.url)}/core/websocket", supervised.token, "the Supervisor's token")
    raise SettingsError(
        "home_assistant_url is missing: a room has a speaker of the type home_assistant, "
        "so say where Home Assistant is, such as http://homeassistant.local:8123"
    )


def _as_websocket(url: str) -> str:
    return "ws" + url.removeprefix("http").rstrip("/")
