"""Asks a running server to speak, and watches it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wyoming_kokoro.cli.how_to import how_to
from wyoming_kokoro.cli.script import read_text
from wyoming_kokoro.cli.server.casts import Watching
from wyoming_kokoro.cli.sound_file import format_of
from wyoming_kokoro.cli.whole_file import WholeFile

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.cli.server.casts import Document, ServerCasts
    from wyoming_kokoro.settings.tree import Settings

_UNDER_WAY = ("queued", "speaking")


def say_there(
    arguments: argparse.Namespace, settings: Settings, casts: ServerCasts, out: Path | None, progress: Progress
) -> Document:
    """The cast when it is whole and the file, if one is wanted, is written. Raises what `ServerCasts` raises.

    Whoever is tired of waiting is told how to get at the cast all the same.
    """
    request = request_of(arguments, settings)
    submitted = casts.submit(request)
    cast_id = str(submitted["id"])
    try:
        if submitted["state"] in _UNDER_WAY:
            casts.watch(cast_id, Watching(str(request["text"]), progress))
        else:
            progress.tell("it was spoken before")
        document = casts.get(cast_id)
        if out is not None:
            fetch_sound(casts, document, out)
    except KeyboardInterrupt:
        progress.tell(f"cast {cast_id} goes on without us: {_how_to_go_on(arguments, settings, cast_id)}")
        raise
    return document


def when_whole(casts: ServerCasts, cast_id: str, progress: Progress) -> Document:
    """A cast when nothing of it is under way any more. Raises what `ServerCasts` raises."""
    document = casts.get(cast_id)
    if document["state"] not in _UNDER_WAY:
        return document
    casts.watch(cast_id, Watching(document["text"] or "", progress))
    return casts.get(cast_id)


def fetch_sound(casts: ServerCasts, document: Document, out: Path) -> None:
    """Write the sound of a whole cast into a file. Raises what `ServerCasts` raises, and `RefusedError`."""
    name = format_of(out)
    with WholeFile(out) as file:
        for block in casts.sound(document, name):
            file.write(block)


def _how_to_go_on(arguments: argparse.Namespace, settings: Settings, cast_id: str) -> str:
    fetch = how_to(settings, "casts", "audio", cast_id, "--out", str(arguments.out or "FILE.wav"), url=arguments.server)
    cancel = how_to(settings, "casts", "cancel", cast_id, url=arguments.server)
    return f"`{fetch}` fetches it, `{cancel}` takes it back"


def request_of(arguments: argparse.Namespace, settings: Settings) -> dict[str, Any]:  # Any: JSON
    """What a server is asked to speak; what is not said here is left to it."""
    given = vars(arguments)
    named = {
        "text": read_text(arguments.text),
        "voice": settings.engine.voice if "voice" in given else None,
        "speed": settings.engine.speed if "speed" in given else None,
        "language": arguments.language,
        "profile": arguments.profile,
        "text_format": arguments.format,
    }
    return {name: value for name, value in named.items() if value is not None}
