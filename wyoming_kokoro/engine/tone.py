"""An engine that plays tones: for tests, dry runs, and machines without a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from wyoming_kokoro.engine.melody import melody
from wyoming_kokoro.engine.pending import Pending
from wyoming_kokoro.model.audio import SPEECH, Speech
from wyoming_kokoro.model.errors import SynthesisCancelledError

if TYPE_CHECKING:
    from wyoming_kokoro.model.recipe import Utterance
    from wyoming_kokoro.ports import Clock

FINGERPRINT = "tone-1"


class ToneEngine:
    """Implements `ports.Engine` inside the server's process, on the given clock, so that it runs on virtual time too.

    `realtime_factor` is how many seconds of sound it makes in a second, 0 being at once; it may be changed at any time.
    `hold` and `release` stop and go on, as an engine does that is away for a while. `started`, `spoken` and `prepared` list
    what it was asked to do, in order.
    """

    def __init__(self, clock: Clock, *, realtime_factor: float = 0.0, slots: int = 1) -> None:
        self.realtime_factor = realtime_factor
        self.started: list[Utterance] = []
        self.spoken: list[Utterance] = []
        self.prepared: list[Utterance] = []
        self._clock = clock
        self._slots = slots
        self._turn = asyncio.Semaphore(slots)
        self._going = asyncio.Event()
        self._going.set()
        self._pending: Pending[asyncio.Task[Speech]] = Pending()

    @property
    def fingerprint(self) -> str:
        """Tones are the same everywhere."""
        return FINGERPRINT

    @property
    def slots(self) -> int:
        """How many sentences it speaks at once."""
        return self._slots

    async def start(self) -> None:
        """Nothing has to come up."""

    async def synthesize(self, utterance: Utterance) -> Speech:
        """The melody of that sentence, once its turn has come and its pace has passed."""
        call = asyncio.ensure_future(self._speak(utterance))
        self._pending.add(utterance, call)
        try:
            return await call
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise SynthesisCancelledError("the sentence was stopped") from None
        finally:
            self._pending.remove(call)

    def cancel(self, utterance: Utterance) -> None:
        """Stop that sentence if it is waiting or under way."""
        for call in self._pending.matching(utterance):
            call.cancel()

    def prepare(self, utterance: Utterance) -> None:
        """Only noted down."""
        self.prepared.append(utterance)

    async def stop(self) -> None:
        """End every sentence that is under way."""
        for call in self._pending.all():
            call.cancel()

    def hold(self) -> None:
        """Finish no sentence until `release`."""
        self._going.clear()

    def release(self) -> None:
        """Go on after `hold`."""
        self._going.set()

    async def _speak(self, utterance: Utterance) -> Speech:
        async with self._turn:
            began = self._clock.monotonic()
            self.started.append(utterance)
            pcm, words = melody(utterance)
            await self._take_time(SPEECH.seconds(len(pcm)))
            self.spoken.append(utterance)
            return Speech(pcm=pcm, gen_seconds=self._clock.monotonic() - began, words=words)

    async def _take_time(self, seconds: float) -> None:
        if self.realtime_factor > 0:
            await self._clock.sleep(seconds / self.realtime_factor)
        else:
            await asyncio.sleep(0)
        await self._going.wait()
