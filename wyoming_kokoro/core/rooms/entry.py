"""One announcement as a room sees it: where it stands in the queue, and what has been made of it so far. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.room import Announcement, RoomEvent, RoomEventKind, SpeakerResult

HEARD = (PlayOutcome.CONFIRMED, PlayOutcome.ASSUMED)
"""A room has heard an announcement when one of its speakers says so."""

_AGAIN = (PlayOutcome.BUSY, PlayOutcome.FAILED)
"""What is safe to be tried again."""

_BEGUN_LASTS_MS = 600_000
"""What was begun may be ended so long after it was last heard, though it has expired meanwhile."""


@dataclass(slots=True, kw_only=True)
class Entry:
    """In the queue, or being played."""

    announcement: Announcement
    order: SeqNum
    """Its place in `announcements`."""
    first_index: int = 0
    """Sentence with which it goes on."""
    repeat: int = 1
    """How often it is still to be heard."""
    results: dict[str, SpeakerResult] = field(default_factory=dict)
    """The newest of each speaker."""
    last_heard_ms: int | None = None
    """When (Unix time) it was last being heard; None where it was not begun."""
    rests_until: float = 0.0
    """Not tried before that (monotonic)."""
    is_blocking: bool = False
    """Whether those behind it wait while it rests, so that the order stays."""
    is_held: bool = False
    tries: int = 0

    @classmethod
    def of(cls, announcement: Announcement, order: SeqNum) -> Entry:
        """One that nothing has happened to."""
        return cls(announcement=announcement, order=order, repeat=announcement.repeat)

    @property
    def rank(self) -> tuple[int, SeqNum]:
        """The lowest is first: by priority, then in the order of acceptance."""
        return (-self.announcement.priority, self.order)

    @property
    def is_critical(self) -> bool:
        """Whether it goes through everything."""
        return self.announcement.priority is Priority.CRITICAL

    @property
    def may_be_held(self) -> bool:
        """Whether quiet hours and do-not-disturb concern it."""
        return not self.is_critical and self.announcement.replay_of is None

    @property
    def expires_ms(self) -> int:
        """After this (Unix time) it is not played any more."""
        if self.last_heard_ms is None:
            return self.announcement.expires_ms
        return max(self.announcement.expires_ms, self.last_heard_ms + _BEGUN_LASTS_MS)

    @property
    def is_resumed(self) -> bool:
        """Whether the beginning has been heard."""
        return self.first_index > 0

    @property
    def is_heard(self) -> bool:
        """Whether one speaker has played it."""
        return any(result.outcome in HEARD for result in self.results.values())

    @property
    def failure(self) -> str:
        """Why it was not heard so far, of all speakers; empty where nothing was tried."""
        told = [result for result in self.results.values() if result.outcome not in (None, *HEARD)]
        return "; ".join(f"{result.speaker}: {result.reason or result.outcome}" for result in told)

    @property
    def is_only_busy(self) -> bool:
        """Whether all that stands against it is that the speakers are taken."""
        outcomes = {result.outcome for result in self.results.values()}
        return PlayOutcome.BUSY in outcomes and PlayOutcome.FAILED not in outcomes

    def speakers_left(self, names: Iterable[str]) -> list[str]:
        """Those of the room's speakers on which it may be tried: never one that may have played it."""
        return [name for name in names if name not in self.results or self.results[name].outcome in (None, *_AGAIN)]

    def take_in(self, results: Iterable[SpeakerResult]) -> None:
        """What the speakers made of it this time."""
        for result in results:
            self.results[result.speaker] = result

    def event(self, kind: RoomEventKind, *, reason: str = "", **details: Any) -> RoomEvent:  # Any: the fields of RoomEvent
        """What happened to it now."""
        return RoomEvent(
            event=kind,
            announcement_id=self.announcement.announcement_id,
            order=self.order,
            cast_id=self.announcement.cast_id,
            reason=reason,
            **details,
        )

    def ended(self, kind: RoomEventKind, *, reason: str = "", **details: Any) -> RoomEvent:  # Any: the fields of RoomEvent
        """Its last event, with what every speaker made of it."""
        return self.event(kind, reason=reason, speakers=tuple(self.results.values()), **details)

    def rest(self, until: float, *, is_blocking: bool) -> None:
        """Try it again then."""
        self.tries += 1
        self.rests_until = until
        self.is_blocking = is_blocking
