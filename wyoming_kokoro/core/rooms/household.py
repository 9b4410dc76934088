"""The rooms of a house with their speakers, and what is put together for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wyoming_kokoro.core.acceptance import Acceptance
from wyoming_kokoro.core.announcements.announcements import Announcements
from wyoming_kokoro.core.announcements.shelf import AnnouncementShelf
from wyoming_kokoro.core.audio_links import AudioLinks
from wyoming_kokoro.core.fetches import Fetches
from wyoming_kokoro.core.listening import Listening
from wyoming_kokoro.core.play_links import PlayLinks
from wyoming_kokoro.core.rooms.preferences import Preferences
from wyoming_kokoro.core.rooms.readiness import Readiness
from wyoming_kokoro.core.rooms.rooms import Rooms
from wyoming_kokoro.core.rooms.shortening import Shortening
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.ports import Speaker, Voices
from wyoming_kokoro.settings import RoomSettings, WorkSettings


def _unheard(_: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Household:
    """Which rooms there are, and what stands in them."""

    rooms: Sequence[RoomSettings] = ()
    speakers: Mapping[str, Sequence[Speaker]] = field(default_factory=dict)
    """Of each room, by its name; begun by the room, closed by whoever made them."""
    links: PlayLinks = field(default_factory=lambda: PlayLinks(AudioLinks("")))
    """Where speakers fetch what they play."""
    played: Callable[[str], object] = _unheard
    """Told of the id of a playback that somebody outside says has ended."""


class Announced(NamedTuple):
    """What there is for announcements."""

    announcements: Announcements
    rooms: Rooms
    shelf: AnnouncementShelf
    fetches: Fetches
    shortening: Shortening


def open_rooms(
    household: Household,
    shop: Workshop,
    worker: Worker,
    acceptance: Acceptance,
    listening: Listening,
    voices: Voices,
    settings: WorkSettings,
    dedupe_hours: int,
) -> Announced:
    """Put together; nothing runs yet."""
    preferences = {room.name: Preferences(room) for room in household.rooms}
    shelf = AnnouncementShelf(shop.log, shop.clock, preferences, dedupe_hours=dedupe_hours)
    readiness, fetches = Readiness(shop, acceptance), Fetches()
    announcements = Announcements(shop, acceptance, readiness, shelf, preferences, settings)
    stages = [
        Stage(
            room=room,
            preferences=preferences[room],
            speakers=household.speakers.get(room, ()),
            shop=shop,
            listening=listening,
            readiness=readiness,
            shelf=shelf,
            links=household.links,
            fetches=fetches,
            played=household.played,
            expect=worker.expect,
            replay=announcements.replay,
        )
        for room in preferences
    ]
    shortening = Shortening(shop.log, shelf, preferences)
    return Announced(announcements, Rooms(shop, shelf, stages, voices), shelf, fetches, shortening)
