"""All rooms of a house, for the doors: what they do, what they are told, what happened in them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence

from wyoming_kokoro.core.announcements.shelf import AnnouncementShelf
from wyoming_kokoro.core.playback import is_command
from wyoming_kokoro.core.retrying import persistently
from wyoming_kokoro.core.rooms.controls import load_settings
from wyoming_kokoro.core.rooms.preferences import Preferences, Value
from wyoming_kokoro.core.rooms.runner import RoomRunner
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.rooms.view import NowPlaying, RoomState, RoomView
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.core.waiting import first_of
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import RefusedError, RoomNotFoundError
from wyoming_kokoro.model.ids import room_control_stream, room_stream
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Record, Sequenced
from wyoming_kokoro.model.room import CommandKind, RoomCommand, RoomSetting, SettingName
from wyoming_kokoro.ports import Voices

_LOGGER = logging.getLogger(__name__)

_SPEEDS = (0.5, 2.0)


class Rooms:
    """In the order of the settings. Commands and settings are durable when a call returns; all raise `RoomNotFoundError`
    for a room that there is not, and `LogError` where the journal does not take it."""

    def __init__(self, shop: Workshop, shelf: AnnouncementShelf, stages: Sequence[Stage], voices: Voices) -> None:
        self._shop = shop
        self._shelf = shelf
        self._voices = voices
        self._runners = {stage.room: RoomRunner(stage) for stage in stages}
        self._tasks = TaskSet()

    async def start(self) -> None:
        """Begin to run every room. What was set in earlier runs counts when this returns."""
        for room, runner in self._runners.items():
            await load_settings(self._shop.log, self._shop.clock, room, runner.stage.preferences)
        self._tasks.start(self._shelf.follow(), name="announcements")
        for room, runner in self._runners.items():
            self._tasks.start(self._shelf.follow_room(room), name=f"room.events[{room}]")
            self._tasks.start(runner.work(), name=f"room[{room}]")

    async def close(self) -> None:
        """Stop running the rooms. What plays without us goes on."""
        await self._tasks.stop()

    def names(self) -> tuple[str, ...]:
        """Of all rooms."""
        return tuple(self._runners)

    def view(self, room: str) -> RoomView:
        """A room as it is now."""
        runner = self._runner(room)
        director, preferences = runner.director, runner.stage.preferences
        queue = () if director is None else tuple(e.announcement.announcement_id for e in director.queue.entries())
        return RoomView(
            room=room,
            state=_state(runner),
            queue=queue,
            now_playing=_now_playing(runner),
            speakers=tuple(speaker.name for speaker in runner.stage.speakers),
            voice=preferences.voice,
            speed=preferences.speed,
            volume=preferences.volume,
            dnd=preferences.dnd,
            held_by=preferences.held_by(self._shop.clock.now_ms()),
            tail=0 if director is None else director.tail,
        )

    async def stop(self, room: str) -> None:
        """Silence it at once, and drop all that waits."""
        self._runner(room)
        tail = await self._announced()
        await self._command(room, RoomCommand(kind=CommandKind.STOP, below=tail))

    async def skip(self, room: str) -> None:
        """End what is heard, and go on with the next."""
        heard = _now_playing(self._runner(room))
        heard_id = None if heard is None else heard.announcement_id
        await self._command(room, RoomCommand(kind=CommandKind.SKIP, announcement_id=heard_id))

    async def clear(self, room: str) -> None:
        """Drop all that waits; what is heard goes on."""
        heard = _now_playing(self._runner(room))
        heard_id = None if heard is None else heard.announcement_id
        tail = await self._announced()
        await self._command(room, RoomCommand(kind=CommandKind.CLEAR, below=tail, announcement_id=heard_id))

    async def replay(self, room: str, *, since: Cursor | None = None) -> None:
        """Play again what was heard last; or all that has ended since an event, heard or missed, the newest of each topic."""
        await self._command(room, RoomCommand(kind=CommandKind.REPLAY, since=since))

    async def played(self, room: str, play_id: str) -> None:
        """Whoever plays for this room says that a playback has ended."""
        await self._command(room, RoomCommand(kind=CommandKind.PLAYED, play_id=play_id))

    async def set(self, room: str, **settings: Value) -> None:
        """Set `voice`, `speed`, `volume` or `dnd` from now on; None is what the options say. Raises `RefusedError`."""
        runner = self._runner(room)
        changes: list[Record] = [self._setting(name, value) for name, value in settings.items()]
        if changes:
            await self._control(room, changes)
        for change in changes:
            if isinstance(change, RoomSetting):
                runner.stage.preferences.apply(change)
        runner.told.notify()

    async def events(self, room: str, *, start: Cursor | None = None) -> AsyncGenerator[Sequenced, None]:
        """What happens in the room, from that place on or from now on, for ever; commands of the log are left out."""
        self._runner(room)
        stream = room_stream(room)
        if start is None:
            start = await self._shop.log.check_tail(stream)
        following = self._shop.log.follow(stream, start)
        try:
            async for sequenced in following:
                if not is_command(sequenced):
                    yield sequenced
        finally:
            await following.aclose()

    async def changes(self) -> AsyncGenerator[str, None]:
        """The name of each room, then of a room whenever its view has changed but for how far it is, for ever; many changes in
        a row count once."""
        shown: dict[str, RoomView] = {}
        while True:
            seen = {room: runner.told.count for room, runner in self._runners.items()}
            for room in self._runners:
                if (glance := self.view(room).glance) != shown.get(room):
                    shown[room] = glance
                    yield room
            never: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # where there are no rooms
            await first_of(never, *(self._runners[room].told.wait(count) for room, count in seen.items()))

    def preferences(self, room: str) -> Preferences:
        """How the room likes to be spoken to."""
        return self._runner(room).stage.preferences

    def _runner(self, room: str) -> RoomRunner:
        try:
            return self._runners[room]
        except KeyError:
            raise RoomNotFoundError(room, self.names()) from None

    async def _announced(self) -> Cursor:
        """Place behind all that was announced so far."""
        await self._shelf.ready()
        return self._shelf.tail

    async def _command(self, room: str, command: RoomCommand) -> None:
        self._runner(room)
        await self._control(room, [command])
        _LOGGER.info("room %s: %s", room, command.kind)

    async def _control(self, room: str, records: Sequence[Record]) -> None:
        stream = room_control_stream(room)
        await persistently(self._shop.clock, lambda: self._shop.log.append(stream, records))

    def _setting(self, name: str, value: Value) -> RoomSetting:
        if name not in list(SettingName):
            raise RefusedError(name, f"there is no such setting; there are {', '.join(SettingName)}")
        setting = SettingName(name)
        if value is None:
            return RoomSetting(name=setting, value=None)
        match setting:
            case SettingName.VOICE:
                if not isinstance(value, str):
                    raise RefusedError(name, "the name of a voice is expected")
                return RoomSetting(name=setting, value=self._voices.resolve(value).name)
            case SettingName.DND:
                if not isinstance(value, bool):
                    raise RefusedError(name, "true or false is expected")
                return RoomSetting(name=setting, value=value)
            case SettingName.SPEED:
                return RoomSetting(name=setting, value=_number(name, value, *_SPEEDS))
            case SettingName.VOLUME:
                return RoomSetting(name=setting, value=_number(name, value, 0.0, 1.0))


def _number(name: str, value: Value, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise RefusedError(name, f"a number from {low:g} to {high:g} is expected")
    return float(value)


def _now_playing(runner: RoomRunner) -> NowPlaying | None:
    podium = None if runner.director is None else runner.director.podium
    if podium is None or podium.entry is None:
        return None
    announcement = podium.entry.announcement
    return NowPlaying(
        announcement_id=announcement.announcement_id,
        cast_id=announcement.cast_id,
        play_id=podium.play_id,
        position_seconds=round(podium.position_seconds, 3),
    )


def _state(runner: RoomRunner) -> RoomState:
    director = runner.director
    if director is None or not director.is_open:
        return RoomState.AWAY
    if director.podium.entry is not None:
        return RoomState.PLAYING
    if not len(director.queue):
        return RoomState.IDLE
    if director.is_waiting_for_cast:
        return RoomState.SYNTHESIZING
    return RoomState.HELD if director.held_by else RoomState.WAITING
