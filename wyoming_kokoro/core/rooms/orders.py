"""Carries out what a room is told: once, in order, and only on what had been announced by then."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.rooms.book import Book
from wyoming_kokoro.core.rooms.controls import Controls
from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.podium import Podium
from wyoming_kokoro.core.rooms.queue import RoomQueue
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.model.errors import LogError, VoiceOfAHouseError
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.room import CommandKind, RoomCommand, RoomEventKind

_LOGGER = logging.getLogger(__name__)


class Orders:
    """Of one room."""

    def __init__(self, stage: Stage, controls: Controls, book: Book, queue: RoomQueue, podium: Podium) -> None:
        self._stage = stage
        self._controls = controls
        self._book = book
        self._queue = queue
        self._podium = podium

    async def carry_out(self, announced: Cursor) -> bool:
        """Carry out all commands that are about announcements below that place; whether one has to be tried again soon."""
        while self._controls.commands:
            seq_num, command = self._controls.commands[0]
            if announced < command.below:
                # What it is about has not been read yet: whoever reads it says so.
                return False
            try:
                await self._carry_out(command, seq_num)
            except LogError as error:
                _LOGGER.debug("room %s: %s has to wait: %s", self._stage.room, command.kind, error)
                return True
            self._controls.commands.popleft()
        return False

    async def drop(self, announcement_id: str, reason: str, *, below: Cursor | None = None) -> None:
        """Let it be heard no further, or not at all, if it was announced before that place."""
        heard, waiting = self._podium.entry, self._queue.find(announcement_id)
        is_heard = heard is not None and heard.announcement.announcement_id == announcement_id
        entry = heard if is_heard else waiting
        if entry is None or (below is not None and entry.order >= below):
            return
        if is_heard:
            await self._podium.cancel(reason)
        else:
            await self.end(entry, RoomEventKind.CANCELLED, reason)

    async def end(self, entry: Entry, kind: RoomEventKind, reason: str, *, field: str = "") -> None:
        """It leaves the queue, by that event."""
        await self._book.tell(entry.ended(kind, reason=reason, field=field))
        self._queue.remove(entry.order)

    async def _carry_out(self, command: RoomCommand, seq_num: SeqNum) -> None:
        match command.kind:
            case CommandKind.STOP:
                await self._clear(command.below, spared=None, reason="the room was stopped")
                entry = self._podium.entry
                if entry is not None and entry.order < command.below:
                    await self._podium.cancel("the room was stopped")
            case CommandKind.CLEAR:
                await self._clear(command.below, spared=command.announcement_id, reason="the queue was cleared")
            case CommandKind.SKIP if command.announcement_id is not None:
                await self.drop(command.announcement_id, "it was skipped")
            case CommandKind.SKIP:
                pass
            case CommandKind.REPLAY:
                await self._replay(command, seq_num)
            case CommandKind.PLAYED:
                self._stage.played(command.play_id)

    async def _clear(self, below: SeqNum, *, spared: str | None, reason: str) -> None:
        for entry in self._queue.below(below):
            if entry.announcement.announcement_id != spared:
                await self.end(entry, RoomEventKind.CANCELLED, reason)

    async def _replay(self, command: RoomCommand, seq_num: SeqNum) -> None:
        try:
            await self._stage.replay(self._stage.room, seq_num, command.since)
        except LogError:
            raise
        except VoiceOfAHouseError as error:
            _LOGGER.warning("room %s: nothing is played again: %s", self._stage.room, error)
