"""A message for rooms, and what a speaker made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.recipe import Profile, TextFormat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from wyoming_kokoro.model.ids import CastId
    from wyoming_kokoro.model.presentation import Presentation


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncementRequest:
    """A request as a frontend understood it; nothing in it has been checked against rooms, voices or limits."""

    text: str
    source: str
    """Who asked: the name of the door and of the peer."""
    rooms: tuple[str, ...] = ()
    """Where it is to be heard; empty is everywhere."""
    exclude: tuple[str, ...] = ()
    """Rooms where it is not to be heard, though they are named by `rooms`."""
    announcement_id: str | None = None
    """The asker's own name for it: a second request with a known one is the first again. None makes a fresh one."""
    digest: str = ""
    """Of the message as it came; a redelivered one that equals one of the last minutes is that one. Empty for none."""
    is_redelivered: bool = False
    """Whether the transport says that it may have brought this message before."""
    voice: str | None = None
    speed: float | None = None
    language: str | None = None
    profile: Profile = Profile.QUALITY
    text_format: TextFormat = TextFormat.PLAIN
    priority: Priority = Priority.NORMAL
    expires_in_seconds: float | None = None
    """From `sent_at_ms` on; None is the usual of its priority."""
    sent_at_ms: int | None = None
    """When the asker sent it (Unix time); None is now."""
    topic: str | None = None
    """A newer one of the same topic supersedes what was not heard yet."""
    chime: str | None = None
    """Heard before the speech; None is the room's own, empty is none."""
    lead_ms: int | None = None
    """Silence before everything; None is the room's own."""
    repeat: int = 1
    volume: float | None = None
    """0.0 to 1.0 while it is heard; None is the room's own."""


class PlayOutcome(StrEnum):
    """What a speaker made of it."""

    CONFIRMED = "confirmed"
    """There is evidence that it was heard to the end."""
    ASSUMED = "assumed"
    """Nothing speaks against it."""
    BUSY = "busy"
    """Nothing was heard: the speaker is taken; later it may work."""
    FAILED = "failed"
    """Nothing, or not all, was heard, and the speaker says why."""
    UNKNOWN = "unknown"
    """It may have been heard: it must not be tried again blindly."""


class Played(NamedTuple):
    """How one speaker's playback ended."""

    outcome: PlayOutcome
    reason: str = ""
    """A sentence for the receipt; empty where there is nothing to say."""
    position_seconds: float | None = None
    """How far it was heard, where the speaker knows."""


class Stopped(NamedTuple):
    """The speaker is silent now."""

    position_seconds: float
    """How far it had been heard, from the beginning of everything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """One playback: all that any kind of speaker needs for it."""

    play_id: str
    """Of this playback alone; another try has another one."""
    announcement_id: str
    room: str
    cast_id: CastId
    presentation: Presentation
    duration_seconds: float | None
    """Of everything that is heard, silence and repeats included; None where the cast is still being made."""
    volume: float | None
    """0.0 to 1.0; None leaves the speaker as it is."""
    urls: Mapping[str, str]
    """Absolute addresses by format (`mp3`, `wav`, `flac`, `opus`); each names the play id, so that fetching counts for it."""
    pcm: Callable[[], AsyncGenerator[bytes, None]]
    """The same sound as PCM in `model.audio.SPEECH`, for a speaker that is sent it; to be closed by who reads it."""
    is_fetched: Callable[[], bool]
    """Whether somebody has fetched one of `urls` from us to its last byte."""
    learnt_duration_seconds: Callable[[], float | None] = lambda: None
    """The same once the cast is made, meanwhile; None until then."""

    @property
    def known_duration_seconds(self) -> float | None:
        """How long everything is, as far as is known by now."""
        return self.learnt_duration_seconds() if self.duration_seconds is None else self.duration_seconds
