"""What a server is asked about rooms and announcements, in the words of its HTTP interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wyoming_kokoro.cli.server.client import Client
    from wyoming_kokoro.cli.server.events import Event

Document = dict[str, Any]  # Any: JSON


class ServerRooms:
    """Each method asks once and raises what `Client` raises."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def all(self) -> list[Document]:
        """Every room as it is now."""
        rooms: list[Document] = self._document("GET", "/api/rooms")["rooms"]
        return rooms

    def tell(self, room: str, order: str, *, since: int | None = None) -> None:
        """`stop`, `skip`, `clear` or `replay`; `since` is the event of the room from which on it is played again."""
        query = "" if since is None else f"?{urlencode({'since': since})}"
        self._client.ask("POST", f"{_path(room)}/{order}{query}")

    def announce(self, request: Mapping[str, object]) -> Document:
        """Ask for an announcement: `{id, cast, rooms}`."""
        return self._document("POST", "/api/announcements", request)

    def announcement(self, announcement_id: str) -> Document:
        """One, with its receipts."""
        return self._document("GET", f"/api/announcements/{quote(announcement_id, safe='')}")

    def events(self, room: str, since: int) -> Iterator[Event]:
        """What happens in a room from that place on, for ever."""
        return self._client.events(f"{_path(room)}/events?{urlencode({'since': since})}")

    def _document(self, method: str, path: str, request: Mapping[str, object] | None = None) -> Document:
        document = self._client.ask(method, path, request)
        if not isinstance(document, dict):
            raise ServerError("the server answers something else than was asked")
        return document


def _path(room: str) -> str:
    return f"/api/rooms/{quote(room, safe='')}"
