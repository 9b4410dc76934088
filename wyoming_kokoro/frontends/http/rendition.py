"""The sound of a cast as a file that grows: encoded once, read by any number of listeners, each from its own place."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from wyoming_kokoro.audio.containers import encoded
from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.frontends.http.survey import Surveyor
from wyoming_kokoro.model.errors import VoiceOfAHouseError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wyoming_kokoro.frontends.http.spool import Spool
    from wyoming_kokoro.frontends.http.survey import Survey


class Rendition:
    """One encoder's work. `fill` makes it; a slow reader costs neither it nor anybody else anything."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._changed = Signal()
        self._error: Exception | None = None
        self.is_complete = False
        self.survey: Survey | None = None
        """What the sound is, once it is complete."""

    @property
    def size_bytes(self) -> int:
        """What is there so far."""
        return self._spool.size_bytes

    @property
    def is_failed(self) -> bool:
        """Whether it ends before its end."""
        return self._error is not None

    async def fill(self, sound: AsyncGenerator[bytes, None], name: str, *, total_bytes: int | None = None) -> None:
        """Encode all of that sound. What goes wrong is told to the readers."""
        surveyor = Surveyor()
        try:
            async with aclosing(encoded(surveyor.watch(sound), name, total_bytes=total_bytes)) as chunks:
                async for chunk in chunks:
                    await self._spool.append(chunk)
                    self._changed.notify()
            self.survey = surveyor.survey
            self.is_complete = True
        except VoiceOfAHouseError as error:
            self._error = error
        except Exception as error:
            self._error = error
            raise
        finally:
            self._changed.notify()

    async def begun(self) -> None:
        """Return when there is something to read, or nothing will ever be. Raises what went wrong before."""
        while not self.size_bytes and not self.is_complete:
            await self._more()

    async def completed(self) -> None:
        """Return when it is complete. Raises what went wrong."""
        while not self.is_complete:
            await self._more()

    async def read(self, start: int, limit: int) -> bytes:
        """At most `limit` bytes from `start` on, as soon as there are some; empty at the end. Raises what went wrong."""
        while start >= self.size_bytes and not self.is_complete:
            await self._more()
        return await self._spool.read(start, limit)

    def close(self) -> None:
        """Let go of the bytes; nobody may read any more."""
        self._spool.close()

    async def _more(self) -> None:
        if self._error is not None:
            raise self._error
        await self._changed.wait(self._changed.count)
