"""Sentences that are asked for and not yet answered, so that `cancel` finds them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wyoming_kokoro.model.recipe import Utterance

T = TypeVar("T")


class Pending(Generic[T]):
    """Each unanswered call with whatever its engine keeps for it."""

    def __init__(self) -> None:
        self._calls: list[tuple[Utterance, T]] = []

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, utterance: Utterance, call: T) -> None:
        """Remember the call."""
        self._calls.append((utterance, call))

    def remove(self, call: T) -> None:
        """Forget the call; nothing where it is forgotten already."""
        self._calls = [entry for entry in self._calls if entry[1] is not call]

    def all(self) -> Sequence[T]:
        """Every unanswered call, oldest first."""
        return [call for _, call in self._calls]

    def matching(self, utterance: Utterance) -> Sequence[T]:
        """The calls made with this very object; where there is none, those made with an equal one.

        Two casts may speak equal sentences at once; taking the object itself first keeps one's cancel from the other.
        """
        same = [call for asked, call in self._calls if asked is utterance]
        return same or [call for asked, call in self._calls if asked == utterance]
