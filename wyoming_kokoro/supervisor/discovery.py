"""Lets Home Assistant find the server by itself, through the Supervisor.

A message outlives the server on purpose. The Supervisor keeps it, tells Home Assistant of it only while the app runs, and takes
it back by itself when the app is uninstalled. Taking it back makes Home Assistant remove the integration that grew out of it,
with all that the owner has tied to it: so that is done where the owner has switched it off, and never at a stop.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from typing import TYPE_CHECKING

from wyoming_kokoro.core.whole_text import write_whole
from wyoming_kokoro.model.errors import SupervisorRefusalError
from wyoming_kokoro.supervisor.info import ask_info
from wyoming_kokoro.supervisor.patience import patiently

if TYPE_CHECKING:
    from pathlib import Path

    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.supervisor.api import SupervisorApi

_LOGGER = logging.getLogger(__name__)

FILE_NAME = "discovery.json"
_SERVICE = "wyoming"


class Discovery:
    """The message of this app. Nothing here raises: a server that is not found by itself still speaks."""

    def __init__(self, api: SupervisorApi, clock: Clock, data_dir: Path) -> None:
        self._api = api
        self._clock = clock
        self._note = data_dir / FILE_NAME

    async def announce(self, port: int) -> None:
        """Tell it, however long it takes until the Supervisor listens. Told again it is the same, and moves where we moved."""
        try:
            hostname = (await patiently(self._api, self._clock, "discovery", lambda: ask_info(self._api))).hostname
            uri = f"tcp://{hostname or socket.gethostname()}:{port}"
            message = {"service": _SERVICE, "config": {"uri": uri}}
            answer = await patiently(self._api, self._clock, "discovery", lambda: self._api.post("/discovery", message))
        except SupervisorRefusalError as error:
            _LOGGER.warning("Home Assistant does not find the server by itself: %s", error)
            return
        _LOGGER.info("announced to Home Assistant by the Supervisor as %s", uri)
        await asyncio.to_thread(self._remember, str(answer.get("uuid") or ""))

    async def withdraw(self) -> None:
        """Take back what an earlier run has told, if it has."""
        uuid = await asyncio.to_thread(self._remembered)
        if not uuid:
            return
        try:
            await patiently(self._api, self._clock, "discovery", lambda: self._api.delete(f"/discovery/{uuid}"))
        except SupervisorRefusalError as error:
            # It does not know the message any more, or it is another app's: the data came from another house.
            _LOGGER.info("there was nothing to take back: %s", error)
        else:
            _LOGGER.info("Home Assistant was told to forget the server")
        await asyncio.to_thread(self._remember, "")

    def _remember(self, uuid: str) -> None:
        try:
            if uuid:
                write_whole(self._note, json.dumps({"uuid": uuid}) + "\n")
            else:
                self._note.unlink(missing_ok=True)
        except OSError as error:
            _LOGGER.warning("%s can't be written: %s", self._note, error.strerror)

    def _remembered(self) -> str:
        try:
            note = json.loads(self._note.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ""
        except (OSError, ValueError) as error:
            _LOGGER.warning("%s can't be read: %s", self._note, error)
            return ""
        uuid = note.get("uuid") if isinstance(note, dict) else None
        return uuid if isinstance(uuid, str) and uuid.isalnum() else ""
