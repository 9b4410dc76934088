"""Whether a stop, a comma or a line break ends a sentence, a clause, or nothing."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from wyoming_kokoro.text.full_stops import FullStops
from wyoming_kokoro.text.markup.controls import BREAKING

LINE_BREAKS = "\n\r\v\f\x85\u2028\u2029"
_WIDE_STOPS = "。！？｡．।॥"
_STOPS = r"[.!?…‥" + _WIDE_STOPS + "]+"
_CLOSERS = "\"'”’»›)\\]}」』）】》〉〕］｝"
_OPENERS = "¿¡“‘«‹「『（【《〈〔［｛"

CANDIDATE = re.compile(f"(?P<stop>{_STOPS})|(?P<line>[{LINE_BREAKS}{BREAKING}])|(?P<clause>[,;:，、；：､—–])")
_LINE_BREAK = re.compile(f"[{LINE_BREAKS}]")
_CLOSING = re.compile(rf"[{_CLOSERS}]*(?:[ \u00a0\u202f]»(?!\w))?")  # French sets its quotation marks off
_CONTROL = re.compile(f"[{BREAKING}]")
_SPACE = re.compile(rf"[\s{BREAKING}]*")
_NEXT_SPEAKABLE = re.compile(r"[^\W_]")
_CJK = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]")
_STANDING = re.compile(f"(?:(?P<stop>{_STOPS})|(?P<clause>[,;:，、；：､—–]))[{_CLOSERS}]*\\Z")

_STRONG = frozenset(";:；：—–")
_TIGHT_CLAUSES = frozenset("，、；：､—")
_LOOK_BACK = 80
_LOOK_AHEAD = 80


class Kind(Enum):
    """What a candidate is."""

    NOTHING = 0
    CLAUSE = 1
    SENTENCE = 2
    CUT = 3
    """A clause that must be cut there: markup asks for a pause or another voice."""
    UNDECIDED = 4
    """More text is needed."""


class Verdict(NamedTuple):
    """What a candidate is, and where the text goes on."""

    kind: Kind
    end: int
    """First character of what follows: of the next piece for a boundary, of the further search otherwise."""
    is_strong: bool = False
    """A clause that ends in more than a comma."""


class Boundaries:
    """The rules of one language.

    A text that is judged ends in something speakable, so what follows a stop can always be seen; only a word at its very end
    may be incomplete, unless the text is final.
    """

    def __init__(self, language: str) -> None:
        self._full_stops = FullStops(language)
        self._is_japanese = language.startswith("ja")

    def judge(self, text: str, start: int, candidate: re.Match[str], *, final: bool) -> Verdict:
        """What `candidate`, a match of `CANDIDATE` in `text` behind the sentence's `start`, is."""
        if candidate["line"] is not None:
            return self._judge_line(text, start, candidate)
        if candidate["stop"] is not None:
            verdict = self._judge_stop(text, start, candidate, final=final)
        else:
            verdict = self._judge_clause(text, candidate)
        if verdict.kind is Kind.CLAUSE and _LINE_BREAK.search(text, candidate.end(), verdict.end):
            return Verdict(Kind.SENTENCE, verdict.end)
        if verdict.kind is Kind.CLAUSE and _CONTROL.search(text, candidate.end(), verdict.end):
            return Verdict(Kind.CUT, verdict.end)
        return verdict

    def standing(self, text: str, *, clauses: bool) -> Kind:
        """What a text that may go on ends in, if that can be said without seeing how it goes on."""
        bare = text.rstrip()
        gap = text[len(bare) :]
        found = _STANDING.search(bare, max(0, len(bare) - _LOOK_BACK))
        if found is not None and found["stop"] is not None and self._stands(bare, found):
            return Kind.SENTENCE
        if any(char in LINE_BREAKS for char in gap) and not self._full_stops.is_list_number(bare, 0, len(bare)):
            return Kind.SENTENCE
        if clauses and found is not None and found["clause"] is not None and self._clause_stands(bare, found, gap):
            return Kind.CLAUSE
        return Kind.NOTHING

    def _judge_stop(self, text: str, start: int, candidate: re.Match[str], *, final: bool) -> Verdict:
        stops = candidate["stop"]
        after = _end(_CLOSING, text, candidate.end())
        closed = after > candidate.end()
        end = _end(_SPACE, text, after)
        is_wide = stops[-1] in _WIDE_STOPS
        if end == after and not (is_wide or _may_touch(stops, text[end])):
            return Verdict(Kind.NOTHING, candidate.end())
        following = _NEXT_SPEAKABLE.search(text, end, end + _LOOK_AHEAD)
        if following is None:
            return Verdict(Kind.SENTENCE, end)
        if is_wide:
            return self._judge_wide(text, after, end, following[0], closed=closed)
        lower = following[0].islower()
        if closed and lower:
            return Verdict(Kind.CLAUSE, end)
        if _is_ellipsis(stops):
            return Verdict(Kind.SENTENCE if following[0].isupper() else Kind.CLAUSE, end)
        if "!" in stops or "?" in stops or len(stops) > 1:
            return Verdict(Kind.SENTENCE, end)
        return self._judge_full_stop(text, start, candidate, end, following.start(), final=final)

    def _judge_full_stop(
        self, text: str, start: int, candidate: re.Match[str], end: int, following: int, *, final: bool
    ) -> Verdict:
        ends = self._full_stops.ends_sentence(text, start, candidate.start(), following, final=final)
        if ends is None:
            return Verdict(Kind.UNDECIDED, candidate.start())
        return Verdict(Kind.SENTENCE, end) if ends else Verdict(Kind.NOTHING, candidate.end())

    def _judge_wide(self, text: str, after: int, end: int, following: str, *, closed: bool) -> Verdict:
        quoted = closed and (following.islower() or (self._is_japanese and text[after] in "とって"))
        between_digits = text[after - 1] == "．" and following.isdigit() and end == after
        if between_digits:
            return Verdict(Kind.NOTHING, end)
        return Verdict(Kind.CLAUSE if quoted else Kind.SENTENCE, end)

    def _judge_line(self, text: str, start: int, candidate: re.Match[str]) -> Verdict:
        end = _end(_SPACE, text, candidate.end())
        if self._full_stops.is_list_number(text, start, candidate.start()):
            return Verdict(Kind.NOTHING, end)
        has_line = _LINE_BREAK.search(text, candidate.start(), end) is not None
        return Verdict(Kind.SENTENCE if has_line else Kind.CUT, end)

    def _judge_clause(self, text: str, candidate: re.Match[str]) -> Verdict:
        mark = candidate["clause"]
        after = _end(_CLOSING, text, candidate.end())
        end = _end(_SPACE, text, after)
        if mark in _TIGHT_CLAUSES:
            digits = text[candidate.start() - 1 : candidate.start()].isdigit() and text[end].isdigit() and end == after
            return Verdict(Kind.NOTHING if digits else Kind.CLAUSE, end, mark in _STRONG)
        spaced_dash = mark != "–" or text[candidate.start() - 1 : candidate.start()].isspace()
        if end == after or not spaced_dash:
            return Verdict(Kind.NOTHING, candidate.end())
        return Verdict(Kind.CLAUSE, end, mark in _STRONG)

    def _stands(self, bare: str, found: re.Match[str]) -> bool:
        stops = found["stop"]
        if stops[-1] in _WIDE_STOPS or "!" in stops or "?" in stops:
            return True
        return not _is_ellipsis(stops) and self._full_stops.stands(bare, found.start())

    def _clause_stands(self, bare: str, found: re.Match[str], gap: str) -> bool:
        before = bare[found.start() - 1 : found.start()]
        return bool(gap) or (before.isalpha() and found["clause"] != ":")


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.match(text, position)
    return position if found is None else found.end()


def _may_touch(stops: str, following: str) -> bool:
    """Whether a sentence may begin right behind these stops, without white space."""
    if _CJK.match(following):
        return True
    return following in _OPENERS and ("!" in stops or "?" in stops)


def _is_ellipsis(stops: str) -> bool:
    return stops not in {".", "!", "?"} and not ("!" in stops or "?" in stops)
