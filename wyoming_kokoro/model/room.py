"""What the streams of announcements and rooms hold.

| stream | records |
|---|---|
| `announcements` | `Announcement`, `Withdrawal` |
| `rooms/<room>` | `RoomEvent` |
| `rooms/<room>/_cursor` | `RoomPlace` |
| `rooms/<room>/control` | `RoomCommand`, `RoomSetting` (the last value of each name counts) |
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """Play this cast in these rooms, by then, at this priority. Its ack is the acceptance."""

    announcement_id: str
    recipe: Recipe
    rooms: tuple[str, ...]
    """Where it is to be heard; never empty."""
    priority: Priority
    source: str
    expires_ms: int
    """After this (Unix time) it is not begun any more."""
    asked: str
    """Digest of what was asked for: another request under the same id differs in it."""
    digest: str = ""
    """Of the message as it came, for the rule of redelivery; empty for none."""
    topic: str | None = None
    chime: str | None = None
    """None is the room's own, empty is none."""
    lead_ms: int | None = None
    repeat: int = 1
    volume: float | None = None
    replay_of: str | None = None
    """The announcement that is heard again with it: asked for on the spot, so nothing holds it back."""

    @property
    def cast_id(self) -> CastId:
        """What is played."""
        return self.recipe.cast_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Takes back an announcement, in all its rooms."""

    announcement_id: str


class RoomEventKind(StrEnum):
    """What became of an announcement in a room."""

    QUEUED = "queued"
    HELD = "held"
    """It waits for the end of quiet hours, or of do-not-disturb."""
    STARTED = "started"
    SENTENCE = "sentence"
    """That sentence begins to be heard."""
    INTERRUPTED = "interrupted"
    """A more urgent one is heard first; this one returns."""
    WARNING = "warning"
    """Something went wrong, and it is tried again."""
    FINISHED = "finished"
    FAILED = "failed"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"

    @property
    def is_final(self) -> bool:
        """Whether nothing follows for this announcement in this room: each ends in exactly one such event."""
        return self in _FINAL


_FINAL = frozenset(
    {
        RoomEventKind.FINISHED,
        RoomEventKind.FAILED,
        RoomEventKind.EXPIRED,
        RoomEventKind.CANCELLED,
        RoomEventKind.SUPERSEDED,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerResult:
    """What one speaker made of an announcement."""

    speaker: str
    outcome: PlayOutcome | None = None
    """None while it plays."""
    reason: str = ""
    position_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomEvent:
    """One thing that happened to one announcement in one room."""

    event: RoomEventKind
    announcement_id: str
    order: SeqNum
    """Place of the announcement in `announcements`."""
    cast_id: CastId
    index: int | None = None
    """Sentence that begins, or with which it goes on."""
    position_seconds: float | None = None
    """How far it was heard."""
    duration_seconds: float | None = None
    """Of all that is heard, on `started`; None while the cast is still being made."""
    reason: str = ""
    field: str = ""
    """What of the request the reason is about."""
    play_id: str = ""
    urls: tuple[tuple[str, str], ...] = ()
    """Absolute addresses of what is played, by format, on `started`."""
    speakers: tuple[SpeakerResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPlace:
    """How far a room has come."""

    announcements: Cursor
    """Every announcement below it has ended in this room."""
    events: Cursor
    """Oldest event of this room that is about an announcement at or above `announcements`, or the tail."""
    control: Cursor
    """Every command below it was carried out."""


class CommandKind(StrEnum):
    """What a room is told to do."""

    STOP = "stop"
    """Be silent, and drop what waits."""
    SKIP = "skip"
    """End the one that is heard, and go on with the next."""
    CLEAR = "clear"
    """Drop what waits."""
    REPLAY = "replay"
    """Play again what was heard last, or all since some event."""
    PLAYED = "played"
    """Whoever plays for this room says that a playback has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomCommand:
    """One command; carrying it out twice does no more than once."""

    kind: CommandKind
    below: SeqNum = 0
    """`stop` and `clear` concern announcements below it: later ones are not meant."""
    announcement_id: str | None = None
    """The one that was heard when the command was given: what `skip` ends and `clear` spares."""
    since: Cursor | None = None
    """For `replay`: the first event of the room that counts."""
    play_id: str = ""
    """For `played`."""


class SettingName(StrEnum):
    """What can be set in a room while it runs."""

    VOICE = "voice"
    SPEED = "speed"
    VOLUME = "volume"
    DND = "dnd"
    """Do not disturb."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSetting:
    """The value of one setting from now on."""

    name: SettingName
    value: str | float | bool | None
    """None is what the options say."""
