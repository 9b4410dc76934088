"""Writes the sentences of a live cast to `in/<cast>`, so that a restart knows what was asked."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.lease import ALIVE_SECONDS
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.core.writing import CastWriter
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import CastId, input_stream
from wyoming_kokoro.model.recipe import Sentence
from wyoming_kokoro.model.records import Alive, Fence, Input, InputEnd, InputEndReason

_LOGGER = logging.getLogger(__name__)


class LiveInput:
    """The only writer of one live cast's text. The worker in this process has each sentence before the log does."""

    def __init__(self, shop: Workshop, cast_id: CastId, text: SpokenText) -> None:
        self._shop = shop
        self._text = text
        token = shop.clock.entropy(8).hex()
        self._writer = CastWriter(
            shop.log,
            shop.clock,
            shop.tasks,
            input_stream(cast_id),
            token=token,
            tail=0,
            landed=lambda _record, _seq_num: None,
        )
        self._writer.put(Fence(token))
        if not shop.log.exclusive:
            self._writer.put(Alive(worker=shop.name))
        for index, sentence in enumerate(text.sentences):
            self._writer.put(Input(index=index, sentence=sentence))
        if not shop.log.exclusive:
            shop.tasks.start(self._stay_alive(), name=f"input[{cast_id}]")

    async def opened(self) -> None:
        """Return when the stream is ours; raises `LogError`."""
        await self._writer.drained()

    def add(self, sentence: Sentence) -> None:
        """One more sentence has come."""
        self._writer.put(Input(index=len(self._text.sentences), sentence=sentence))
        self._text.add(sentence)

    async def finish(self, reason: InputEndReason) -> None:
        """No more will come; the first call counts."""
        if self._text.end is not None:
            return
        self._writer.put(InputEnd(reason=reason, count=len(self._text.sentences)))
        self._text.finish(reason)
        try:
            await self._writer.drained()
        except LogError as error:
            _LOGGER.warning("the end of a live text is not in the log: %s", error)

    async def _stay_alive(self) -> None:
        """Say in every beat that more may come."""
        while True:
            await self._shop.clock.sleep(ALIVE_SECONDS)
            if self._text.end is not None or self._writer.failure is not None:
                return
            self._writer.put(Alive(worker=self._shop.name))
