"""The answer to an order: nothing but that it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.frontends.http.sheltered import sheltered

if TYPE_CHECKING:
    from collections.abc import Coroutine


async def obeyed(order: Coroutine[object, object, None]) -> web.Response:
    """204, once it is durable. Who hangs up now has told it all the same."""
    await sheltered(order)
    return web.Response(status=204)
