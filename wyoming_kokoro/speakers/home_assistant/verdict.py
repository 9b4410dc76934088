"""How a playback in Home Assistant ended, judged by what is known of it. Pure.

A service call that succeeds proves nothing: Home Assistant reports success for players that are away, for addresses that can't
be fetched and for sounds that were cut. So confirmed needs two witnesses: the sound was fetched from us to its last byte, and
the player (or the satellite's answer) was not done before its duration minus a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.model.announcement import Played, PlayOutcome
from wyoming_kokoro.speakers.home_assistant.answer import Away, Done, Lost, Refused

if TYPE_CHECKING:
    from wyoming_kokoro.speakers.home_assistant.evidence import Evidence

TOLERANCE_SECONDS = 1.0
"""Players say so much too early that they are done."""
SETTLE_SECONDS = 1.5
"""A player that is done too early may go on within this time; a fetch may be noticed so much too late."""
START_SECONDS = 15.0
"""After so long without a sign of the sound, nothing will be heard."""
ANSWER_SECONDS = 30.0
"""Some integrations fetch everything before they answer."""
STUCK_SECONDS = 10.0
"""A player that plays on for so long past the end does not say when it is done."""
BLOCKED_SECONDS = 60.0
"""The same for a satellite that does not answer."""
UNKNOWN_LENGTH_SECONDS = 900.0
"""The longest that is waited for a sound whose length is not known yet."""
_UNFETCHED = "did not fetch the whole sound: can it reach the address in base_url?"


def verdict(evidence: Evidence, now: float, *, answers_at_end: bool, is_satellite: bool) -> Played | None:
    """How it ended; None while that can't be said yet. `answers_at_end`: the call returns when it was played."""
    match evidence.answer:
        case Away(reason):
            return Played(PlayOutcome.FAILED, reason)
        case Refused():
            return _refused(evidence.answer, is_satellite=is_satellite)
        case Done() if answers_at_end and (is_satellite or _is_whole(evidence, evidence.answered_at - evidence.sent_at)):
            return _answered(evidence, now)
        case _ if is_satellite:
            return _unanswered(evidence, now)
    if evidence.ended_at is not None:
        return _after_the_end(evidence, now, evidence.ended_at)
    if evidence.began_at is not None:
        return _while_it_plays(evidence, now, evidence.began_at)
    return _before_it_begins(evidence, now)


def _refused(answer: Refused, *, is_satellite: bool) -> Played:
    if is_satellite and answer.code == "home_assistant_error" and not answer.message:
        # The one error without a text is SatelliteBusyError.
        return Played(PlayOutcome.BUSY, "the satellite is speaking already")
    return Played(PlayOutcome.FAILED, answer.reason)


def _answered(evidence: Evidence, now: float) -> Played | None:
    took = evidence.answered_at - evidence.sent_at
    if evidence.fetched_at is None:
        if now - evidence.answered_at < SETTLE_SECONDS:
            return None
        return Played(PlayOutcome.FAILED, f"it was done after {took:.1f} s and {_UNFETCHED}")
    if _is_whole(evidence, took):
        return Played(PlayOutcome.CONFIRMED)
    return Played(PlayOutcome.FAILED, f"it was done after {took:.1f} of {evidence.duration_seconds:.1f} s", took)


def _unanswered(evidence: Evidence, now: float) -> Played | None:
    length = _length(evidence)
    if isinstance(evidence.answer, Lost):
        return _in_the_dark(evidence) if now >= evidence.sent_at + length + SETTLE_SECONDS else None
    if now < evidence.sent_at + length + BLOCKED_SECONDS:
        return None
    return Played(PlayOutcome.UNKNOWN, f"Home Assistant has not said within {now - evidence.sent_at:.0f} s that it was played")


def _after_the_end(evidence: Evidence, now: float, ended_at: float) -> Played | None:
    least = evidence.heard_seconds(now)
    if _is_whole(evidence, least) and evidence.fetched_at is not None:
        return _in_the_dark(evidence) if evidence.was_blind else Played(PlayOutcome.CONFIRMED)
    if now - ended_at < SETTLE_SECONDS:
        return None
    if evidence.is_gone:
        # It may play on out of sight, or come back and say what it does.
        is_over = now >= evidence.sent_at + _length(evidence) + SETTLE_SECONDS
        return Played(PlayOutcome.UNKNOWN, f"it became unavailable after {least:.1f} s", least) if is_over else None
    if not _is_whole(evidence, ended_at - evidence.sent_at):
        early = f"it was done after {least:.1f} of {evidence.duration_seconds:.1f} s"
        reason = early if evidence.fetched_at is not None else f"{early} and {_UNFETCHED}"
        return Played(PlayOutcome.FAILED, reason, least)
    if evidence.was_blind:
        return _in_the_dark(evidence)
    if _is_whole(evidence, least):
        return Played(PlayOutcome.ASSUMED, "it played for as long, but the sound was not fetched to its end")
    if evidence.fetched_at is not None:
        return Played(PlayOutcome.ASSUMED, f"it said that it plays for {least:.1f} of {evidence.duration_seconds:.1f} s only")
    return Played(PlayOutcome.UNKNOWN, f"it said that it plays for {least:.1f} s, and did not fetch the whole sound")


def _while_it_plays(evidence: Evidence, now: float, began_at: float) -> Played | None:
    if now < began_at + _length(evidence) + STUCK_SECONDS:
        return None
    return _silent(evidence, "it goes on playing and does not say when the announcement was done")


def _before_it_begins(evidence: Evidence, now: float) -> Played | None:
    if evidence.fetched_at is not None:
        is_over = now >= evidence.fetched_at + _length(evidence) + SETTLE_SECONDS
        return _silent(evidence, "the player did not say that it played") if is_over else None
    if isinstance(evidence.answer, Lost) or evidence.was_blind:
        is_over = now >= evidence.sent_at + _length(evidence) + START_SECONDS
        return _in_the_dark(evidence) if is_over else None
    if evidence.answer is None:
        is_over = now >= evidence.sent_at + ANSWER_SECONDS
        return Played(PlayOutcome.UNKNOWN, f"Home Assistant has not answered for {ANSWER_SECONDS:.0f} s") if is_over else None
    if now < evidence.answered_at + START_SECONDS:
        return None
    if evidence.is_gone:
        return Played(PlayOutcome.FAILED, "it became unavailable before it played")
    return Played(PlayOutcome.FAILED, f"it {_UNFETCHED}")


def _silent(evidence: Evidence, reason: str) -> Played:
    """The player does not tell the end; was the sound fetched, nothing speaks against it."""
    outcome = PlayOutcome.UNKNOWN if evidence.fetched_at is None else PlayOutcome.ASSUMED
    return Played(outcome, reason)


def _in_the_dark(evidence: Evidence) -> Played:
    return _silent(evidence, "the connection to Home Assistant was lost meanwhile")


def _is_whole(evidence: Evidence, seconds: float) -> bool:
    return evidence.duration_seconds is None or seconds >= evidence.duration_seconds - TOLERANCE_SECONDS


def _length(evidence: Evidence) -> float:
    return UNKNOWN_LENGTH_SECONDS if evidence.duration_seconds is None else evidence.duration_seconds
