"""The chunker: a text that arrives in pieces, cut into what is spoken at one go.

Joined, the pieces are the text: no character is lost, repeated or changed. Where it is cut depends on the text alone, not on
how it arrived; only `release` adds a rule of time. Every piece holds something speakable. It takes linear time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wyoming_kokoro.model.recipe import Boundary
from wyoming_kokoro.text.boundaries import CANDIDATE, Boundaries, Kind
from wyoming_kokoro.text.effort import effort
from wyoming_kokoro.text.opening import Opening
from wyoming_kokoro.text.splitting import Clause, best_clause, first_beyond, split_at_space

if TYPE_CHECKING:
    from wyoming_kokoro.text.boundaries import Verdict
    from wyoming_kokoro.text.sizes import Sizes

_STRIDE = 256
_LAST_SPEAKABLE = re.compile(r".*[^\W_]", re.DOTALL)


class Piece(NamedTuple):
    """What is spoken at one go."""

    text: str
    closes: Boundary


class Chunker:
    """Cuts one text."""

    def __init__(self, language: str, sizes: Sizes) -> None:
        self._boundaries = Boundaries(language)
        self._sizes = sizes
        self._text = ""
        """What is not cut yet, from `_start` on, up to the last speakable character that has come."""
        self._tail: list[str] = []
        """What came behind that: white space, quotes, symbols."""
        self._start = 0
        self._scanned = 0
        """Every candidate before it is decided."""
        self._effort = 0
        """Of the text from `_start` to `_scanned`."""
        self._clauses: list[Clause] = []
        self._opening = Opening(language) if sizes.clause_first else None
        """Until the first piece is cut, where that may be shorter than its sentence."""
        self._looked_at = 0
        """The effort when the opening was looked for last: what can't be spoken changes nothing."""

    @property
    def has_pending(self) -> bool:
        """Whether something speakable has come that is not cut yet."""
        return self._start < len(self._text)

    def feed(self, text: str) -> list[Piece]:
        """Add text; the pieces that are certain now."""
        last = _LAST_SPEAKABLE.match(text)
        if last is None:
            if text:
                self._tail.append(text)
            return []
        self._take("".join(self._tail) + text[: last.end()])
        self._tail = [text[last.end() :]] if last.end() < len(text) else []
        return self._cut(final=False)

    def finish(self) -> list[Piece]:
        """The rest. White space at the very end is part of the last piece; a rest that can't be spoken is dropped."""
        if not self.has_pending:
            return []
        pieces = self._cut(final=True)
        last = self._emit(len(self._text), Boundary.SENTENCE)
        pieces.append(last._replace(text="".join([last.text, *self._tail])))
        self._tail = []
        return pieces

    def release(self, *, clauses: bool) -> list[Piece]:
        """Give up what stands before a sentence stop at the end of the text, or with `clauses` before the last clause's end."""
        if not self.has_pending:
            return []
        tail = "".join(self._tail)
        kind = self._boundaries.standing(self._text[self._start :] + tail, clauses=clauses)
        if kind is Kind.NOTHING:
            return self._release_clause() if clauses else []
        bare = len(tail.rstrip())
        self._take(tail[:bare])
        self._tail = [tail[bare:]] if bare < len(tail) else []
        return [self._emit(len(self._text), Boundary.SENTENCE if kind is Kind.SENTENCE else Boundary.CLAUSE)]

    def _release_clause(self) -> list[Piece]:
        return [self._emit(self._clauses[-1].end, Boundary.CLAUSE)] if self._clauses else []

    def _take(self, text: str) -> None:
        self._text = self._text[self._start :] + text
        self._scanned -= self._start
        self._clauses = [clause._replace(end=clause.end - self._start) for clause in self._clauses]
        if self._opening is not None:
            self._opening.moved(self._start)
        self._start = 0

    def _cut(self, *, final: bool) -> list[Piece]:
        pieces = []
        while self._scanned < len(self._text):
            candidate = CANDIDATE.search(self._text, self._scanned, self._scanned + _STRIDE)
            reached = candidate.start() if candidate else min(self._scanned + _STRIDE, len(self._text))
            self._advance(reached)
            if (opening := self._look_for_opening()) is not None:
                pieces.append(self._emit(opening, Boundary.CLAUSE))
            elif self._effort > self._sizes.most:
                pieces.append(self._split())
            elif candidate is not None and self._effort == 0:
                self._advance(candidate.end())
            elif candidate is not None:
                whole = CANDIDATE.match(self._text, reached)
                verdict = self._boundaries.judge(self._text, self._start, whole or candidate, final=final)
                if verdict.kind is Kind.UNDECIDED:
                    break
                pieces.extend(self._follow(verdict))
        return pieces

    def _advance(self, position: int) -> None:
        self._effort += effort(self._text[self._scanned : position])
        self._scanned = position

    def _follow(self, verdict: Verdict) -> list[Piece]:
        if verdict.kind is Kind.NOTHING:
            self._advance(verdict.end)
            return []
        if verdict.kind is Kind.SENTENCE:
            return [self._emit(verdict.end, Boundary.SENTENCE)]
        if verdict.kind is Kind.CUT:
            return [self._emit(verdict.end, Boundary.CLAUSE)]
        if self._opening is not None:
            self._opening.note_clause(self._text, self._start, verdict.end)
        self._note(Clause(verdict.end, self._effort, verdict.is_strong))
        self._advance(verdict.end)
        return []

    def _note(self, clause: Clause) -> None:
        if self._clauses and self._clauses[-1].effort == clause.effort:
            return
        self._clauses.append(clause)

    def _look_for_opening(self) -> int | None:
        if self._opening is None or self._effort == self._looked_at:
            return None
        self._looked_at = self._effort
        reached, is_long = self._scanned, self._effort > self._sizes.most
        if is_long:
            reached = first_beyond(self._text, self._start, self._sizes.most)
        return self._opening.end(self._text, self._start, reached, is_long=is_long)

    def _split(self) -> Piece:
        end = best_clause(self._clauses, self._sizes.least_clause, self._sizes.target)
        if end is None:
            end = split_at_space(self._text, self._start, self._sizes.target)
        return self._emit(end, Boundary.CLAUSE)

    def _emit(self, end: int, closes: Boundary) -> Piece:
        piece = Piece(self._text[self._start : end], closes)
        self._start = self._scanned = end
        self._effort = 0
        self._clauses = []
        self._opening = None
        return piece
