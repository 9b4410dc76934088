"""The engine's process, kept alive: sentences go in, speech comes out, and a death costs one sentence at most."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from wyoming_kokoro.engine import wire
from wyoming_kokoro.engine.calls import Call, Calls
from wyoming_kokoro.engine.child_process import ChildProcess
from wyoming_kokoro.engine.pending import Pending
from wyoming_kokoro.engine.time_limit import TimeLimit
from wyoming_kokoro.model.audio import Speech
from wyoming_kokoro.model.errors import EngineUnavailableError

if TYPE_CHECKING:
    from wyoming_kokoro.engine.child_config import ChildConfig
    from wyoming_kokoro.engine.frames import Frame
    from wyoming_kokoro.model.recipe import Utterance
    from wyoming_kokoro.ports import Clock

_LOGGER = logging.getLogger(__name__)

START_SECONDS = 300.0
"""The process must be ready after so long, or have told meanwhile what it is busy with."""

STARTS = 3
"""After so many failed starts in a row the engine counts as unavailable, while it goes on trying."""

_STOPPED = "the engine was stopped"
_BACKOFF_SECONDS = (0.0, 0.5, 2.0, 5.0, 15.0, 30.0)


class HostedEngine:
    """Implements `ports.Engine` by a process of its own, which is started by `start` or by the first sentence."""

    def __init__(self, config: ChildConfig, clock: Clock, *, fingerprint: str, limit_seconds: float = 30.0) -> None:
        """`limit_seconds` is the least time that a sentence may take before the process is ended."""
        self._config = config
        self._clock = clock
        self._fingerprint = fingerprint
        self._calls = Calls(config.slots)
        self._pending: Pending[Call] = Pending()
        self._limit = TimeLimit(limit_seconds)
        self._child: ChildProcess | None = None
        self._is_up = False
        self._readiness: asyncio.Future[None] | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._failures = 0
        self._killed_for = ""
        self._is_stopped = False

    @property
    def fingerprint(self) -> str:
        """What makes two engines' sound the same."""
        return self._fingerprint

    @property
    def slots(self) -> int:
        """How many sentences it speaks at once."""
        return self._config.slots

    @property
    def pid(self) -> int | None:
        """Of the engine's process; None where there is none at the moment."""
        return None if self._child is None else self._child.pid

    async def start(self) -> None:
        """Return when the process is warm. Raises `EngineUnavailableError` where it does not come up."""
        self._is_stopped = False
        await asyncio.shield(self._running())

    async def synthesize(self, utterance: Utterance) -> Speech:
        """Speak one sentence; see `ports.Engine`."""
        if self._is_stopped:
            raise EngineUnavailableError(_STOPPED)
        readiness = self._running()
        if readiness.done():
            readiness.result()
        call = self._calls.add(utterance)
        self._pending.add(utterance, call)
        self._dispatch()
        try:
            return await call.answer
        except asyncio.CancelledError:
            self._cancel(call)
            raise
        finally:
            self._pending.remove(call)

    def cancel(self, utterance: Utterance) -> None:
        """Stop that sentence; its `synthesize` raises at once, the slot is free when the process has let go of it."""
        for call in self._pending.matching(utterance):
            self._cancel(call)

    def prepare(self, utterance: Utterance) -> None:
        """Have its phonemes made meanwhile; nothing where the process is not up."""
        if self._is_up and self._child is not None:
            self._child.send(wire.prepare_frame(utterance))

    async def stop(self) -> None:
        """End the process; whoever waits hears that the engine is unavailable."""
        self._is_stopped = True
        keeper, self._keeper = self._keeper, None
        self._calls.fail_all(EngineUnavailableError(_STOPPED))
        self._settle(EngineUnavailableError(_STOPPED))
        if keeper is not None:
            keeper.cancel()
            await asyncio.wait([keeper])
        self._readiness = None

    def _cancel(self, call: Call) -> None:
        if self._calls.cancel(call) and self._child is not None:
            self._child.send(wire.cancel_frame(call.number))

    def _running(self) -> asyncio.Future[None]:
        """Done when the process is warm, or with the reason why there is none."""
        if self._readiness is None:
            self._readiness = asyncio.get_running_loop().create_future()
        if self._keeper is None:
            self._failures = 0
            self._keeper = asyncio.create_task(self._keep(), name="engine")
        return self._readiness

    def _settle(self, error: EngineUnavailableError | None) -> None:
        """Tell everybody who waits for the engine to come up."""
        if self._readiness is None or self._readiness.done():
            self._readiness = asyncio.get_running_loop().create_future()
        if error is None:
            self._readiness.set_result(None)
        else:
            self._readiness.set_exception(error)
            self._readiness.exception()  # nobody need be waiting

    async def _keep(self) -> None:
        """Start the process, serve it, and start it again when it dies, for ever."""
        while True:
            try:
                self._child = await _started(self._config)
                await self._get_ready(self._child)
                await self._serve(self._child)
            except EngineUnavailableError as error:
                self._count_failure(error)
            finally:
                await self._bury()
            await self._clock.sleep(self._backoff_seconds())

    def _backoff_seconds(self) -> float:
        """The first restart is immediate."""
        return _BACKOFF_SECONDS[min(max(0, self._failures - 1), len(_BACKOFF_SECONDS) - 1)]

    async def _get_ready(self, child: ChildProcess) -> None:
        while True:
            try:
                async with asyncio.timeout(START_SECONDS):
                    frame = await child.receive()
            except TimeoutError:
                raise EngineUnavailableError(f"the engine was not ready after {START_SECONDS:.0f} s") from None
            if frame is None:
                await child.end()
                raise EngineUnavailableError(f"the engine's process ended before it was ready: {child.last_words}")
            if frame.header["op"] == "ready":
                return
            if frame.header["op"] == "unavailable":
                self._failures = STARTS
                raise EngineUnavailableError(frame.header["reason"])
            _LOGGER.info("the engine is busy: %s", frame.header.get("what", frame.header["op"]))

    async def _serve(self, child: ChildProcess) -> None:
        """Hand sentences in and speech out until the process is gone."""
        _LOGGER.info("the engine is ready, process %d", child.pid)
        self._is_up = True
        self._settle(None)
        self._dispatch()
        while frame := await child.receive():
            self._take(frame)
            self._dispatch()

    def _take(self, frame: Frame) -> None:
        number = frame.header["number"]
        if frame.header["op"] == "started":
            call = self._calls.flying(number)
            if call is not None:
                call.is_started = True
            return
        call = self._calls.land(number)
        if call is None or call.answer.done():
            return
        if frame.header["op"] == "spoken":
            self._failures = 0
            gen_seconds = frame.header["gen_seconds"]
            self._limit.learn(call.utterance.spoken, gen_seconds)
            call.answer.set_result(Speech(pcm=frame.payload, gen_seconds=gen_seconds, words=wire.words_of(frame)))
        elif frame.header["op"] == "failed":
            call.fail(wire.error_of(frame.header))

    def _dispatch(self) -> None:
        """Send what the process has slots for."""
        while self._is_up and self._child is not None and (call := self._calls.next()) is not None:
            self._child.send(wire.speak_frame(call.number, call.utterance))
            seconds = self._limit.limit(call.utterance.spoken)
            call.timer = asyncio.get_running_loop().call_later(seconds, self._out_of_time, self._child, seconds)

    def _out_of_time(self, child: ChildProcess, seconds: float) -> None:
        self._killed_for = f"the sentence ran out of time after {seconds:.0f} s"
        _LOGGER.error("%s; the engine's process is ended", self._killed_for)
        child.kill()

    async def _bury(self) -> None:
        """Let go of the process, and tell those whose sentence it was at."""
        child, self._child = self._child, None
        was_up, self._is_up = self._is_up, False
        if child is None:
            return
        await child.end()
        reason = self._killed_for or f"the engine's process died: {child.last_words}"
        self._killed_for = ""
        self._calls.process_died(reason)
        if was_up and self._keeper is not None:
            self._failures += 1
            self._readiness = None
            self._running()
            _LOGGER.warning("%s; starting it again", reason)

    def _count_failure(self, error: EngineUnavailableError) -> None:
        self._failures += 1
        _LOGGER.error("the engine does not come up: %s", error)
        if self._failures >= STARTS:
            self._calls.fail_all(error)
            self._settle(error)


async def _started(config: ChildConfig) -> ChildProcess:
    """A process that nobody loses, even where the task is cancelled while it is being started."""
    starting = asyncio.create_task(ChildProcess.start(config))
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        child = await starting
        await child.end()
        raise
