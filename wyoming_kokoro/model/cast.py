"""What is asked for, and how urgent it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from wyoming_kokoro.model.recipe import Profile, TextFormat


class Priority(IntEnum):
    """How urgent a cast is; a higher number goes first."""

    BACKGROUND = 0
    """Nobody waits for it."""
    LOW = 1
    NORMAL = 2
    HIGH = 3
    CRITICAL = 4
    """Strictly first: a smoke alarm."""

    @property
    def label(self) -> str:
        """The name that requests and records use."""
        return self.name.lower()

    @classmethod
    def from_label(cls, label: str) -> Priority:
        """The priority of that name; a ValueError if there is none."""
        try:
            return cls[label.upper()]
        except KeyError:
            names = ", ".join(priority.label for priority in reversed(cls))
            raise ValueError(f"one of {names}") from None


class CastState(StrEnum):
    """Where a cast stands."""

    QUEUED = "queued"
    SPEAKING = "speaking"
    DONE = "done"
    FAILED = "failed"
    EXPIRED = "expired"


class JobKind(StrEnum):
    """What a job asks a worker to do."""

    SPEAK = "speak"
    """Make the cast of a whole recipe."""
    LIVE = "live"
    """Make a cast whose text is still arriving on `in/<cast>`."""


class Outcome(StrEnum):
    """How a job was settled."""

    DONE = "done"
    DEAD = "dead"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Of the cast itself, not of a job: its records are gone, and whoever asks for it again has it made anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastRequest:
    """A request as a frontend understood it; nothing in it has been checked against voices or limits."""

    text: str = ""
    """Empty where the text is still to come."""
    source: str
    """Who asked: the name of the door and of the peer."""
    voice: str | None = None
    """Any name that a voice, an alias or a blend has; None is the default voice."""
    speed: float | None = None
    """None is the default speed."""
    language: str | None = None
    """None is the voice's own language."""
    profile: Profile = Profile.LATENCY
    text_format: TextFormat = TextFormat.PLAIN
    priority: Priority = Priority.NORMAL
    room: str | None = None
    """Counts for fairness."""
    keep: bool = False
    """Never expire the cast."""
    any_voice: bool = False
    """Speak with the default voice, and a warning, where the named one is not there."""
