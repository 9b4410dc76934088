"""What a server is asked about casts, in the words of its HTTP interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from wyoming_kokoro.model.errors import CastCutError, CastExpiredError, CastFailedError, CastNotFoundError, ServerError
from wyoming_kokoro.model.ids import parse_cast_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from wyoming_kokoro.cli.progress import Progress
    from wyoming_kokoro.cli.server.client import Client
    from wyoming_kokoro.cli.server.events import Event

Document = dict[str, Any]  # Any: JSON

_PAGE = 200
"""The most casts that a server puts on one page."""
_ENDS = ("eos", "fail", "expired")


class ServerCasts:
    """Each method asks once and raises what `Client` raises."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def submit(self, request: Mapping[str, object]) -> Document:
        """Ask for speech: `{id, state, audio, events}`."""
        return self._document("POST", "/api/casts", request)

    def get(self, cast_id: str) -> Document:
        """All that is known of a cast. Raises `CastNotFoundError`."""
        return self._document("GET", _path(cast_id))

    def delete(self, cast_id: str) -> None:
        """Take it back, and let go of its sound. Raises `CastNotFoundError`."""
        self._client.ask("DELETE", _path(cast_id))

    def cancel(self, cast_id: str) -> None:
        """Take back all that was asked of it so far. Raises `CastNotFoundError`."""
        self._client.ask("POST", f"{_path(cast_id)}/cancel")

    def keep(self, cast_id: str, *, keep: bool) -> None:
        """Never let it expire, or let it again. Raises `CastNotFoundError` and `CastExpiredError`."""
        self._client.ask("PUT" if keep else "DELETE", f"{_path(cast_id)}/keep")

    def requeue(self, cast_id: str) -> None:
        """Ask again for a cast that was given up. Raises `CastNotFoundError` where it was not."""
        self._client.ask("POST", f"{_path(cast_id)}/requeue")

    def dead(self) -> list[Document]:
        """What was given up and not asked for again, the oldest first: `[{id, kind, voice, reason, jobs}]`."""
        casts: list[Document] = self._document("GET", "/api/casts/dead")["casts"]
        return casts

    def newest(self, limit: int) -> list[Document]:
        """At most so many casts, the newest first; from several pages where one does not hold them."""
        casts: list[Document] = []
        before: str | None = None
        while len(casts) < limit:
            asked = {"limit": min(_PAGE, limit - len(casts)), **({"before": before} if before else {})}
            page = self._document("GET", f"/api/casts?{urlencode(asked)}")
            casts += page["casts"]
            before = page["next"]
            if before is None:
                break
        return casts

    def sound(self, document: Mapping[str, Any], name: str) -> Iterator[bytes]:
        """The sound of the cast of a document, as a file of that format, as it comes."""
        link = str(document["audio"][name])
        # The server may be known to the house by another address than the one that we ask.
        return self._client.blocks(link[link.rindex("/audio/") :])

    def watch(self, cast_id: str, told: Callable[[Event], None]) -> None:
        """Return when the cast is whole; `told` hears every event until then.

        Raises `CastFailedError`, `CastCutError` or `CastExpiredError` where that is its end, `ServerError` where the server
        went away before there was any.
        """
        last: Event | None = None
        for event in self._client.events(f"{_path(cast_id)}/events"):
            last = event
            told(event)
        if last is None or last.name not in _ENDS:
            raise ServerError(f"the server stopped before the end of cast {cast_id}; it goes on when it is back")
        _check_end(last, cast_id)

    def _document(self, method: str, path: str, request: Mapping[str, object] | None = None) -> Document:
        document = self._client.ask(method, path, request)
        if not isinstance(document, dict):
            raise ServerError("the server answers something else than was asked")
        return document


class Watching:
    """Turns the events of a cast into progress."""

    def __init__(self, text: str, progress: Progress) -> None:
        self._chars = max(len(text), 1)
        self._progress = progress
        self._spoken: dict[int, int] = {}

    def __call__(self, event: Event) -> None:
        """See how far it is."""
        if event.name == "start" and not event.data.get("n"):
            self._spoken.clear()
        if event.name != "audio":
            return
        index, text = int(event.data["i"]), str(event.data["t"])
        self._spoken[index] = len(text)
        share = min(sum(self._spoken.values()) / self._chars, 1.0)
        self._progress.sentence(index + 1, text, float(event.data["d"]) / 1000, share)


def _path(cast_id: str) -> str:
    if parse_cast_id(cast_id) is None:
        raise CastNotFoundError("there is no such cast: an id has 16 letters and digits")
    return f"/api/casts/{cast_id}"


def _check_end(event: Event, cast_id: str) -> None:
    if event.name == "fail":
        raise CastFailedError(f"cast {cast_id} failed: {event.data.get('reason', 'no reason is given')}")
    if event.name == "expired":
        raise CastExpiredError(f"cast {cast_id} has expired")
    if event.data.get("reason") == "cut":
        raise CastCutError(f"cast {cast_id} was cancelled while it was being made")
