"""One connection to Home Assistant's WebSocket API, from its opening to its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from urllib.parse import urlsplit

import aiohttp

from wyoming_kokoro.model.errors import ServerError, TokenRefusedError
from wyoming_kokoro.speakers.home_assistant.access import Access
from wyoming_kokoro.speakers.home_assistant.answer import Done, Lost, Refused

_OPEN_SECONDS = 15.0
_HEARTBEAT_SECONDS = 20.0
"""A peer that is silent for one and a half of these is gone, as far as we can know."""
_MESSAGE_BYTES = 16 * 1024 * 1024

Event = Mapping[str, object]


class Link:
    """Sends commands and pairs their results. Nothing may be sent before `serve` runs."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Done | Refused | Lost]] = {}
        self._subscriptions: dict[int, Callable[[Event], None]] = {}
        self._is_over = False

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, access: Access) -> AsyncIterator[Link]:
        """Connected and let in; closed at the end of the block. Raises `ServerError`."""
        # No time limit of the session's own: commands last as long as what they play.
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None, sock_connect=_OPEN_SECONDS)) as session:
            async with _opening(access):
                socket = await session.ws_connect(access.url, heartbeat=_HEARTBEAT_SECONDS, max_msg_size=_MESSAGE_BYTES)
            try:
                async with _opening(access):
                    await _enter(socket, access)
                yield cls(socket)
            finally:
                await socket.close()

    async def command(self, kind: str, fields: Mapping[str, object]) -> Done | Refused | Lost:
        """Send it and wait for its result, for as long as that takes."""
        return await self._sent(kind, fields)

    async def subscribe(
        self, kind: str, fields: Mapping[str, object], handle: Callable[[Event], None]
    ) -> Done | Refused | Lost:
        """The same, and `handle` gets every event of it, at once and in order."""
        self._subscriptions[self._last_id + 1] = handle
        return await self._sent(kind, fields)

    async def serve(self) -> None:
        """Read until the connection ends. What is not answered by then is lost."""
        try:
            async for message in self._socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._read(message.data)
        finally:
            self._is_over = True
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_result(_LOST)
            self._waiting.clear()

    async def _sent(self, kind: str, fields: Mapping[str, object]) -> Done | Refused | Lost:
        if self._is_over:
            return _LOST
        self._last_id += 1
        number = self._last_id
        waiting: asyncio.Future[Done | Refused | Lost] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        try:
            await self._socket.send_json({"id": number, "type": kind, **fields})
            return await waiting
        except (aiohttp.ClientError, OSError):
            return _LOST
        finally:
            self._waiting.pop(number, None)

    def _read(self, text: str) -> None:
        message = _parsed(text)
        number = message.get("id")
        if not isinstance(number, int):
            return
        if message.get("type") == "event" and number in self._subscriptions:
            event = message.get("event")
            self._subscriptions[number](event if isinstance(event, dict) else {})
        elif message.get("type") == "result" and (waiting := self._waiting.get(number)) and not waiting.done():
            waiting.set_result(_result(message))


_LOST = Lost("the connection to Home Assistant broke")


@contextlib.asynccontextmanager
async def _opening(access: Access) -> AsyncIterator[None]:
    """In bounded time; what goes wrong is said in a sentence."""
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            yield
    except (aiohttp.ClientError, OSError, ValueError) as error:
        place = urlsplit(access.url).netloc
        raise ServerError(f"Home Assistant is not reached at {place}: {_words(error)}") from error


async def _enter(socket: aiohttp.ClientWebSocketResponse, access: Access) -> None:
    asked = await _received(socket)
    if asked.get("type") != "auth_required":
        raise ServerError(f"{urlsplit(access.url).netloc} answers, but not as Home Assistant does")
    await socket.send_json({"type": "auth", "access_token": access.token})
    answer = await _received(socket)
    if answer.get("type") == "auth_invalid":
        raise TokenRefusedError(f"Home Assistant does not accept {access.token_name}: {answer.get('message')}")
    if answer.get("type") != "auth_ok":
        raise ServerError("Home Assistant hung up before it let us in")


async def _received(socket: aiohttp.ClientWebSocketResponse) -> dict[str, object]:
    message = await socket.receive()
    return _parsed(message.data) if message.type is aiohttp.WSMsgType.TEXT else {}


def _parsed(text: str) -> dict[str, object]:
    try:
        message = json.loads(text)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _result(message: Mapping[str, object]) -> Done | Refused:
    if message.get("success"):
        return Done(message.get("result"))
    error = message.get("error")
    error = error if isinstance(error, dict) else {}
    return Refused(str(error.get("code", "")), str(error.get("message", "")))


def _words(error: Exception) -> str:
    match error:
        case TimeoutError():
            return f"no answer within {_OPEN_SECONDS:.0f} s"
        case aiohttp.WSServerHandshakeError():
            return f"it answers with HTTP {error.status}"
        case OSError() if error.strerror:
            return error.strerror.lower()
        case _:
            return str(error) or type(error).__name__
