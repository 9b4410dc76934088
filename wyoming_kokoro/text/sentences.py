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
from wyoming_kokoro.text.splitting import Clause, best_clause, split_at_space

if TYPE_CHECKING:
    from wyoming_kokoro.text.boundaries import Verdict
    from wyoming_kokoro.text.sizes import Sizes

_STRIDE = 256
_LAST_SPEAKABLE = re.compile(r".*[^\W_]", re.DOTALL)
_WORD = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]{1,2}|[^\\W_]+(?:['’][^\\W_]+)*")
_LEAST_WORDS = 3


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
        self._is_first = True

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
        self._start = 0

    def _cut(self, *, final: bool) -> list[Piece]:
        pieces = []
        while self._scanned < len(self._text):
            candidate = CANDIDATE.search(self._text, self._scanned, self._scanned + _STRIDE)
            reached = candidate.start() if candidate else min(self._scanned + _STRIDE, len(self._text))
            self._advance(reached)
            if self._effort > self._sizes.most:
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
        if self._is_first_clause(verdict.end):
            return [self._emit(verdict.end, Boundary.CLAUSE)]
        self._note(Clause(verdict.end, self._effort, verdict.is_strong))
        self._advance(verdict.end)
        return []

    def _note(self, clause: Clause) -> None:
        if self._clauses and self._clauses[-1].effort == clause.effort:
            return
        self._clauses.append(clause)

    def _is_first_clause(self, end: int) -> bool:
        if not (self._is_first and self._sizes.clause_first):
            return False
        if self._clauses and self._clauses[-1].effort == self._effort:
            return False
        words = _WORD.finditer(self._text, self._start, end)
        return sum(1 for _ in zip(words, range(_LEAST_WORDS), strict=False)) == _LEAST_WORDS

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
        self._is_first = False
        return piece
