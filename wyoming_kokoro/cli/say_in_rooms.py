"""Announces in rooms of a running server, and watches until every room has ended it."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.model.room import RoomEventKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.cli.server.rooms import Document, ServerRooms


class _Told(NamedTuple):
    """What was heard of a room: something that happened, or that nothing more is to be learnt."""

    room: str
    event: Mapping[str, Any] | None  # Any: JSON
    error: VoiceOfAHouseError | None = None


def say_in_rooms(rooms: ServerRooms, request: Mapping[str, object], progress: Progress) -> Document:
    """The announcement with its receipts, when it has ended everywhere. Raises what `ServerRooms` raises."""
    tails = {str(room["room"]): int(room["tail"]) for room in rooms.all()}
    accepted = rooms.announce(request)
    announcement_id, where = str(accepted["id"]), [str(room) for room in accepted["rooms"]]
    try:
        for told in _watch(rooms, announcement_id, {room: tails.get(room, 0) for room in where}):
            if told.error is not None:
                raise told.error
            if told.event is not None:
                progress.tell(f"{told.room}: {describe(told.event)}")
    except KeyboardInterrupt:
        progress.tell(f"announcement {announcement_id} goes on without us")
        raise
    return rooms.announcement(announcement_id)


def status_of(document: Document) -> ExitStatus:
    """Whether it was heard everywhere."""
    heard = all(receipt["event"] == RoomEventKind.FINISHED for receipt in document["rooms"].values())
    return ExitStatus.DONE if heard else ExitStatus.FAILED


def describe(event: Mapping[str, Any]) -> str:  # Any: JSON
    """One event, in a line."""
    match event["event"]:
        case RoomEventKind.STARTED:
            seconds = event.get("duration_seconds")
            return "started" + (f", {seconds:.1f} s of sound" if seconds is not None else "")
        case RoomEventKind.SENTENCE:
            return f"sentence {event['index'] + 1} at {event['position_seconds']:.1f} s"
        case kind:
            results = ", ".join(f"{each['speaker']} {each['outcome']}" for each in event.get("speakers", ()))
            return ": ".join(part for part in (str(kind), event.get("reason") or results) if part)


def _watch(rooms: ServerRooms, announcement_id: str, tails: Mapping[str, int]) -> Iterable[_Told]:
    """What happens to it, room by room as it comes, until it has ended in all of them."""
    told: queue.Queue[_Told] = queue.Queue()
    for room, since in tails.items():
        # Nobody waits for these: an event stream has no end of its own.
        threading.Thread(target=_listen, args=(rooms, announcement_id, room, since, told), daemon=True).start()
    left = set(tails)
    while left:
        each = told.get()
        if each.event is None:
            left.discard(each.room)
        yield each


def _listen(rooms: ServerRooms, announcement_id: str, room: str, since: int, told: queue.Queue[_Told]) -> None:
    try:
        for event in rooms.events(room, since):
            if event.data.get("id") != announcement_id:
                continue
            told.put(_Told(room, event.data))
            if RoomEventKind(event.name).is_final:
                break
    except VoiceOfAHouseError as error:
        told.put(_Told(room, None, error))
    else:
        told.put(_Told(room, None))
