"""From what the command line says to the server that it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wyoming_kokoro.cli.how_to import how_to
from wyoming_kokoro.cli.server.casts import ServerCasts
from wyoming_kokoro.cli.server.client import Client
from wyoming_kokoro.cli.server.place import announced_place, named_place
from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from wyoming_kokoro.cli.server.place import Place
    from wyoming_kokoro.settings.tree import Settings


def running_server(url: str | None, settings: Settings) -> Client | None:
    """The server of that address, or the one of the data directory; None where that one is not running.

    Raises `RefusedError` for an address that is none, `ServerError` where the server can't be reached.
    """
    place = named_place(url, settings) if url else announced_place(settings)
    if place is None:
        return None
    client = Client(place)
    return client if url or answers(client) else None


def casts_of_server(url: str | None, settings: Settings) -> ServerCasts:
    """The casts of that server, as `running_server` finds it. Raises `ServerError` where none is running."""
    return ServerCasts(client_of_server(url, settings))


def client_of_server(url: str | None, settings: Settings) -> Client:
    """That server, as `running_server` finds it. Raises `ServerError` where none is running."""
    place = named_place(url, settings) if url else announced_place(settings)
    return Client(_wanted(place, settings))


def answers(client: Client) -> bool:
    """Whether the process is there; one that was killed leaves its announcement behind."""
    try:
        return b"".join(client.blocks("/health")) == b"OK"
    except ServerError:
        return False


def _wanted(place: Place | None, settings: Settings) -> Place:
    if place is None:
        how = f"start it by `{how_to(settings, 'serve')}`, or name one by --server URL"
        raise ServerError(f"no server is running on {settings.data_dir}: {how}")
    return place
