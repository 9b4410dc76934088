"""A request whose text arrives piece by piece: an ordinary cast if it is soon complete, otherwise a live one.

| from | to | when |
|---|---|---|
| WAITING | WHOLE | the end came within `whole_text_seconds` of the first piece: an ordinary cast, which may be a hit |
| WAITING | LIVE | that time has passed: what has come is spoken, the rest follows |
| WAITING | ABANDONED | the asker has gone before it was decided |
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum, auto

from wyoming_kokoro.core.acceptance import Acceptance
from wyoming_kokoro.core.live_input import LiveInput
from wyoming_kokoro.core.spoken_text import SpokenText
from wyoming_kokoro.core.worker import Worker
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import LogError, NothingToSpeakError, RefusedError
from wyoming_kokoro.model.ids import CastId, cast_id_from_digest
from wyoming_kokoro.model.recipe import Recipe, Sentence, Utterance
from wyoming_kokoro.model.records import InputEndReason
from wyoming_kokoro.settings import WorkSettings
from wyoming_kokoro.text.pipeline import SentenceStream

_LOGGER = logging.getLogger(__name__)

_NEARLY_DRY_SECONDS = 1.0
"""A listener with less than this left gets a clause where no sentence is complete."""

_SLICE_CHARS = 1000
"""So much text is cut at a time: then others have their turn."""


class Stage(Enum):
    """Where the request stands."""

    WAITING = auto()
    WHOLE = auto()
    LIVE = auto()
    ABANDONED = auto()


class IncomingText:
    """One request; made by `Intake.open`. Feed it, end it, and have its cast; always `abandon` it at last."""

    def __init__(
        self,
        acceptance: Acceptance,
        shop: Workshop,
        worker: Worker,
        stream: SentenceStream,
        request: CastRequest,
        settings: WorkSettings,
    ) -> None:
        self._acceptance = acceptance
        self._shop = shop
        self._worker = worker
        self._stream = stream
        self._request = request
        self._settings = settings
        self._stage = Stage.WAITING
        self._parts: list[str] = []
        self._length = 0
        self._uncut: deque[str] = deque()
        self._cutting: asyncio.Task[None] | None = None
        self._end: InputEndReason | None = None
        self._text = SpokenText()
        self._input: LiveInput | None = None
        self._cast: asyncio.Future[CastId | None] = asyncio.get_running_loop().create_future()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._begun: Utterance | None = None
        """What the engine may have begun with before there was a job."""
        self._held = ExitStack()
        """While the request lives somebody waits for its cast, even before anybody listens."""
        self._is_gone = False

    def feed(self, text: str) -> None:
        """More of the text has come. Raises `RefusedError` when it gets too long."""
        if not text or self._end is not None:
            return
        self._acceptance.recipes.check_length(self._length + len(text))
        if not self._parts:
            self._after("whole", self._settings.whole_text_seconds, self._go_live)
        self._parts.append(text)
        self._length += len(text)
        self._uncut.extend(text[start : start + _SLICE_CHARS] for start in range(0, len(text), _SLICE_CHARS))
        self._cut_soon()
        self._after("idle", self._settings.text_idle_seconds, self._idle)
        self._after("release", self._settings.release_seconds, self._release)

    def end(self) -> None:
        """No more text comes. Idempotent."""
        self._finish(InputEndReason.WHOLE)

    async def cast_id(self) -> CastId | None:
        """The cast to listen to, once that is decided; None where there is nothing to speak.

        Raises `RefusedError`. Where the journal refuses, the text is spoken from memory.
        """
        return await asyncio.shield(self._cast)

    async def abandon(self) -> None:
        """The asker has gone, or has heard it all. Idempotent."""
        self._is_gone = True
        self._finish(InputEndReason.ABANDONED)
        self._held.close()
        if self._begun is not None:
            self._shop.voicing.forsake(self._begun)
        if self._input is not None and self._cast.done() and (cast_id := self._cast.result()) is not None:
            self._acceptance.forsake(cast_id)

    # -- cutting: in the background, so that all input that is there is taken first, and nobody waits for a long text ----------

    def _cut_soon(self) -> None:
        if self._cutting is None:
            self._cutting = self._shop.tasks.start(self._cut(), name="incoming")

    async def _cut(self) -> None:
        try:
            if self._stage is Stage.WHOLE and (recipe := self._acceptance.recipes.known(self._whole_request())) is not None:
                await self._accept(recipe)
                return
            while self._uncut or self._end is None:
                while self._uncut:
                    self._add(self._stream.feed(self._uncut.popleft()))
                    await asyncio.sleep(0)
                await self._anticipate()
                if self._end is None and not self._uncut:
                    return
            if self._stage is not Stage.ABANDONED:
                self._add(self._stream.finish())
                await self._finish_text(self._end)
        except RefusedError as error:
            self._refuse(error)
        finally:
            self._cutting = None

    def _add(self, sentences: list[Sentence]) -> None:
        for sentence in sentences:
            if self._input is not None:
                self._input.add(sentence)
            else:
                self._text.add(sentence)

    async def _anticipate(self) -> None:
        """The first sentence need not wait for what the text turns out to be, unless it was spoken before."""
        is_early = self._stage is Stage.WAITING and self._begun is None and self._length <= _SLICE_CHARS
        if is_early and self._text.sentences:
            try:
                recipe = await self._acceptance.anticipate(self._whole_request())
            except LogError as error:
                _LOGGER.debug("nothing anticipated: %s", error)
            else:
                self._begun = None if recipe is None else recipe.utterance(recipe.sentences[0])

    def _release(self) -> None:
        """No text for a moment: what stands behind a boundary need not wait for more."""
        if self._stage is not Stage.LIVE or self._end is not None or self._cutting is not None:
            return
        cast_id = self._cast.result() if self._cast.done() and not self._cast.exception() else None
        is_dry = cast_id is not None and self._worker.lead(cast_id) < _NEARLY_DRY_SECONDS
        self._add(self._stream.release(clauses=is_dry))
        if self._stream.has_pending:
            self._after("release", self._settings.release_seconds, self._release)

    # -- the end of the text ---------------------------------------------------------------------------------------------------

    def _finish(self, reason: InputEndReason) -> None:
        for timer in self._timers.values():
            timer.cancel()
        if self._end is not None:
            return
        self._end = reason
        if self._stage is Stage.WAITING:
            is_abandoned = reason is InputEndReason.ABANDONED
            self._stage = Stage.ABANDONED if is_abandoned else Stage.WHOLE
            if is_abandoned:
                self._decide(None)
        self._cut_soon()

    async def _finish_text(self, reason: InputEndReason) -> None:
        if self._stage is Stage.WHOLE:
            request = self._whole_request()
            try:
                recipe = self._acceptance.recipes.of(request, tuple(self._text.sentences))
            except NothingToSpeakError:
                self._decide(None)
            else:
                await self._accept(recipe)
        elif self._input is not None:
            await self._input.finish(reason)
        else:
            self._text.finish(reason)

    def _idle(self) -> None:
        _LOGGER.warning("%s: no text for %g s; speaking what came", self._request.source, self._settings.text_idle_seconds)
        self._finish(InputEndReason.IDLE)

    # -- becoming a cast -------------------------------------------------------------------------------------------------------

    async def _accept(self, recipe: Recipe) -> None:
        self._hold(recipe.cast_id)
        self._begun = recipe.utterance(recipe.sentences[0])
        try:
            accepted = await self._acceptance.accept_recipe(recipe, self._request)
        except LogError as error:
            self._speak_unlogged(SpokenText.whole(recipe.sentences), error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker is told
            self._fail(error)
        else:
            self._decide(accepted.cast_id)

    def _go_live(self) -> None:
        self._stage = Stage.LIVE
        self._shop.tasks.start(self._accept_live(), name="accept.live")

    async def _accept_live(self) -> None:
        if self._is_gone:
            self._decide(None)
            return
        cast_id = cast_id_from_digest(self._shop.clock.entropy(10))
        try:
            self._hold(cast_id)
            live = LiveInput(self._shop, cast_id, self._text)
            self._input = live
            self._worker.take_live_text(cast_id, self._text)
            self._held.callback(self._worker.forget_live_text, cast_id)
            await live.opened()
            await self._acceptance.accept_live(cast_id, self._request)
        except LogError as error:
            self._speak_unlogged(self._text, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the asker is told
            self._fail(error)
        else:
            self._decide(cast_id)

    def _speak_unlogged(self, text: SpokenText, error: LogError) -> None:
        if not self._shop.engine.slots:
            self._fail(error)
            return
        _LOGGER.error("spoken from memory, kept nowhere: %s", error)
        self._input = None
        self._held.close()
        if self._is_gone:
            self._decide(None)
            return
        cast_id = cast_id_from_digest(self._shop.clock.entropy(10))
        self._hold(cast_id)
        self._acceptance.speak_unlogged(cast_id, text, self._request)
        self._decide(cast_id)

    def _refuse(self, error: RefusedError) -> None:
        """The text can't be read on: the asker is told, or, where it is being spoken already, hears what came before."""
        self._uncut.clear()
        if self._cast.done():
            _LOGGER.warning("%s: the rest of the text can't be spoken: %s", self._request.source, error)
        self._fail(error)
        self._text.finish(InputEndReason.IDLE)

    # -- parts -----------------------------------------------------------------------------------------------------------------

    def _whole_request(self) -> CastRequest:
        return dataclasses.replace(self._request, text="".join(self._parts))

    def _decide(self, cast_id: CastId | None) -> None:
        if not self._cast.done():
            self._cast.set_result(cast_id)

    def _fail(self, error: Exception) -> None:
        if not self._cast.done():
            self._cast.set_exception(error)
            self._cast.exception()  # the asker may have gone

    def _hold(self, cast_id: CastId) -> None:
        if not self._is_gone:
            self._held.enter_context(self._shop.feeds.listening(cast_id, anew=True))

    def _after(self, name: str, seconds: float, action: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, action)
