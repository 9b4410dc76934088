"""What a room does after a restart with the announcement that was being heard. Pure.

A speaker that plays on without us is waited for and not asked again; one that stops with us goes on at the sentence that was
due. One that may have played it, and is not there any more to be asked, is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.past import Past
from wyoming_kokoro.core.rooms.performance import StillPlaying
from wyoming_kokoro.model.announcement import PlayOutcome
from wyoming_kokoro.model.room import RoomEvent, SpeakerResult
from wyoming_kokoro.ports import Clock, Speaker

_MARGIN_SECONDS = 1.0
"""A speaker begins a little later than it is told to."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """How the playback goes on."""

    started: RoomEvent
    speakers: tuple[Speaker, ...]
    """What still plays, as speakers that end by themselves."""
    heard_seconds: float
    """How far it has come."""


def entry_of(entry: Entry, past: Past) -> Entry:
    """The same, as far as it had come."""
    entry.results = dict(past.results)
    entry.first_index = past.index
    entry.repeat = max(entry.announcement.repeat - past.times_heard, 1)
    if past.position_seconds is not None or past.started is not None:
        entry.last_heard_ms = past.at_ms
    return entry


def resumption(entry: Entry, past: Past, speakers: Sequence[Speaker], clock: Clock, *, may_outlive: bool) -> Resumption | None:
    """What still plays; None where nothing was under way, or nothing can be playing any more."""
    started = past.started
    if started is None:
        return None
    there = {speaker.name: speaker for speaker in speakers}
    under_way = [result.speaker for result in started.speakers if result.outcome is None]
    for name in under_way:
        if name not in there:
            entry.take_in([SpeakerResult(speaker=name, outcome=PlayOutcome.UNKNOWN, reason="it is not there any more")])
    duration_seconds = started.duration_seconds
    if duration_seconds is None or not may_outlive:
        return None
    heard_seconds = min(max((clock.now_ms() - past.begun_ms) / 1000, 0.0), duration_seconds)
    left_seconds = duration_seconds - heard_seconds + _MARGIN_SECONDS
    still = [there[name] for name in under_way if name in there and there[name].outlives_us]
    playing = tuple(StillPlaying(each, left_seconds, clock) for each in still)
    return Resumption(started, playing, heard_seconds) if playing else None
