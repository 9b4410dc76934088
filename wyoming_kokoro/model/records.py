"""What the streams hold: a closed union of records. Bytes exist only in `journal/codec`.

| stream | records |
|---|---|
| `jobs` | `Job`, `Cancel` |
| `jobs/_cursor` | `Watermark` |
| `jobs/dead` | `DeadLetter`, `Requeued` |
| `progress/done` | `Receipt` |
| `catalog/<cast>` | `Catalogued` (readers take the last) |
| `in/<cast>` | `Input`..., then `InputEnd`; `Alive` between |
| `pub/casts/<cast>` | `Meta`, then per attempt `Start`, `Audio`..., `Alive`, and `Eos` or `Fail`; `Expired` |
| `announcements`, `rooms/*` | see `model/room.py` |

`Fence` and `Trim` are S2's command records and may stand on any stream.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from wyoming_kokoro.model.cast import JobKind, Outcome, Priority
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.recipe import Recipe, Sentence
from wyoming_kokoro.model.room import Announcement, RoomCommand, RoomEvent, RoomPlace, RoomSetting, Withdrawal


@dataclass(frozen=True, slots=True)
class Fence:
    """From here on an append that carries another fencing token is refused."""

    token: str
    """At most 36 bytes of UTF-8."""


@dataclass(frozen=True, slots=True)
class Trim:
    """Records below `first` are not needed any more. It may take effect later."""

    first: SeqNum


@dataclass(frozen=True, slots=True, kw_only=True)
class Idempotency:
    """A key under which the asker may repeat his request, and how it was answered."""

    key: str
    digest: str
    """Of the request: another one under the same key is refused."""
    is_new: bool = False
    is_hit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The durable request to make a cast; its ack is the acceptance."""

    cast_id: CastId
    kind: JobKind
    recipe: Recipe
    priority: Priority
    source: str
    room: str | None = None
    """Counts for fairness."""
    due_ms: int | None = None
    """When its playback is meant to start (Unix time); None where nobody waits."""
    deadline_ms: int | None = None
    """After this (Unix time) nobody wants it any more."""
    idempotency: Idempotency | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """Takes back one job, or all jobs of a cast."""

    cast_id: CastId
    job: SeqNum | None = None


@dataclass(frozen=True, slots=True)
class Watermark:
    """The committed place of the workers."""

    jobs: SeqNum
    """Every job below it is settled."""
    done: SeqNum
    """Oldest receipt that names a job at or above `jobs`, or the tail of `progress/done`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A cast that was given up, with enough to queue it again."""

    cast_id: CastId
    jobs: tuple[SeqNum, ...]
    reason: str
    kind: JobKind
    recipe: Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class Requeued:
    """Somebody asked again for a cast that was given up: these letters are not listed any more."""

    cast_id: CastId
    letters: tuple[SeqNum, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What became of a cast, and the jobs that this settles."""

    cast_id: CastId
    jobs: tuple[SeqNum, ...]
    outcome: Outcome
    sentences: int = 0
    reused: int = 0
    """Sentences that were copied, not synthesised."""
    audio_ms: int = 0
    gen_ms: int = 0
    voice: str = ""
    worker: str = ""

    @property
    def realtime_factor(self) -> float:
        """Seconds of speech per second of work; 0.0 where nothing was synthesised."""
        return self.audio_ms / self.gen_ms if self.gen_ms else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogued:
    """The recipe of a cast. Private: it holds the full text."""

    recipe: Recipe
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One sentence of a live cast's text."""

    index: int
    sentence: Sentence


class InputEndReason(StrEnum):
    """Why no more text comes."""

    WHOLE = "whole"
    """The text is complete."""
    IDLE = "idle"
    """It stopped arriving."""
    ABANDONED = "abandoned"
    """Whoever wrote it is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputEnd:
    """The text of a live cast ends here."""

    reason: InputEndReason
    count: int
    """How many sentences there were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """The first record of a cast's stream: what may be known of it without its text."""

    cast_id: CastId
    kind: JobKind
    voice: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """One worker's go at a cast begins."""

    attempt: int
    """Counts from 1."""
    worker: str
    next_index: int
    """First sentence that this attempt writes; 0 begins a new generation."""
    model: str
    """Fingerprint of the model that speaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio:
    """The sound of one sentence."""

    index: int
    duration_ms: int
    text: str
    """The original text of the sentence."""
    body: bytes
    body_format: str
    """`flac` or `pcm`."""
    rate: int
    attempt: int
    worker: str
    key: str
    """`Utterance.key`: the same sentence in another cast may be copied from here."""
    checksum: str
    """First 16 hex digits of the body's SHA-256."""

    @property
    def is_intact(self) -> bool:
        """Whether the body is what was written."""
        return checksum(self.body) == self.checksum


@dataclass(frozen=True, slots=True, kw_only=True)
class Alive:
    """The writer still holds the stream; or gives it back; or says under which sentence its engine died."""

    worker: str
    model: str = ""
    released: bool = False
    died_under: int | None = None
    """Index of the sentence under which the engine's process died or ran out of time."""


class EosReason(StrEnum):
    """How the sound of a cast ended."""

    COMPLETE = "complete"
    CUT = "cut"
    """While it was being made: it is not whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eos:
    """The end of a cast; there is at most one in a generation."""

    count: int
    """How many sentences it has."""
    reason: EosReason = EosReason.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class Fail:
    """The cast was given up."""

    reason: str
    jobs_tail: SeqNum
    """Jobs at or above it came later: they are not answered by this and open a new attempt."""


@dataclass(frozen=True, slots=True)
class Expired:
    """The records before this one are gone, or about to be."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Bytes that hold no record that this program knows; readers pass over it."""

    reason: str


Record = (
    Fence | Trim | Job | Cancel | Watermark | DeadLetter | Requeued | Receipt | Catalogued | Input | InputEnd
    | Meta | Start | Audio | Alive | Eos | Fail | Expired
    | Announcement | Withdrawal | RoomEvent | RoomPlace | RoomCommand | RoomSetting | Unreadable
)  # fmt: skip

COMMANDS = (Fence, Trim)
"""Records that are S2's, not ours: passed over by every reader."""


@dataclass(frozen=True, slots=True)
class Sequenced:
    """A record where it stands in its stream."""

    seq_num: SeqNum
    timestamp_ms: int
    """When it was written (Unix time); never decreases within a stream."""
    record: Record


def checksum(body: bytes) -> str:
    """What the header `h` holds for that body."""
    return hashlib.sha256(body).hexdigest()[:16]
