"""The plain text of a marked-up one, tied to its source."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wyoming_kokoro.text.markup.controls import CONTROLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Run(NamedTuple):
    """Some characters of the source, and the plain text that they stand for: often the same, empty for a tag."""

    source: str
    plain: str


class Markup(Protocol):
    """Reads one marked-up text, which may arrive in pieces.

    The sources of all runs, joined, are the text. What the runs are depends on the text alone, not on how it arrived.
    """

    @property
    def held(self) -> bool:
        """Whether text has come whose runs are not certain yet."""
        ...

    def feed(self, text: str) -> Sequence[Run]:
        """Add text; the runs that are certain now. Raises `RefusedError` for a text that breaks the format's rules."""
        ...

    def finish(self) -> Sequence[Run]:
        """The rest. Raises as `feed` does."""
        ...


_FOREIGN = re.compile(f"([{CONTROLS}])")


def without_foreign(runs: Iterable[Run]) -> list[Run]:
    """The runs, without characters of the text itself that would be taken for controls."""
    clean: list[Run] = []
    for run in runs:
        if run.plain != run.source or run.plain.isascii() or _FOREIGN.search(run.plain) is None:
            clean.append(run)
            continue
        parts = (part for part in _FOREIGN.split(run.source) if part)
        clean += [Run(part, "" if _FOREIGN.fullmatch(part) else part) for part in parts]
    return clean


class Sources:
    """Finds the source of plain text, in order."""

    def __init__(self) -> None:
        self._runs: deque[Run] = deque()
        self._offset = 0
        """Characters of the first run that were taken already; not 0 only where plain text and source are the same."""

    def add(self, runs: Iterable[Run]) -> str:
        """Append runs; their plain text."""
        new = list(runs)
        self._runs.extend(new)
        return "".join(run.plain for run in new)

    def take(self, length: int) -> str:
        """The source of the next `length` characters of plain text, with all the markup before and between them.

        A run whose plain text is not its source goes whole to where that begins.
        """
        parts = []
        while length > 0:
            run = self._runs[0]
            left = len(run.plain) - self._offset
            if run.plain == run.source and left > length:
                parts.append(run.source[self._offset : self._offset + length])
                self._offset += length
                return "".join(parts)
            if left > length:
                parts.append(run.source)
                self._runs[0] = Run("", run.plain[length:])
                return "".join(parts)
            parts.append(run.source[self._offset :])
            length -= left
            self._offset = 0
            self._runs.popleft()
        return "".join(parts)

    def rest(self) -> str:
        """The source of all that is left."""
        return self.take(sum(len(run.plain) for run in self._runs) - self._offset) + "".join(run.source for run in self._runs)
