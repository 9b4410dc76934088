"""The Supervisor's API, as far as an app may use it."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.model.errors import ServerError, SupervisorRefusalError, TokenRefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import aiohttp

    from wyoming_kokoro.settings.supervised import Supervised

_LOGGER = logging.getLogger(__name__)

_ANSWER_SECONDS = 15.0
_SHUT_OUT = (401, 403)

Answer = dict[str, Any]
"""What stands under `data`; Any: whatever the Supervisor has there, and each field is checked where it is used."""


class SupervisorApi:
    """Every method raises `ServerError`: the Supervisor is away; `TokenRefusedError`: it does not know us;
    `SupervisorRefusalError`: it does not do that."""

    def __init__(self, supervised: Supervised) -> None:
        self._url, self._token = supervised
        self._unreached = ""
        self._told: set[str] = set()

    def tell(self, what: str, error: ServerError) -> None:
        """Say in the log that `what` has to wait, once for each reason, whoever meets it."""
        reason = str(error)
        if reason not in self._told:
            self._told.add(reason)
            _LOGGER.warning("%s: %s; trying again", what, reason)

    async def get(self, path: str) -> Answer:
        """What is there."""
        return await self._ask("GET", path)

    async def post(self, path: str, document: Mapping[str, object]) -> Answer:
        """Hand it in."""
        return await self._ask("POST", path, document)

    async def delete(self, path: str) -> None:
        """Take it away."""
        await self._ask("DELETE", path)

    async def home_assistant(self, path: str) -> Answer:
        """What Home Assistant itself answers at `/api/...`, handed through."""
        return _mapping(await self._text("GET", f"/core/api{path}", None))

    async def _ask(self, method: str, path: str, document: Mapping[str, object] | None = None) -> Answer:
        return _mapping(_mapping(await self._text(method, path, document)).get("data") or {})

    async def _text(self, method: str, path: str, document: Mapping[str, object] | None) -> object:
        """The JSON of the answer. Requests are so few that each has a connection of its own."""
        import aiohttp  # heavy, and few need it

        headers = {"Authorization": f"Bearer {self._token}"}
        timeout = aiohttp.ClientTimeout(total=_ANSWER_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, headers=headers) as session,
                session.request(method, self._url + path, json=document) as response,
            ):
                content = await _json(response)
                _LOGGER.debug("%s %s: %d", method, path, response.status)
        except (aiohttp.ClientError, OSError) as error:
            self._unreached = f"the Supervisor is not reached at {self._url}: {str(error) or type(error).__name__}"
            raise ServerError(self._unreached) from error
        self._told.discard(self._unreached)
        if response.status < 400:
            return content
        message = content.get("message") if isinstance(content, dict) else None
        if isinstance(message, str):
            raise SupervisorRefusalError(f"{method} {path}", response.status, message)
        if response.status in _SHUT_OUT:
            raise TokenRefusedError(f"the Supervisor does not let us ask {path} (status {response.status})")
        raise ServerError(f"the Supervisor answers {method} {path} with status {response.status}")


async def _json(response: aiohttp.ClientResponse) -> object:
    """None where it is no JSON: what its gatekeeper says comes as plain text."""
    try:
        return json.loads(await response.text())
    except ValueError:
        return None


def _mapping(content: object) -> Answer:
    if not isinstance(content, dict):
        raise ServerError("the Supervisor answers with something that it never says")
    return content
