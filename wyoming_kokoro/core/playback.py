"""What a cast's stream amounts to: which sentences can be heard, and how it ended. Pure: a fold over its records.

A generation goes from a `start` with next_index 0 to its end. Within it a sentence counts if it is the next one and its
checksum holds; later attempts go on where the sound sentences end.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import COMMANDS, Alive, Audio, Eos, EosReason, Expired, Fail, Fence, Meta, Sequenced, Start

BARE_STARTS = 8
"""So many attempts in a row that ended without a trace condemn a cast: mere crashes of the server do not."""

DEATHS = 2
"""So often may an engine die under one sentence before the cast is given up."""


@dataclass(slots=True)
class Playback:
    """The state of a cast after the records that were added."""

    voice: str = ""
    """Who speaks it; empty where that can't be read."""
    tail: Cursor = 0
    """Next record to read."""
    next_index: int = 0
    """Next sentence that can't be heard yet."""
    attempts: int = 0
    worker: str = ""
    """Whose the newest attempt is."""
    is_held: bool = False
    """Whether that attempt has neither ended nor given the cast back."""
    token: str = ""
    """The fencing token in force."""
    end: Eos | Fail | Expired | None = None
    """How it ended, unless a newer attempt is under way."""
    model: str = ""
    """Fingerprint of the model that speaks in this generation; empty where several did."""
    audio_ms: int = 0
    is_damaged: bool = False
    """Whether a sentence was there but not sound."""
    deaths: Counter[int] = field(default_factory=Counter)
    """Sentence -> how often an engine died under it."""
    bare_starts: int = 0
    """Attempts in a row that wrote nothing."""

    def add(self, sequenced: Sequenced) -> Audio | None:
        """Take in the next record; returns it where it is the next sentence to be heard."""
        self.tail = sequenced.seq_num + 1
        match sequenced.record:
            case Meta(voice=voice):
                self.voice = voice
            case Fence(token):
                self.token = token
            case Start() as start:
                self._start(start)
            case Audio() as audio:
                return self._audio(audio)
            case Alive(died_under=int() as index):
                self.bare_starts = 0
                self.deaths[index] += 1
            case Alive(released=True):
                self.bare_starts = 0
                self.is_held = False
            case Eos() | Fail() | Expired() as end:
                self._end(end)
            case _:
                pass
        return None

    @property
    def is_complete(self) -> bool:
        """Whether it ended as it should, with every sentence sound."""
        match self.end:
            case Eos(count=count, reason=EosReason.COMPLETE):
                return self.next_index >= count
            case _:
                return False

    def is_whole(self, model: str) -> bool:
        """Whether asking for it again is a hit: complete, and spoken throughout by the model that its recipe names."""
        return self.is_complete and self.model == model

    def next_of(self, model: str, *, is_faithful: bool = True) -> int:
        """First sentence that an attempt of that model has to make: what is sound and its own is never spoken again.

        An attempt that is not `is_faithful` speaks with another model than was asked for; it goes on behind whatever is there.
        """
        is_usable = self.model == model or not is_faithful
        return self.next_index if is_usable and not isinstance(self.end, Expired) else 0

    def poisoned(self) -> str | None:
        """Why the cast must be given up, if it must."""
        if self.deaths[self.next_index] >= DEATHS:
            return f"the engine died {self.deaths[self.next_index]} times under sentence {self.next_index}"
        if self.bare_starts >= BARE_STARTS:
            return f"{self.bare_starts} attempts in a row ended without a trace"
        return None

    def _start(self, start: Start) -> None:
        self.attempts = max(self.attempts, start.attempt)
        self.worker, self.is_held = start.worker, True
        self.bare_starts += 1
        self.end = None
        if start.next_index == 0:
            self.next_index = self.audio_ms = 0
            self.is_damaged = False
            self.model = start.model
        elif start.model != self.model:
            self.model = ""

    def _audio(self, audio: Audio) -> Audio | None:
        self.bare_starts = 0
        if audio.index != self.next_index:
            return None
        if not audio.is_intact:
            self.is_damaged = True
            return None
        self.next_index += 1
        self.audio_ms += audio.duration_ms
        return audio

    def _end(self, end: Eos | Fail | Expired) -> None:
        self.end, self.is_held = end, False
        self.bare_starts = 0
        self.deaths.clear()
        if isinstance(end, Expired):
            self.next_index = self.audio_ms = 0
        if isinstance(end, Eos) and end.reason is EosReason.COMPLETE and self.next_index < end.count:
            self.is_damaged = True


def is_command(sequenced: Sequenced) -> bool:
    """Whether it is one of S2's own records, which readers pass over."""
    return isinstance(sequenced.record, COMMANDS)
