"""Whether the server runs, lets us in and can speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro import __version__
from wyoming_kokoro.cli.checkup.finding import fine, note, wrong
from wyoming_kokoro.cli.how_to import how_to
from wyoming_kokoro.cli.server.casts import ServerCasts
from wyoming_kokoro.cli.server.client import Client
from wyoming_kokoro.cli.server.connecting import answers
from wyoming_kokoro.cli.server.place import announced_place, named_place, read_announcement
from wyoming_kokoro.model.errors import ServerError, VoiceOfAHouseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wyoming_kokoro.cli.checkup.finding import Finding
    from wyoming_kokoro.cli.server.place import Place
    from wyoming_kokoro.settings.tree import Settings

_PATIENCE_SECONDS = 5.0


def check_server(url: str | None, settings: Settings) -> Iterator[Finding]:
    """One finding where it does not answer, several where it does. Raises `RefusedError` for an address that is none."""
    try:
        place = named_place(url, settings) if url else announced_place(settings)
    except ServerError as error:
        yield wrong("server", str(error), "restart the server")
        return
    if place is None:
        yield note("server", f"none is running on {settings.data_dir}", f"start it: {how_to(settings, 'serve')}")
        return
    client = Client(place, silence_seconds=_PATIENCE_SECONDS)
    if not answers(client):
        advice = f"start it: {how_to(settings, 'serve')}" if url is None else "is the address right, and the server up?"
        yield wrong("server", f"{place} does not answer", advice)
        return
    yield _version(place, None if url else settings)
    yield _ready(client)
    yield _token(client)


def _version(place: Place, settings: Settings | None) -> Finding:
    announcement = read_announcement(settings.data_dir) if settings else None
    if announcement is None:
        return fine("server", f"{place} answers")
    if announcement.version != __version__:
        found = f"{place} is version {announcement.version}, this is {__version__}"
        return note("server", found, "restart the server to have them equal")
    return fine("server", f"{place} answers, version {announcement.version}, process {announcement.pid}")


def _ready(client: Client) -> Finding:
    try:
        client.ask("GET", "/ready")
    except VoiceOfAHouseError as error:
        return wrong("ready", str(error), "wait until the model is loaded; if that does not help, its log says why")
    return fine("ready", "its engine has spoken")


def _token(client: Client) -> Finding:
    try:
        ServerCasts(client).newest(1)
    except VoiceOfAHouseError as error:
        return wrong("token", str(error), "look at --data-dir and --api-token")
    return fine("token", "it lets us in")
