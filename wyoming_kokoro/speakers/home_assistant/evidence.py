"""What is known of one playback in Home Assistant so far. Times are monotonic seconds. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.speakers.home_assistant.answer import Answer
    from wyoming_kokoro.speakers.home_assistant.entity_state import EntityState


@dataclass(slots=True, kw_only=True)
class Evidence:
    """Notes come in as they happen; `verdict` judges them."""

    sent_at: float
    duration_seconds: float | None
    url: str
    was_playing: bool
    """Whether the player was playing something else before; then only the address tells ours from that."""
    answer: Answer | None = None
    answered_at: float = 0.0
    began_at: float | None = None
    ended_at: float | None = None
    fetched_at: float | None = None
    is_gone: bool = False
    """Home Assistant does not reach the device any more."""
    was_blind: bool = False
    """The connection was lost meanwhile: something may have happened that nobody saw."""

    def note_answer(self, answer: Answer, now: float) -> None:
        """What became of the call."""
        self.answer, self.answered_at = answer, now

    def note_fetched(self, now: float) -> None:
        """Somebody has fetched the sound to its last byte."""
        if self.fetched_at is None:
            self.fetched_at = now

    def note_blindness(self) -> None:
        """The connection broke."""
        self.was_blind = True

    def note_state(self, state: EntityState | None, now: float) -> None:
        """The entity's state changed, or is told again."""
        self.is_gone = state is None or not state.is_available
        if state is not None and self._is_ours(state):
            self.began_at = now if self.began_at is None else self.began_at
            self.ended_at = None
        elif self.began_at is not None and self.ended_at is None:
            self.ended_at = now

    def _is_ours(self, state: EntityState) -> bool:
        return state.is_playing and (not self.was_playing or state.media == self.url)

    def heard_seconds(self, now: float) -> float:
        """How much was certainly heard by then, or could have been where the player says nothing."""
        began = self.began_at if self.began_at is not None else self.fetched_at
        if began is None:
            return 0.0
        heard = max(0.0, (now if self.ended_at is None else self.ended_at) - began)
        return heard if self.duration_seconds is None else min(heard, self.duration_seconds)
