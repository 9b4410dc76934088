"""What can be told of a cast: a fold over its stream, beside what is known of it elsewhere. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from wyoming_kokoro.core.playback import Playback
from wyoming_kokoro.model.cast import CastState, JobKind, Outcome
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import (
    COMMANDS,
    Alive,
    Audio,
    Catalogued,
    Eos,
    EosReason,
    Expired,
    Fail,
    Meta,
    Receipt,
    Sequenced,
    Start,
)

CANCELLED = "it was cancelled"
"""The reason of a cast that was taken back, before it began or while it was being made."""


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """One sentence that can be heard, durably."""

    index: int
    text: str
    """The original characters."""
    start_ms: int
    """Where it begins in the cast."""
    duration_ms: int
    seq_num: SeqNum
    """Its record in the cast's stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CastView:
    """A cast as the doors show it."""

    cast_id: CastId
    state: CastState
    voice: str
    """Empty where neither the stream nor the catalog says it any more."""
    language: str
    kind: JobKind
    created_ms: int
    """Unix time of the oldest record that counts: the request, or the making anew after it had expired."""
    sentences: tuple[SpokenSentence, ...]
    """What the log has of it; empty in a listing."""
    text: str | None
    """The original text, as far as it has come; None where the recipe is gone."""
    keep: bool
    receipt: Receipt | None
    """What became of it last; None before that, and once it has expired."""
    reason: str | None
    """Why it failed."""
    tail: SeqNum
    """Number that the next record of its stream will get."""


@dataclass(slots=True)
class CastFold:
    """The state of a cast after the records that were added; a listing adds its first and its last ones alone."""

    playback: Playback = field(default_factory=Playback)
    sentences: list[SpokenSentence] = field(default_factory=list)
    created_ms: int = 0
    stored_bytes: int = 0
    """Size of the sound that the stream holds."""
    meta: Meta | None = None
    is_under_way: bool = False
    """Whether an attempt is open, as far as the stream says."""

    def add(self, sequenced: Sequenced) -> None:
        """Take in the next record."""
        record = sequenced.record
        if not self.created_ms and not isinstance(record, COMMANDS):
            self.created_ms = sequenced.timestamp_ms
        match record:
            case Meta():
                self.meta = record
            case Start(next_index=0) | Expired():
                self._begin_anew(record, sequenced.timestamp_ms)
            case Audio():
                self.stored_bytes += len(record.body)
            case _:
                pass
        self._note_attempt(sequenced)
        start_ms = self.playback.audio_ms
        audio = self.playback.add(sequenced)
        if audio is not None:
            self.sentences.append(SpokenSentence(audio.index, audio.text, start_ms, audio.duration_ms, sequenced.seq_num))

    def _begin_anew(self, record: Start | Expired, timestamp_ms: int) -> None:
        if isinstance(self.playback.end, Expired) or isinstance(record, Expired):
            self.created_ms = timestamp_ms
        self.sentences.clear()

    def _note_attempt(self, sequenced: Sequenced) -> None:
        match sequenced.record:
            case Eos() | Fail() | Expired() | Alive(released=True):
                self.is_under_way = False
            case Start() | Audio() | Alive():
                self.is_under_way = True
            case _:
                pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is known of a cast outside its stream."""

    is_wanted: bool
    """Whether it has unsettled jobs."""
    is_making: bool
    """Whether an attempt is open in this process."""
    catalogued: Catalogued | None
    text: str | None
    receipt: Receipt | None


def view(cast_id: CastId, fold: CastFold, around: Surroundings, *, in_full: bool = True) -> CastView:
    """Put together; not `in_full` where the fold has not seen the sentences."""
    recipe = around.catalogued.recipe if around.catalogued else None
    state, reason = _state(fold, around, in_full=in_full)
    return CastView(
        cast_id=cast_id,
        state=state,
        voice=recipe.voice if recipe else fold.meta.voice if fold.meta else "",
        language=recipe.language if recipe else fold.meta.language if fold.meta else "",
        kind=_kind(recipe, fold.meta),
        created_ms=fold.created_ms,
        sentences=tuple(fold.sentences),
        text=around.text,
        keep=around.catalogued is not None and around.catalogued.keep,
        receipt=None if state is CastState.EXPIRED else around.receipt,
        reason=reason,
        tail=fold.playback.tail,
    )


def _kind(recipe: Recipe | None, meta: Meta | None) -> JobKind:
    if meta is not None:
        return meta.kind
    return JobKind.LIVE if recipe is not None and not recipe.sentences else JobKind.SPEAK


def _state(fold: CastFold, around: Surroundings, *, in_full: bool) -> tuple[CastState, str | None]:
    """Where it stands, and why where that is no good place."""
    playback = fold.playback
    is_sound = playback.is_complete or not in_full
    match playback.end:
        case Eos(reason=EosReason.COMPLETE) if is_sound:
            return CastState.DONE, None
        case _ if around.is_wanted or around.is_making:
            is_speaking = around.is_making or (fold.is_under_way and playback.end is None)
            return (CastState.SPEAKING if is_speaking else CastState.QUEUED), None
        case Eos(reason=EosReason.COMPLETE):
            return CastState.FAILED, f"sentence {playback.next_index} is damaged; it is made again when it is next heard"
        case Fail(reason=reason):
            return CastState.FAILED, reason
        case Expired():
            return CastState.EXPIRED, None
        case Eos():
            return CastState.FAILED, CANCELLED if _is_cancelled(around) else "it was cut while it was being made"
        case None:
            return CastState.FAILED, CANCELLED if _is_cancelled(around) else "nobody makes it"


def _is_cancelled(around: Surroundings) -> bool:
    return around.receipt is not None and around.receipt.outcome is Outcome.CANCELLED
