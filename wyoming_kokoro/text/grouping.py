"""Short sentences joined to longer pieces, for a steadier voice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.recipe import Boundary
from wyoming_kokoro.text.effort import effort
from wyoming_kokoro.text.pauses import pauses
from wyoming_kokoro.text.sentences import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.text.sizes import Sizes


class Grouping:
    """Joins a piece that is too short with the next ones. With sizes that ask for no groups it passes pieces on."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._group: list[str] = []
        self._effort = 0

    @property
    def has_pending(self) -> bool:
        """Whether a group waits for its next sentence."""
        return bool(self._group)

    def feed(self, pieces: Iterable[Piece]) -> list[Piece]:
        """Add pieces; those that are certain now."""
        if not self._sizes.group_least:
            return list(pieces)
        return [ready for piece in pieces for ready in self._add(piece)]

    def flush(self) -> list[Piece]:
        """The group that waits."""
        if not self._group:
            return []
        group = Piece("".join(self._group), Boundary.SENTENCE)
        self._group = []
        self._effort = 0
        return [group]

    def _add(self, piece: Piece) -> list[Piece]:
        more = effort(piece.text)
        ready = self.flush() if self._effort + more > self._sizes.group_most else []
        self._group.append(piece.text)
        self._effort += more
        if piece.closes is not Boundary.SENTENCE or pauses(piece.text):
            self._group, text, self._effort = [], "".join(self._group), 0
            return [*ready, Piece(text, piece.closes)]
        return ready + self.flush() if self._effort >= self._sizes.group_least else ready
