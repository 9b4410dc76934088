"""The room's group of Snapcast clients for the time of a playback: brought to our source, muted at a stop, and given back."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.model.errors import ServerError
from wyoming_kokoro.speakers.snapcast.status import Status

if TYPE_CHECKING:
    from wyoming_kokoro.speakers.remembered import Remembered
    from wyoming_kokoro.speakers.snapcast.control import Control
    from wyoming_kokoro.speakers.snapcast.status import Group

_LOGGER = logging.getLogger(__name__)


class GroupSwitch:
    """What we change is on the disk before we change it, so that the next process can give it back."""

    def __init__(self, key: str, remembered: Remembered) -> None:
        self._key = key
        self._remembered = remembered

    @property
    def is_owed(self) -> bool:
        """Whether something is to be given back."""
        return self._remembered.get(self._key) is not None

    @property
    def is_muted(self) -> bool:
        """Whether it is silence that is owed back."""
        return "muted" in (self._remembered.get(self._key) or {})

    async def bring(self, control: Control, group: Group, stream_id: str) -> None:
        """Let the group hear that stream. Raises `ServerError`."""
        if group.stream_id != stream_id:
            await self._remembered.put(self._key, {"group": group.group_id, "stream": group.stream_id, "ours": stream_id})
            await control.ask("Group.SetStream", {"id": group.group_id, "stream_id": stream_id})

    async def silence(self, control: Control, group: Group) -> None:
        """Nothing of what the clients have in their buffers is heard any more. Raises `ServerError`."""
        owed = self._remembered.get(self._key)
        if owed is not None and "stream" in owed:
            # Clients that change to another stream drop what they have.
            await self.restore(control)
            return
        await self._remembered.put(self._key, {"group": group.group_id, "muted": "yes"})
        await control.ask("Group.SetMute", {"id": group.group_id, "mute": True})

    async def restore(self, control: Control) -> None:
        """Give back what is owed, unless somebody has changed it meanwhile. Raises `ServerError`."""
        owed = self._remembered.get(self._key)
        if owed is None:
            return
        status = Status(await control.ask("Server.GetStatus"))
        group = status.group(str(owed["group"]))
        if group is not None and "muted" in owed:
            await control.ask("Group.SetMute", {"id": group.group_id, "mute": False})
        elif group is not None and group.stream_id == owed["ours"]:
            try:
                await control.ask("Group.SetStream", {"id": group.group_id, "stream_id": owed["stream"]})
            except ServerError as error:
                with contextlib.suppress(ServerError):
                    # It answers, so the stream is gone, not the server.
                    await control.ask("Server.GetRPCVersion")
                    _LOGGER.warning("group %s stays on %s: %s", owed["group"], owed["ours"], error)
                    await self._remembered.forget(self._key)
                raise
        await self._remembered.forget(self._key)
