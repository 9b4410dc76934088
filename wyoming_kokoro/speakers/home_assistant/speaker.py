"""A media player or an Assist satellite of Home Assistant as a speaker."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.announcement import Played, PlayOutcome, Stopped
from wyoming_kokoro.speakers.home_assistant.answer import Done
from wyoming_kokoro.speakers.home_assistant.evidence import Evidence
from wyoming_kokoro.speakers.home_assistant.left_over import LeftOver
from wyoming_kokoro.speakers.home_assistant.service_call import Feature, is_satellite, media_stop, playing, takes_volume
from wyoming_kokoro.speakers.home_assistant.verdict import verdict
from wyoming_kokoro.speakers.home_assistant.volume import Volume
from wyoming_kokoro.speakers.waiting import within

if TYPE_CHECKING:
    from wyoming_kokoro.model.announcement import Play
    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.speakers.home_assistant.connection import HomeAssistant
    from wyoming_kokoro.speakers.home_assistant.entity_state import EntityState
    from wyoming_kokoro.speakers.home_assistant.service_call import ServiceCall
    from wyoming_kokoro.speakers.remembered import Remembered

_CONNECT_SECONDS = 5.0
"""A connection that is on its way is waited for so long."""
_LOOK_SECONDS = 0.25
_STOP_SECONDS = 1.0
"""A player that plays on for so long after it was told to stop can't be stopped."""
_STOPPED = "it was stopped"


