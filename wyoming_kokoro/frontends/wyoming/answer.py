"""One request on its way through the door: its text into the core, its sound out in frames."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING

from wyoming_kokoro.frontends.wyoming.failure import code_of, error_event, text_of
from wyoming_kokoro.frontends.wyoming.framing import HeaderAheadFraming, PlainFraming
from wyoming_kokoro.frontends.wyoming.speech import nothing, sent_format, speech
from wyoming_kokoro.frontends.wyoming.wire import encode_event
from wyoming_kokoro.model.errors import CastCutError, RefusedError, VoiceOfAHouseError

if TYPE_CHECKING:
    from wyoming_kokoro.core.incoming import IncomingText
    from wyoming_kokoro.core.intake import Intake
    from wyoming_kokoro.core.listening import Listening
    from wyoming_kokoro.frontends.wyoming.line import Line
    from wyoming_kokoro.model.cast import CastRequest
    from wyoming_kokoro.settings import WyomingSettings

_LOGGER = logging.getLogger(__name__)


class Answer:
    """A request that was taken, and what is owed for it. `open`, `feed` and `end` never wait and never raise."""

    def __init__(self, *, streaming: bool, settings: WyomingSettings) -> None:
        self.streaming = streaming
        self._settings = settings
        self._audio = sent_format(settings)
        self.framing = HeaderAheadFraming(self._audio) if streaming else PlainFraming(self._audio)
        self._incoming: IncomingText | None = None
        self._error: VoiceOfAHouseError | None = None
        self._speaking: asyncio.Task[None] | None = None
        self._sent_bytes = 0

    def open(self, request: CastRequest, intake: Intake) -> None:
        """Begin to take the text."""
        try:
            self._incoming = intake.open(request)
        except RefusedError as error:
            self.interrupt(error)

    def feed(self, text: str) -> None:
        """Text as it arrives."""
        if self._incoming is None or self._error is not None:
            return
        try:
            self._incoming.feed(text)
        except RefusedError as error:
            self.interrupt(error)

    def end(self) -> None:
        """No more text comes."""
        if self._incoming is not None and self._error is None:
            self._incoming.end()

    def interrupt(self, error: VoiceOfAHouseError) -> None:
        """The request is wrong, or can't be finished: this is the answer. The first error counts; sound under way stops."""
        if self._error is not None:
            return
        self._error = error
        if self._speaking is not None:
            self._speaking.cancel()

    async def give(self, line: Line, listening: Listening) -> bool:
        """Send everything, or what went wrong; whether all of it was sent.

        Raises `ListenerGoneError`.
        """
        try:
            if self._error is not None:
                raise self._error
            await self._speak_unless_interrupted(line, listening)
        except VoiceOfAHouseError as error:
            self._fail(line, error)
            return False
        finally:
            await self.abandon()
        return True

    async def abandon(self) -> None:
        """Tell the core that nobody waits any more, because all is said or the client is gone. Idempotent."""
        if self._incoming is not None:
            await self._incoming.abandon()

    async def _speak_unless_interrupted(self, line: Line, listening: Listening) -> None:
        if self._incoming is None:
            raise RuntimeError("an answer needs a request")
        # A task of its own, so that a refusal of later text can stop it.
        self._speaking = asyncio.create_task(self._speak(self._incoming, line, listening), name=f"wyoming[{line.peer}].speak")
        try:
            await self._speaking
        except asyncio.CancelledError:
            if _is_cancelled() or (error := self._interruption()) is None:
                raise
            raise error from None
        finally:
            self._speaking.cancel()

    def _interruption(self) -> VoiceOfAHouseError | None:
        return self._error

    async def _speak(self, incoming: IncomingText, line: Line, listening: Listening) -> None:
        line.send(self.framing.begin())
        cast_id = await incoming.cast_id()
        if cast_id is None:
            await self._deliver(line, nothing(self._settings))
        else:
            async with aclosing(listening.listen(cast_id)) as pieces, aclosing(speech(pieces, self._settings)) as sound:
                async for pcm in sound:
                    await self._deliver(line, pcm)
        await line.deliver(self.framing.finish())
        _LOGGER.info("%s: spoken: cast %s, %.1f s", line.peer, cast_id, self._audio.seconds(self._sent_bytes))

    async def _deliver(self, line: Line, pcm: bytes) -> None:
        for frame in self.framing.audio(pcm):
            await line.deliver(frame)
        self._sent_bytes += len(pcm)
        # A client that reads at once never makes this task wait; the others have their turn all the same.
        await asyncio.sleep(0)

    def _fail(self, line: Line, error: VoiceOfAHouseError) -> None:
        level = logging.WARNING if isinstance(error, RefusedError | CastCutError) else logging.ERROR
        _LOGGER.log(level, "%s: not spoken: %s (%s)", line.peer, text_of(error), code_of(error))
        line.send(self.framing.fail(encode_event(error_event(error))))


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
