"""Asks a server over HTTP: one connection a question, bounded waits, and one sentence for whatever goes wrong."""

from __future__ import annotations

import contextlib
import http.client
import json
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.cli.server.events import events
from wyoming_kokoro.cli.server.refusal import error_of
from wyoming_kokoro.model.errors import ServerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wyoming_kokoro.cli.server.events import Event
    from wyoming_kokoro.cli.server.place import Place

_SILENCE_SECONDS = 30.0
"""A server that says nothing for so long is taken for dead; it shows every few seconds that it is there."""
_BLOCK_BYTES = 64 * 1024
_JSON = "application/json"


class Client:
    """Blocks. Every method raises `ServerError` where the server is away or goes away, and else what `error_of` says."""

    def __init__(self, place: Place, *, silence_seconds: float = _SILENCE_SECONDS) -> None:
        self._place = place
        self._silence_seconds = silence_seconds

    def ask(self, method: str, path: str, document: Mapping[str, object] | None = None) -> Any:  # Any: JSON
        """The JSON document of the answer; None where it has none."""
        with self._answer(method, path, document) as answer:
            body = answer.read()
        if answer.status == http.client.NO_CONTENT:
            return None
        try:
            return json.loads(body)
        except ValueError as error:
            raise ServerError(f"{self._place} does not answer in JSON: is it a wyoming-kokoro server?") from error

    def events(self, path: str) -> Iterator[Event]:
        """The events of a stream as they come, to its end."""
        with self._answer("GET", path) as answer:
            yield from events(_lines(answer))

    def blocks(self, path: str) -> Iterator[bytes]:
        """The body of an answer as it comes. Raises `ServerError` where it ends before its end."""
        with self._answer("GET", path) as answer:
            missing = answer.length
            while block := answer.read1(_BLOCK_BYTES):
                missing = None if missing is None else missing - len(block)
                yield block
            if missing:
                raise ServerError(f"{self._place} went away in the middle of its answer")

    @contextlib.contextmanager
    def _answer(
        self, method: str, path: str, document: Mapping[str, object] | None = None
    ) -> Iterator[http.client.HTTPResponse]:
        """An answer that is no failure."""
        connection = self._connection()
        has_answered = False
        try:
            body = None if document is None else json.dumps(document).encode()
            connection.request(method, self._place.prefix + path, body, self._headers(body))
            answer = connection.getresponse()
            has_answered = True
            if answer.status >= http.client.MULTIPLE_CHOICES:
                raise error_of(answer.status, answer.read(_BLOCK_BYTES), str(self._place))
            yield answer
        except (http.client.HTTPException, OSError, ValueError) as error:
            raise ServerError(self._sentence(error, has_answered=has_answered)) from error
        finally:
            connection.close()

    def _connection(self) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._place.is_secure else http.client.HTTPConnection
        return kind(self._place.host, self._place.port, timeout=self._silence_seconds)

    def _headers(self, body: bytes | None) -> dict[str, str]:
        headers = {"Accept": "*/*", "User-Agent": "wyoming-kokoro"}
        if self._place.token is not None:
            headers["Authorization"] = f"Bearer {self._place.token}"
        return headers if body is None else {**headers, "Content-Type": _JSON}

    def _sentence(self, error: Exception, *, has_answered: bool) -> str:
        if isinstance(error, TimeoutError):
            return f"{self._place} has said nothing for {self._silence_seconds:g} s"
        if has_answered:
            return f"{self._place} went away in the middle of its answer"
        reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        return f"{self._place} can't be reached: {reason}"


def _lines(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """The lines of a body as they come. `readline` would take a body that was broken off for one that has ended."""
    rest = b""
    while block := answer.read1(_BLOCK_BYTES):
        *lines, rest = (rest + block).split(b"\n")
        yield from lines
    if rest:
        yield rest