class HomeAssistantSpeaker:
    """Its `play` is one service call; what became of it is judged by `verdict`."""

    outlives_us = True

    def __init__(self, entity: str, audio_format: str, home: HomeAssistant, clock: Clock, remembered: Remembered) -> None:
        self.name = entity
        self._format = audio_format
        self._home = home
        self._clock = clock
        self._volume = Volume(entity, home, remembered)
        self._left_over = LeftOver(entity, remembered, clock)
        self._is_satellite = is_satellite(entity)
        self._tasks: TaskSet | None = None
        self._changed = Signal()
        self._is_busy = False
        self._playback: Evidence | None = None
        self._stopped: Stopped | None = None

    async def start(self) -> None:
        """Begin to follow the entity."""
        if self._tasks is None:
            self._tasks = TaskSet()
            self._home.watch(self.name, self)

    async def close(self) -> None:
        """Stop following it."""
        if self._tasks is not None:
            tasks, self._tasks = self._tasks, None
            await self._home.forget(self.name, self)
            await tasks.stop()

    def saw(self, state: EntityState | None) -> None:
        """Called by the connection for each state."""
        self._changed.notify()
        if self._playback is not None:
            self._playback.note_state(state, self._clock.monotonic())
        elif self._tasks is not None and self._volume.is_owed and state is not None and state.is_available:
            # After a crash of ours, or of the connection.
            self._tasks.start(self._restore_volume(), name=f"volume[{self.name}]")

    def lost_sight(self) -> None:
        """Called by the connection when it breaks."""
        if self._playback is not None:
            self._playback.note_blindness()
            self._changed.notify()

    async def play(self, play: Play) -> Played:
        """See `ports.Speaker`."""
        self._stopped = None
        if problem := await self._unfit():
            return Played(PlayOutcome.FAILED, problem)
        self._is_busy = True
        try:
            platform = await self._home.platform(self.name)
            remark = await self._set_volume(play.volume, platform)
            stopped = self._after_stop()  # it may have come while the volume was set
            played = stopped or await self._played(play, platform)
            await self._volume.restore()
        finally:
            self._is_busy = False
        return played._replace(reason="; ".join(filter(None, (played.reason, remark))))

    async def _played(self, play: Play, platform: str) -> Played:
        url = play.urls.get(self._format) or next(iter(play.urls.values()))
        state = self._home.state(self.name)
        evidence = Evidence(
            sent_at=self._clock.monotonic(),
            duration_seconds=play.duration_seconds,
            url=url,
            was_playing=state is not None and state.is_playing,
        )
        return await self._follow(play, evidence, playing(self.name, platform, url, play.volume))

    async def stop(self) -> Stopped | None:
        """By `media_stop`, and only where that does not stop somebody's music too."""
        evidence = self._playback
        if evidence is None and self._is_busy:
            self._stopped = Stopped(0.0)
            return self._stopped
        if evidence is None:
            return await self._stop_what_is_left()
        if not self._can_stop(evidence) or not isinstance(await self._home.call(media_stop(self.name)), Done):
            return None
        if evidence.began_at is None or not await within(self._clock, _STOP_SECONDS, self._silence(evidence)):
            return None
        self._stopped = Stopped(evidence.heard_seconds(self._clock.monotonic()))
        self._changed.notify()
        return self._stopped

    async def _stop_what_is_left(self) -> Stopped | None:
        """What an earlier process began; without its note nothing of ours plays."""
        heard, state = self._left_over.heard_seconds, self._home.state(self.name)
        if heard is None:
            return Stopped(0.0)
        if state is None or self._is_satellite or self._left_over.is_over_music or not state.can(Feature.STOP):
            return None
        if state.is_playing:
            if not isinstance(await self._home.call(media_stop(self.name)), Done):
                return None
            if not await within(self._clock, _STOP_SECONDS, self._idle()):
                return None
        await self._left_over.forget()
        return Stopped(heard if state.is_playing else 0.0)

    async def _idle(self) -> None:
        while (state := self._home.state(self.name)) is not None and state.is_playing:
            await self._changed.wait(self._changed.count)

    async def _restore_volume(self) -> None:
        """When nothing plays any more."""
        state = self._home.state(self.name)
        if not self._is_busy and state is not None and not state.is_playing:
            await self._volume.restore()

    async def _unfit(self) -> str:
        """Why it can't play now, in a sentence."""
        if not await self._home.ready(self.name, _CONNECT_SECONDS):
            return self._home.problem or f"Home Assistant does not say how {self.name} is"
        state = self._home.state(self.name)
        if state is None:
            return f"Home Assistant has no entity {self.name}"
        return "" if state.is_available else f"{self.name} is unavailable in Home Assistant"

    async def _set_volume(self, volume: float | None, platform: str) -> str:
        """What is to be remarked about it."""
        if volume is None or takes_volume(platform):
            return ""
        return "a satellite can't be told a volume" if self._is_satellite else await self._volume.set(volume)

    async def _follow(self, play: Play, evidence: Evidence, call: ServiceCall) -> Played:
        self._playback = evidence
        calling = asyncio.ensure_future(self._call(evidence, call))
        noting = asyncio.ensure_future(self._left_over.note(evidence))  # beside the call, which must not wait for the disk
        try:
            while True:
                seen = self._changed.count
                evidence.duration_seconds = play.known_duration_seconds
                if play.is_fetched():
                    evidence.note_fetched(self._clock.monotonic())
                if (played := self._judge(evidence, call)) is not None:
                    await noting
                    await self._left_over.forget()
                    return await self._at_the_end(evidence, played)
                await within(self._clock, _LOOK_SECONDS, self._changed.wait(seen))
        finally:
            self._playback = None
            calling.cancel()  # it goes on in Home Assistant, which shields it
            await asyncio.gather(calling, noting, return_exceptions=True)

    async def _call(self, evidence: Evidence, call: ServiceCall) -> None:
        evidence.note_answer(await self._home.call(call), self._clock.monotonic())
        self._changed.notify()

    def _judge(self, evidence: Evidence, call: ServiceCall) -> Played | None:
        return self._after_stop() or verdict(
            evidence,
            self._clock.monotonic(),
            answers_at_end=call.domain != "media_player",
            is_satellite=self._is_satellite,
        )

    def _after_stop(self) -> Played | None:
        return None if self._stopped is None else Played(PlayOutcome.FAILED, _STOPPED, self._stopped.position_seconds)

    async def _at_the_end(self, evidence: Evidence, played: Played) -> Played:
        """Whoever has not begun is told not to begin any more, so that another try is not heard twice."""
        may_begin = evidence.began_at is None and isinstance(evidence.answer, Done)
        if played.outcome is PlayOutcome.FAILED and may_begin and self._can_stop(evidence):
            await self._home.call(media_stop(self.name))
        return played

    def _can_stop(self, evidence: Evidence) -> bool:
        state = self._home.state(self.name)
        return not self._is_satellite and not evidence.was_playing and state is not None and state.can(Feature.STOP)

    async def _silence(self, evidence: Evidence) -> None:
        while evidence.ended_at is None:
            await self._changed.wait(self._changed.count)
