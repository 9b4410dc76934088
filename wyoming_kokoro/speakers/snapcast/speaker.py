"""A TCP source of a Snapcast server as a speaker."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.announcement import Played, PlayOutcome, Stopped
from wyoming_kokoro.model.audio import AudioFormat
from wyoming_kokoro.model.errors import ServerError, VoiceOfAHouseError
from wyoming_kokoro.speakers.snapcast.control import Control
from wyoming_kokoro.speakers.snapcast.feed import Feed
from wyoming_kokoro.speakers.snapcast.group_switch import GroupSwitch
from wyoming_kokoro.speakers.snapcast.status import Status
from wyoming_kokoro.speakers.waiting import within

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wyoming_kokoro.model.announcement import Play
    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.settings.speakers import SnapcastSpeaker as SnapcastSettings
    from wyoming_kokoro.speakers.remembered import Remembered
    from wyoming_kokoro.speakers.snapcast.status import Group, Stream

_LOGGER = logging.getLogger(__name__)


class SnapcastSpeaker:
    """Feeds the source in real time; with a `group`, its clients are switched to the source meanwhile."""

    outlives_us = False

    def __init__(self, settings: SnapcastSettings, clock: Clock, remembered: Remembered) -> None:
        self.name = settings.name
        self._settings = settings
        self._clock = clock
        self._switch = GroupSwitch(f"{settings.name} at {settings.host}:{settings.control_port}", remembered)
        self._tasks: TaskSet | None = None
        self._is_busy = False
        self._feed: Feed | None = None
        self._group: Group | None = None
        self._stop_wanted = asyncio.Event()
        self._stopping: asyncio.Future[Stopped] | None = None

    async def start(self) -> None:
        """Give back what an earlier process could not."""
        if self._tasks is None:
            self._tasks = TaskSet()
            if self._switch.is_owed:
                self._tasks.start(self._give_back(), name=f"{self.name}.give-back")

    async def close(self) -> None:
        """Nothing is left behind: what it plays ends with us."""
        if self._tasks is not None:
            tasks, self._tasks = self._tasks, None
            await tasks.stop()

    async def play(self, play: Play) -> Played:
        """See `ports.Speaker`."""
        self._stop_wanted.clear()
        self._stopping = None
        self._is_busy = True
        try:
            return await self._played(play)
        except VoiceOfAHouseError as error:
            return await self._after_stop() or Played(PlayOutcome.FAILED, str(error), self._heard_seconds())
        finally:
            self._is_busy = False
            self._feed = self._group = None

    async def stop(self) -> Stopped | None:
        """Cut the source, and let the group's clients drop what they have."""
        if not self._is_busy:
            return Stopped(0.0)
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._silence(self._feed, self._group))
        return await asyncio.shield(self._stopping)

    async def _silence(self, feed: Feed | None, group: Group | None) -> Stopped:
        self._stop_wanted.set()
        if feed is None:
            return Stopped(0.0)
        feed.cut()
        if group is None:
            # What the server has is heard to its end.
            return Stopped(feed.seconds)
        try:
            async with self._control() as control:
                await self._switch.silence(control, group)
        except ServerError as error:
            _LOGGER.info("%s goes on until its buffer is empty: %s", self.name, error)
            return Stopped(feed.seconds)
        if self._switch.is_muted and self._tasks is not None:
            self._tasks.start(self._unmute(), name=f"{self.name}.unmute")
        return Stopped(max(0.0, feed.seconds - self._buffer_seconds))

    async def _played(self, play: Play) -> Played:
        shape = AudioFormat(self._settings.rate, channels=self._settings.channels)
        try:
            async with self._control() as control:
                shape = await self._prepare(control, shape)
        except ServerError:
            if self._settings.group is not None:
                raise
        try:
            if not self._stop_wanted.is_set():
                await self._send(play, shape)
            return await self._after_stop() or await self._witnessed()
        finally:
            await self._let_go()

    async def _send(self, play: Play, shape: AudioFormat) -> None:
        # The group's clients have their own loudness; ours comes on top of it, so that nothing has to be given back.
        gain = 1.0 if play.volume is None else play.volume
        async with Feed.open(self._settings.host, self._settings.port, shape, self._clock) as feed:
            self._feed = feed
            await feed.send(play, gain)
            await within(self._clock, self._buffer_seconds, self._stop_wanted.wait())

    async def _prepare(self, control: Control, shape: AudioFormat) -> AudioFormat:
        """Bring the group to the source; returns what the server says of the source's shape."""
        status = Status(await control.ask("Server.GetStatus"))
        stream = status.source(self._settings.port)
        if self._settings.group is not None:
            await self._bring_group(control, status, stream, self._settings.group)
        if stream is None or stream.rate is None or stream.channels is None:
            return shape
        return AudioFormat(stream.rate, channels=stream.channels)

    async def _bring_group(self, control: Control, status: Status, stream: Stream | None, name: str) -> None:
        if stream is None:
            raise ServerError(f"the Snapcast server has no TCP source on port {self._settings.port}")
        group = status.group(name)
        if group is None:
            raise ServerError(f"the Snapcast server has no group or client {name}")
        if not group.hearing or (group.is_muted and not self._switch.is_muted):
            raise ServerError(f"no client of {name} is connected and not muted")
        await self._switch.bring(control, group, stream.stream_id)
        self._group = group

    async def _witnessed(self) -> Played:
        """Confirmed where the server says that somebody has heard it; it was fed as fast as it is heard."""
        try:
            async with self._control() as control:
                status = Status(await control.ask("Server.GetStatus"))
        except ServerError as error:
            return Played(PlayOutcome.ASSUMED if self._group is None else PlayOutcome.UNKNOWN, str(error))
        stream = status.source(self._settings.port)
        if stream is not None and status.hearing(stream.stream_id):
            return Played(PlayOutcome.CONFIRMED)
        if self._group is None:
            return Played(PlayOutcome.ASSUMED, "the Snapcast server does not say that a client hears the source itself")
        return Played(PlayOutcome.UNKNOWN, "no client of the group hears the source any more")

    async def _let_go(self) -> None:
        """What can't be given back now is given back by the next playback, or the next start."""
        if self._switch.is_owed and not self._switch.is_muted:
            with contextlib.suppress(ServerError):
                async with self._control() as control:
                    await self._switch.restore(control)

    async def _give_back(self) -> None:
        """What a playback gives back itself, at its end, is left to it."""
        backoff = Backoff(self._clock, 1.0, 60.0, is_jittered=True)
        while self._switch.is_owed and (self._switch.is_muted or not self._is_busy):
            try:
                async with self._control() as control:
                    await self._switch.restore(control)
            except ServerError as error:
                _LOGGER.info("%s: %s", self.name, error)
                await backoff.wait()

    async def _unmute(self) -> None:
        """When the clients' buffers have run out."""
        await self._clock.sleep(self._buffer_seconds)
        await self._give_back()

    async def _after_stop(self) -> Played | None:
        if self._stopping is None:
            return None
        return Played(PlayOutcome.FAILED, "it was stopped", (await self._stopping).position_seconds)

    def _heard_seconds(self) -> float:
        """After a failure: what was in the server's buffer is lost."""
        return 0.0 if self._feed is None else max(0.0, self._feed.seconds - self._buffer_seconds)

    @property
    def _buffer_seconds(self) -> float:
        return self._settings.buffer_ms / 1000

    @contextlib.asynccontextmanager
    async def _control(self) -> AsyncIterator[Control]:
        async with Control.open(self._settings.host, self._settings.control_port) as control:
            yield control
