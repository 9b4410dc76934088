"""The house's MQTT broker, as the Supervisor's services name it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import ServerError, SupervisorRefusalError
from wyoming_kokoro.supervisor.patience import patiently

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.settings import MqttSettings
    from wyoming_kokoro.supervisor.api import Answer, SupervisorApi

_LOGGER = logging.getLogger(__name__)

_LOOK_SECONDS = 60.0
"""A broker that is installed, or given a new password, is found after so long at most."""
_NOT_LISTED = 403


async def follow_broker(api: SupervisorApi, clock: Clock, chosen: MqttSettings) -> AsyncIterator[MqttSettings]:
    """The settings with the broker in them, now and whenever it is another one, for ever; nothing while there is none.

    A broker that goes away is not told: it may come back where it was. What `chosen` says of user and password counts.
    """
    last, told = None, ""
    while True:
        try:
            found = read_service(await patiently(api, clock, "MQTT", lambda: api.get("/services/mqtt")), chosen)
        except ServerError as error:
            if told != str(error):
                told = str(error)
                _tell_missing(error)
        else:
            told = ""
            if found != last:
                last = found
                yield found
        await clock.sleep(_LOOK_SECONDS)


def read_service(service: Answer, chosen: MqttSettings) -> MqttSettings:
    """The settings out of the Supervisor's answer. Raises `ServerError` for one that names no broker."""
    host, port = service.get("host"), service.get("port")
    if not isinstance(host, str) or not host or type(port) is not int:
        raise ServerError("the Supervisor's service mqtt has no host and port")
    is_secure = service.get("ssl") is True
    place = f"[{host}]" if ":" in host else host
    user, password = (chosen.user, chosen.password) if chosen.user else (service.get("username"), service.get("password"))
    found = replace(
        chosen, url=f"mqtt{'s' if is_secure else ''}://{place}:{port}", user=user or None, password=password or None
    )
    return found if is_secure else replace(found, ca_file=None, cert_file=None, key_file=None)


def _tell_missing(error: ServerError) -> None:
    if isinstance(error, SupervisorRefusalError) and error.status == _NOT_LISTED:
        _LOGGER.error("no MQTT: the app's config.yaml must list the service: %s", error.message)
    elif isinstance(error, SupervisorRefusalError):
        _LOGGER.info("no MQTT: the Supervisor knows no broker yet (%s); looked for again every minute", error.message)
    else:
        _LOGGER.warning("no MQTT: %s", error)
