"""`/api/lexicon`: the household's words."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING

from aiohttp import web

from wyoming_kokoro.core.lexicon_entry import word_of
from wyoming_kokoro.frontends.http.answers import json_answer
from wyoming_kokoro.frontends.http.carried import json_body
from wyoming_kokoro.frontends.http.sheltered import sheltered
from wyoming_kokoro.frontends.json_fields import parse_object, refuse_unknown
from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from wyoming_kokoro.core.house import House
    from wyoming_kokoro.frontends.http.limits import Limits
    from wyoming_kokoro.text.lexicon import Word


class LexiconRoutes:
    """Each handler is one call of the core; it writes a file, so in a thread."""

    def __init__(self, house: House, limits: Limits) -> None:
        self._house = house
        self._limits = limits

    async def all(self, _: web.Request) -> web.Response:
        """`GET /api/lexicon`"""
        words = (await asyncio.to_thread(self._house.lexicon.words)).all
        return json_answer({"words": [_document(word) for word in words]})

    async def put(self, request: web.Request) -> web.Response:
        """`PUT /api/lexicon`: one word, or with `words` all of them."""
        document = parse_object(await json_body(request, self._limits.body_seconds))
        if "words" not in document:
            word = await sheltered(asyncio.to_thread(self._house.lexicon.put, word_of(document)))
            return json_answer(_document(word))
        refuse_unknown(document, ("words",))
        entries = document["words"]
        if not isinstance(entries, list):
            raise RefusedError("words", "it must be a list")
        await sheltered(asyncio.to_thread(self._house.lexicon.put_all, [word_of(entry) for entry in entries]))
        return await self.all(request)

    async def delete(self, request: web.Request) -> web.Response:
        """`DELETE /api/lexicon?word=...&language=...`"""
        word = request.query.get("word", "")
        if not word:
            raise RefusedError("word", "it is missing: which word is to be forgotten?")
        await sheltered(asyncio.to_thread(self._house.lexicon.remove, word, request.query.get("language")))
        return web.Response(status=204)


def _document(word: Word) -> dict[str, object]:
    return dataclasses.asdict(word)
