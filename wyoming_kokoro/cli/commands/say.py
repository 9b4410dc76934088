"""`wyoming-kokoro say`: asks the server that is running, for rooms or for a file; without one, speaks by itself."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.cli.exit_status import ExitStatus
from wyoming_kokoro.cli.how_to import how_to
from wyoming_kokoro.cli.progress import open_progress
from wyoming_kokoro.cli.say_here import say_here
from wyoming_kokoro.cli.say_in_rooms import say_in_rooms, status_of
from wyoming_kokoro.cli.say_there import request_of, say_there
from wyoming_kokoro.cli.server.casts import ServerCasts
from wyoming_kokoro.cli.server.connecting import client_of_server, running_server
from wyoming_kokoro.cli.server.rooms import ServerRooms
from wyoming_kokoro.cli.sound_file import check_out
from wyoming_kokoro.model.errors import RefusedError, ServerError

if TYPE_CHECKING:
    import argparse

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.cli.server.client import Client
    from wyoming_kokoro.settings.tree import Settings

_OWN_ENGINE = ("engine", "threads", "model_dir")


def run(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    """Tell on standard error how far it is. Standard output gets the link where no file is wanted, or JSON."""
    if arguments.room:
        return _in_rooms(arguments, settings)
    if arguments.out is not None:
        check_out(arguments.out)
    client = _server(arguments, settings)
    with closing(open_progress()) as progress:
        told = _here(arguments, settings, progress) if client is None else _there(arguments, settings, client, progress)
    if arguments.json:
        print(json.dumps(told, ensure_ascii=False))
    elif arguments.out is None:
        print(told["audio"]["mp3"])
    return ExitStatus.DONE


def _in_rooms(arguments: argparse.Namespace, settings: Settings) -> ExitStatus:
    if arguments.out is not None or any(key in vars(arguments) for key in _OWN_ENGINE):
        raise RefusedError("--room", "rooms are a server's: --out, --engine, --threads and --model-dir go without it")
    rooms = ServerRooms(client_of_server(arguments.server, settings))
    request = {**request_of(arguments, settings), "rooms": arguments.room}
    with closing(open_progress()) as progress:
        document = say_in_rooms(rooms, request, progress)
    print(json.dumps(document, ensure_ascii=False) if arguments.json else document["id"])
    return status_of(document)


def _server(arguments: argparse.Namespace, settings: Settings) -> Client | None:
    has_own_engine = any(key in vars(arguments) for key in _OWN_ENGINE)
    if has_own_engine and arguments.server:
        raise RefusedError("--server", "a server has its engine: --engine, --threads and --model-dir go without it")
    client = None if has_own_engine else running_server(arguments.server, settings)
    if client is None and arguments.out is None:
        where = f"no server is running on {settings.data_dir}"
        raise ServerError(
            f"{where}: start it by `{how_to(settings, 'serve')}`, name one by --server URL, or name a file by --out FILE"
        )
    return client


def _here(arguments: argparse.Namespace, settings: Settings, progress: Progress) -> dict[str, Any]:  # Any: JSON
    spoken = say_here(arguments, settings, arguments.out, progress)
    pace = f", made {spoken.seconds / spoken.gen_seconds:.1f} times as fast as it is heard" if spoken.gen_seconds else ""
    progress.tell(f"{arguments.out}: {spoken.seconds:.2f} s of sound by {spoken.voice}{pace}")
    return {
        "voice": spoken.voice,
        "audio_ms": round(1000 * spoken.seconds),
        "gen_ms": round(1000 * spoken.gen_seconds),
        "out": str(arguments.out),
    }


def _there(
    arguments: argparse.Namespace, settings: Settings, client: Client, progress: Progress
) -> dict[str, Any]:  # Any: JSON
    document = say_there(arguments, settings, ServerCasts(client), arguments.out, progress)
    audio_ms = sum(sentence["duration_ms"] for sentence in document["sentences"])
    what = arguments.out or f"cast {document['id']}"
    progress.tell(f"{what}: {audio_ms / 1000:.2f} s of sound by {document['voice']}")
    return {**document, "audio_ms": audio_ms, "out": None if arguments.out is None else str(arguments.out)}
