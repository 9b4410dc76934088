"""The core's desk for announcements: accept, look, take back, play again."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import logging
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import NamedTuple

from wyoming_kokoro.core.acceptance import Acceptance
from wyoming_kokoro.core.announcements.shelf import AnnouncementShelf, Shelved
from wyoming_kokoro.core.announcements.terms import announcement_of, asked, cast_request, rooms_of
from wyoming_kokoro.core.announcements.view import AnnouncementView, receipt_of
from wyoming_kokoro.core.page_token import parse_page_token
from wyoming_kokoro.core.retrying import persistently
from wyoming_kokoro.core.rooms.preferences import Preferences
from wyoming_kokoro.core.rooms.readiness import Readiness
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.announcement import AnnouncementRequest
from wyoming_kokoro.model.cast import CastRequest, Priority
from wyoming_kokoro.model.errors import (
    AnnouncementNotFoundError,
    IdempotencyMismatchError,
    QueueFullError,
)
from wyoming_kokoro.model.ids import ANNOUNCEMENTS, CastId
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.room import Announcement, RoomEventKind, Withdrawal
from wyoming_kokoro.settings import WorkSettings

_LOGGER = logging.getLogger(__name__)

_ID_BYTES = 10
_REPLAY_SECONDS = 600
_WORTH_HEARING = (RoomEventKind.FINISHED, RoomEventKind.FAILED, RoomEventKind.EXPIRED)
"""Ends after which somebody may want to hear it again; what was cancelled or superseded is not missed."""


class AcceptedAnnouncement(NamedTuple):
    """It is durable, or was before."""

    announcement_id: str
    cast_id: CastId
    rooms: tuple[str, ...]
    is_new: bool
    """False where this request was accepted before."""


class Announcements:
    """Whatever is not said otherwise raises `LogError` where the journal can't be asked."""

    def __init__(
        self,
        shop: Workshop,
        acceptance: Acceptance,
        readiness: Readiness,
        shelf: AnnouncementShelf,
        preferences: Mapping[str, Preferences],
        settings: WorkSettings,
    ) -> None:
        self._shop = shop
        self._acceptance = acceptance
        self._readiness = readiness
        self._shelf = shelf
        self._preferences = preferences
        self._settings = settings
        self._turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._reserved: dict[str, list[Priority]] = {room: [] for room in preferences}
        """Places in the rooms' queues that are being taken."""

    async def accept(self, request: AnnouncementRequest) -> AcceptedAnnouncement:
        """Return once it is durable; a known id, or a message that the transport brings again, is the first one again.

        Raises `RefusedError` for a request that is wrong, `IdempotencyMismatchError` for another one under a known id,
        `QueueFullError`, and `LogError` where the journal does not take it.
        """
        await self._shelf.ready()
        async with self._turn(request):
            known = self._known(request)
            return known or await self._accept(request)

    async def get(self, announcement_id: str) -> AnnouncementView:
        """All that is known of it. Raises `AnnouncementNotFoundError`."""
        await self._shelf.ready()
        return await self._view(self._find(announcement_id))

    async def newest(self, *, limit: int = 50, before: str | None = None) -> tuple[list[AnnouncementView], str | None]:
        """At most `limit`, newest first, and the token of the next page, if there is one. Raises `RefusedError`."""
        await self._shelf.ready()
        found: list[Shelved] = []
        for shelved in self._shelf.newest(parse_page_token(before)):
            found.append(shelved)
            if len(found) > limit:
                break
        shown = found[:limit]
        views = await asyncio.gather(*(self._view(shelved) for shelved in shown))
        return list(views), str(shown[-1].order) if len(found) > limit else None

    async def history(self, room: str, *, since: Cursor | None = None, limit: int = 50) -> list[AnnouncementView]:
        """What has ended in a room, the newest end first; or what somebody has missed who was away since that event of the
        room, oldest first: all that was heard, failed or expired, the newest of each topic."""
        await self._shelf.ready()
        if since is not None:
            found = self._worth_replaying(room, since)
        else:
            over = [each for each in self._shelf.newest() if room in each.pasts and each.pasts[room].is_over]
            found = sorted(over, key=lambda each: -each.pasts[room].last_event)
        return list(await asyncio.gather(*(self._view(shelved) for shelved in found[:limit])))

    async def cancel(self, announcement_id: str) -> None:
        """Take it back in every room where it has not ended. Raises `AnnouncementNotFoundError`."""
        await self._shelf.ready()
        self._find(announcement_id)
        withdrawal = Withdrawal(announcement_id=announcement_id)
        await persistently(self._shop.clock, lambda: self._shop.log.append(ANNOUNCEMENTS, [withdrawal]))
        _LOGGER.info("announcement %s is withdrawn", announcement_id)

    async def replay(self, room: str, command: SeqNum, since: Cursor | None) -> None:
        """Announce again in one room what it has heard; the place of the command makes their ids, so that a command that is
        carried out twice plays nothing twice."""
        for number, shelved in enumerate(self._worth_replaying(room, since)):
            first = await self._read(shelved)
            now_ms = self._shop.clock.now_ms()
            again = dataclasses.replace(
                first,
                announcement_id=f"{room}.replay.{command}.{number}",
                rooms=(room,),
                priority=min(first.priority, Priority.HIGH),
                source="replay",
                expires_ms=now_ms + 1000 * _REPLAY_SECONDS,
                asked="",
                digest="",
                topic=None,
                replay_of=first.replay_of or first.announcement_id,
            )
            request = CastRequest(text=first.recipe.text, source="replay", priority=again.priority, room=room)
            if self._shelf.known(again.announcement_id) is None:
                await self._announce(again, request)

    # -- accepting -------------------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _turn(self, request: AnnouncementRequest) -> AsyncIterator[None]:
        """One request under an id, and one of a digest, at a time."""
        names = {f"id {request.announcement_id}", f"digest {request.digest}"} - {"id None", "digest "}
        async with contextlib.AsyncExitStack() as stack:
            for name in sorted(names):
                await stack.enter_async_context(self._turns.setdefault(name, asyncio.Lock()))
            yield

    def _known(self, request: AnnouncementRequest) -> AcceptedAnnouncement | None:
        shelved = None if request.announcement_id is None else self._shelf.known(request.announcement_id)
        if shelved is not None and shelved.asked != asked(request):
            raise IdempotencyMismatchError("id")
        if shelved is None and request.is_redelivered:
            shelved = self._shelf.redelivered(request.digest)
        if shelved is None:
            return None
        return AcceptedAnnouncement(shelved.announcement_id, shelved.cast_id, shelved.rooms, is_new=False)

    async def _accept(self, request: AnnouncementRequest) -> AcceptedAnnouncement:
        rooms = rooms_of(request, tuple(self._preferences))
        wanted = cast_request(request, rooms, self._preferences)
        recipe = await self._acceptance.recipes.whole_in_slices(wanted)
        announcement_id = request.announcement_id or self._shop.clock.entropy(_ID_BYTES).hex()
        announcement = announcement_of(request, announcement_id, recipe, rooms, self._shop.clock.now_ms())
        with self._places(rooms, request.priority):
            await self._announce(announcement, wanted)
        _LOGGER.info("%s: announcement %s: cast %s in %s", request.source, announcement_id, recipe.cast_id, ", ".join(rooms))
        return AcceptedAnnouncement(announcement_id, recipe.cast_id, rooms, is_new=True)

    async def _announce(self, announcement: Announcement, wanted: CastRequest) -> None:
        with self._readiness.accepting(announcement.cast_id):
            ack = await self._acceptance.accept_announced(announcement.recipe, wanted, announcement)
            await self._shelf.took_in(ack.tail)

    @contextlib.contextmanager
    def _places(self, rooms: tuple[str, ...], priority: Priority) -> Iterator[None]:
        """A place in the queue of each room. What is critical has places of its own: a full queue must not silence an alarm.
        Raises `QueueFullError`."""
        is_critical = priority is Priority.CRITICAL
        for room in rooms:
            waiting = [*self._shelf.waiting(room).values(), *self._reserved[room]]
            if sum((each is Priority.CRITICAL) == is_critical for each in waiting) >= self._settings.max_queue_per_room:
                raise QueueFullError(self._settings.max_queue_per_room, room=room)
        for room in rooms:
            self._reserved[room].append(priority)
        try:
            yield
        finally:
            for room in rooms:
                self._reserved[room].remove(priority)

    # -- looking ---------------------------------------------------------------------------------------------------------------

    def _find(self, announcement_id: str) -> Shelved:
        shelved = self._shelf.find(announcement_id)
        if shelved is None:
            raise AnnouncementNotFoundError(f"there is no announcement {announcement_id[:60]!r}")
        return shelved

    async def _read(self, shelved: Shelved) -> Announcement:
        records = await self._shop.log.read(ANNOUNCEMENTS, shelved.order, limit=1)
        record = records[0].record if records and records[0].seq_num == shelved.order else None
        if not isinstance(record, Announcement):
            raise AnnouncementNotFoundError(f"announcement {shelved.announcement_id!r} is gone")
        return record

    async def _view(self, shelved: Shelved) -> AnnouncementView:
        record = await self._read(shelved)
        return AnnouncementView(
            announcement_id=record.announcement_id,
            cast_id=record.cast_id,
            text=record.recipe.text,
            voice=record.recipe.voice,
            language=record.recipe.language,
            priority=record.priority,
            source=record.source,
            topic=record.topic,
            replay_of=record.replay_of,
            accepted_ms=shelved.at_ms,
            expires_ms=record.expires_ms,
            rooms={room: receipt_of(shelved.pasts.get(room)) for room in record.rooms},
        )

    def _worth_replaying(self, room: str, since: Cursor | None) -> list[Shelved]:
        """What was heard there last; or all that has ended since an event, heard or missed, oldest first, the newest of each
        topic."""
        ended = {each.order: each.pasts[room] for each in self._shelf.newest() if room in each.pasts}
        over = [each for each in self._shelf.newest() if each.order in ended and ended[each.order].event in _WORTH_HEARING]
        if since is None:
            heard = (each for each in over if ended[each.order].event is RoomEventKind.FINISHED)
            last = max(heard, key=lambda each: ended[each.order].last_event, default=None)
            return [] if last is None else [last]
        missed = [each for each in over if ended[each.order].last_event >= since and each.replay_of is None]
        newest_of = {each.topic: each for each in reversed(missed) if each.topic is not None}
        kept = [each for each in missed if each.topic is None or newest_of[each.topic] is each]
        return sorted(kept[: self._settings.max_queue_per_room], key=lambda each: each.order)
