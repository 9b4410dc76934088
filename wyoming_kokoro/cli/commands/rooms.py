"""`wyoming-kokoro rooms`: what the rooms of a running server do, and what they are told."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.server.connecting import client_of_server
from wyoming_kokoro.cli.server.rooms import ServerRooms

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.cli.server.rooms import Document
    from wyoming_kokoro.settings.tree import Settings


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """List them, or tell each that is named."""
    rooms = ServerRooms(client_of_server(arguments.server, settings))
    if arguments.action == "list":
        _list(rooms.all(), is_json=arguments.json)
        return ExitStatus.DONE
    for room in arguments.room:
        rooms.tell(room, arguments.action, since=arguments.since if arguments.action == "replay" else None)
    return ExitStatus.DONE


def _list(rooms: list[Document], *, is_json: bool) -> None:
    if is_json:
        print(json.dumps(rooms, ensure_ascii=False, indent=2))
        return
    for room in rooms:
        print(_line(room))


def _line(room: Document) -> str:
    playing = room["now_playing"]
    facts = [
        f"now {playing['id']} at {playing['position_seconds']:.1f} s" if playing else "",
        f"{room['queue_length']} waiting" if room["queue_length"] else "",
        f"held by {room['held_by']}" if room["held_by"] else "",
        ", ".join(room["speakers"]) or "no speakers",
    ]
    return f"{room['room']:<20}  {room['state']:<12}  {'; '.join(fact for fact in facts if fact)}"
