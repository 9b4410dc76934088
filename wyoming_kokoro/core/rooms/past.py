"""What has become of one announcement in one room, as its events tell. Pure: a fold over them."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Sequenced
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind, SpeakerResult


@dataclass(slots=True)
class Past:
    """The state after the events that were added; without any the room has not met it yet."""

    event: RoomEventKind | None = None
    """The last one that changed where it stands: neither a `sentence` nor a `warning`."""
    at_ms: int = 0
    first_event: SeqNum = 0
    last_event: SeqNum = 0
    index: int = 0
    """Sentence that is heard, or with which it goes on."""
    times_heard: int = 0
    """How often all of it was heard, where it is heard several times."""
    position_seconds: float | None = None
    reason: str = ""
    wrong_field: str = ""
    """What of the request the reason is about."""
    started: RoomEvent | None = None
    """The playback that is under way, as far as the events say."""
    begun_ms: int = 0
    """When (Unix time) it began to be heard, as far as the events say."""
    results: dict[str, SpeakerResult] = field(default_factory=dict)

    @property
    def is_over(self) -> bool:
        """Whether nothing follows."""
        return self.event is not None and self.event.is_final

    def add(self, sequenced: Sequenced) -> None:
        """Take in the next event of this announcement."""
        event = sequenced.record
        if not isinstance(event, RoomEvent):
            return
        if self.event is None:
            self.first_event = sequenced.seq_num
        self.last_event, self.at_ms = sequenced.seq_num, sequenced.timestamp_ms
        self.results.update({result.speaker: result for result in event.speakers if result.outcome is not None})
        match event.event:
            case RoomEventKind.SENTENCE:
                self._sentence(event)
            case RoomEventKind.WARNING:
                self._warning(event)
            case kind:
                self._change(kind, event)

    def _sentence(self, event: RoomEvent) -> None:
        index = event.index or 0
        self.times_heard += index < self.index
        self.index = index
        self.position_seconds = event.position_seconds
        # A reply of the journal may have been late: the sentences tell better when it began.
        self.begun_ms = max(self.begun_ms, self.at_ms - round(1000 * (event.position_seconds or 0.0)))

    def _warning(self, event: RoomEvent) -> None:
        self.reason = event.reason
        if event.speakers:
            # What was tried has ended; it waits for another try.
            self.event, self.started = RoomEventKind.QUEUED, None

    def _change(self, kind: RoomEventKind, event: RoomEvent) -> None:
        self.event, self.reason, self.wrong_field = kind, event.reason, event.field
        self.started = event if kind is RoomEventKind.STARTED else None
        if kind is RoomEventKind.STARTED:
            self.begun_ms, self.index = self.at_ms, event.index or 0
        elif event.index is not None:
            self.index = event.index
        if event.position_seconds is not None:
            self.position_seconds = event.position_seconds
