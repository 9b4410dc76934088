"""What goes out by itself: the events of the rooms, and what stands on the retained topics."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro import __version__
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.frontends.mqtt.event_payload import SentencePace, encode
from wyoming_kokoro.frontends.room_document import event_document, room_document
from wyoming_kokoro.model.errors import AnnouncementNotFoundError, LogError
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.core.rooms.view import RoomView
    from wyoming_kokoro.frontends.mqtt.board import Board
    from wyoming_kokoro.frontends.mqtt.discovery import Discovery
    from wyoming_kokoro.frontends.mqtt.outlet import Outlet
    from wyoming_kokoro.frontends.mqtt.topics import Topics
    from wyoming_kokoro.model.records import Sequenced
    from wyoming_kokoro.ports import Voices

_LOGGER = logging.getLogger(__name__)

_SENTENCE_LASTS_MS = 5000
"""Which sentence is heard is no news after that: the broker was away, or slow."""


class Told(NamedTuple):
    """What the feeds tell of, and how much."""

    house: House
    voices: Voices
    model: str
    """Fingerprint of what speaks."""
    speed: float
    """Pace where a room has none of its own."""
    has_discovery: bool
    is_private: bool
    """Whether the texts of announcements stay out of what is retained."""


class Feeds:
    """Fills the board, and follows each room."""

    def __init__(self, told: Told, topics: Topics, discovery: Discovery, outlet: Outlet, board: Board) -> None:
        self._told = told
        self._house = told.house
        self._topics = topics
        self._discovery = discovery
        self._outlet = outlet
        self._board = board
        self._clock = told.house.shop.clock
        self._texts: dict[str, tuple[str, str]] = {}
        """What is heard in each room, id and text; empty where that is private."""

    def post_all(self) -> None:
        """Everything that is retained; that we are online comes last."""
        topics, rooms = self._topics, self._house.rooms.names()
        self._board.post(topics.device(), self._discovery.server() if self._told.has_discovery else b"")
        for room in rooms:
            self.post_room(room)
        self._board.post(topics.info, encode(self._info(rooms)))
        self._board.post(topics.status, b"online")

    def post_room(self, room: str) -> None:
        """How a room is, and how Home Assistant sees it."""
        view, device = self._house.rooms.view(room), b""
        if self._told.has_discovery:
            names, chosen = [voice.name for voice in self._told.voices.all() if voice.installed], self._voice(view)
            device = self._discovery.room(room, names if chosen in names else [*names, chosen])
        self._board.post(self._topics.device(room), device)
        self._board.post(self._topics.room(room, "state"), encode(self._state(view)))

    def _state(self, view: RoomView) -> dict[str, object]:
        """With what counts where nothing is set, and without what would be old at once."""
        document = room_document(view)
        del document["tail"]
        document["settings"] = {
            "voice": self._voice(view),
            "speed": self._told.speed if view.speed is None else view.speed,
            "volume": view.volume,
            "dnd": view.dnd,
        }
        if isinstance(now := document["now_playing"], dict):
            del now["position_seconds"]
            known, text = self._texts.get(view.room, ("", ""))
            if known == now["id"]:
                now["text"] = text
        return document

    def _voice(self, view: RoomView) -> str:
        return view.voice or self._told.voices.default.name

    def remove_room(self, room: str) -> None:
        """A room that there is no more: nothing of it stays with the broker, or in Home Assistant."""
        if room not in self._house.rooms.names():
            self._board.post(self._topics.device(room), b"")
            self._board.post(self._topics.room(room, "state"), b"")

    def repeat_for_home_assistant(self) -> None:
        """It has come up, and may have forgotten us."""
        rooms = self._house.rooms.names()
        self._board.repeat([self._topics.device(), *(self._topics.device(room) for room in rooms)])
        self._board.repeat([*(self._topics.room(room, "state") for room in rooms), self._topics.status])

    async def follow_changes(self) -> None:
        """Keep the states true, for ever."""
        async with contextlib.aclosing(self._house.rooms.changes()) as changes:
            async for room in changes:
                if not self._told.is_private:
                    await self._learn_text(room)
                self.post_room(room)

    async def follow_events(self, room: str) -> None:
        """Tell what happens there from now on, also what happened while the broker was away; for ever."""
        pace, topic = SentencePace(), self._topics.room(room, "event")
        async with contextlib.aclosing(self._events(room)) as events:
            async for sequenced in events:
                event = sequenced.record
                if not isinstance(event, RoomEvent):
                    continue
                if event.event is RoomEventKind.SENTENCE:
                    is_old = self._clock.now_ms() - sequenced.timestamp_ms > _SENTENCE_LASTS_MS
                    if is_old or not pace.lets_through(sequenced.timestamp_ms):
                        continue
                document = event_document(room, sequenced.seq_num, sequenced.timestamp_ms, event)
                await self._outlet.publish(topic, encode(document))

    async def _events(self, room: str) -> AsyncGenerator[Sequenced, None]:
        """Of a room, also where the journal is away at first."""
        backoff = Backoff(self._clock)
        while True:
            try:
                async with contextlib.aclosing(self._house.rooms.events(room)) as events:
                    async for sequenced in events:
                        yield sequenced
            except LogError as error:
                _LOGGER.debug("MQTT: the events of %s wait for the journal: %s", room, error)
                await backoff.wait()

    async def _learn_text(self, room: str) -> None:
        now = self._house.rooms.view(room).now_playing
        if now is None or self._texts.get(room, ("", ""))[0] == now.announcement_id:
            return
        with contextlib.suppress(LogError, AnnouncementNotFoundError):
            text = (await self._house.announcements.get(now.announcement_id)).text
            self._texts[room] = (now.announcement_id, text)

    def _info(self, rooms: tuple[str, ...]) -> dict[str, object]:
        offered = [voice for voice in self._told.voices.all() if voice.installed]
        return {
            "version": __version__,
            "instance": self._topics.instance,
            "rooms": rooms,
            "voices": [{"name": voice.name, "language": voice.language} for voice in offered],
            "model": self._told.model,
        }
