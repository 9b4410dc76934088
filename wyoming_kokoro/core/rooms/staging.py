"""Makes a playback out of an announcement: what is heard, how loud, by which links, on which speakers."""

from __future__ import annotations

from collections.abc import Sequence

from wyoming_kokoro.audio.chime import FAILURE
from wyoming_kokoro.core.rooms.entry import Entry
from wyoming_kokoro.core.rooms.programme import Programme
from wyoming_kokoro.core.rooms.readiness import Ready
from wyoming_kokoro.core.rooms.stage import Stage
from wyoming_kokoro.core.sound import sound
from wyoming_kokoro.model.announcement import Play
from wyoming_kokoro.model.presentation import Presentation
from wyoming_kokoro.model.room import RoomEvent, RoomEventKind, SpeakerResult

_PLAY_ID_BYTES = 8


def programme_of(stage: Stage, entry: Entry, ready: Ready) -> Programme:
    """What is heard of it: the beginning with the room's chime, or the rest from the sentence on where it was cut."""
    announcement, options = entry.announcement, stage.preferences.options
    chime = ("" if options.chime == "none" else options.chime) if announcement.chime is None else announcement.chime
    presentation = Presentation(
        first_index=entry.first_index,
        chime="" if entry.is_resumed else chime,
        lead_ms=options.lead_ms if announcement.lead_ms is None else announcement.lead_ms,
        repeat=entry.repeat,
    )
    return Programme(presentation, ready.durations_ms, ready.is_whole)


def failure_programme(stage: Stage) -> Programme:
    """What is heard in place of a speech that can't be made: tones, once."""
    presentation = Presentation(chime=FAILURE, lead_ms=stage.preferences.options.lead_ms, repeat=0)
    return Programme(presentation, ())


def play_of(stage: Stage, entry: Entry, programme: Programme) -> Play:
    """A playback of its own."""
    play_id = stage.shop.clock.entropy(_PLAY_ID_BYTES).hex()
    announcement, presentation = entry.announcement, programme.presentation
    return Play(
        play_id=play_id,
        announcement_id=announcement.announcement_id,
        room=stage.room,
        cast_id=announcement.cast_id,
        presentation=presentation,
        duration_seconds=programme.duration_seconds,
        volume=stage.preferences.volume_of(announcement.volume, stage.now_ms, is_critical=entry.is_critical),
        urls=stage.links.of(announcement.cast_id, presentation, play_id),
        pcm=lambda: sound(stage.listening, announcement.cast_id, presentation),
        is_fetched=lambda: stage.fetches.is_complete(play_id),
    )


def started(entry: Entry, play: Play, results: Sequence[SpeakerResult], *, reason: str = "") -> RoomEvent:
    """It begins to be heard; a reason says that it is not its speech."""
    return entry.event(
        RoomEventKind.STARTED,
        reason=reason,
        index=play.presentation.first_index,
        duration_seconds=play.duration_seconds,
        play_id=play.play_id,
        urls=tuple(play.urls.items()),
        speakers=tuple(results),
    )
