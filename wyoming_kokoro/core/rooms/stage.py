"""What a room's runner works with."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass

from wyoming_kokoro.core.announcements.shelf import AnnouncementShelf
from wyoming_kokoro.core.expectation import Expectation
from wyoming_kokoro.core.fetches import Fetches
from wyoming_kokoro.core.listening import Listening
from wyoming_kokoro.core.play_links import PlayLinks
from wyoming_kokoro.core.rooms.preferences import Preferences
from wyoming_kokoro.core.rooms.readiness import Readiness
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.ports import Speaker

Replay = Callable[[str, SeqNum, Cursor | None], Coroutine[None, None, None]]
"""Accepts again what a room has heard: the room, the place of the command, and from which event on."""


Expect = Callable[[CastId, str, Expectation | None], None]
"""A room waits for a cast like that, or no longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One room's surroundings."""

    room: str
    preferences: Preferences
    speakers: Sequence[Speaker]
    shop: Workshop
    listening: Listening
    readiness: Readiness
    shelf: AnnouncementShelf
    links: PlayLinks
    fetches: Fetches
    played: Callable[[str], object]
    """Told of the id of a playback that somebody says has ended."""
    expect: Expect
    """Tells whoever makes casts when this room needs one."""
    replay: Replay

    @property
    def now(self) -> float:
        """Monotonic seconds."""
        return self.shop.clock.monotonic()

    @property
    def now_ms(self) -> int:
        """Unix time."""
        return self.shop.clock.now_ms()
