"""One client: reads its events, performs what the session says, and answers one request after the other."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, assert_never

from wyoming.error import Error

from wyoming_kokoro.frontends.wyoming.answer import Answer
from wyoming_kokoro.frontends.wyoming.failure import error_event
from wyoming_kokoro.frontends.wyoming.line import ListenerGoneError
from wyoming_kokoro.frontends.wyoming.request import with_voice
from wyoming_kokoro.frontends.wyoming.session import Close, Complain, End, Feed, Inform, Open, Refuse, Reply, Session
from wyoming_kokoro.frontends.wyoming.wire import EventDecoder, Malformed, encode_event
from wyoming_kokoro.model.errors import CastCutError, VoiceOfAHouseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wyoming_kokoro.core.intake import Intake
    from wyoming_kokoro.core.listening import Listening
    from wyoming_kokoro.frontends.wyoming.info import InfoPage
    from wyoming_kokoro.frontends.wyoming.limits import Limits
    from wyoming_kokoro.frontends.wyoming.line import Line
    from wyoming_kokoro.frontends.wyoming.session import Action
    from wyoming_kokoro.ports import Voices
    from wyoming_kokoro.settings import WyomingSettings

_LOGGER = logging.getLogger(__name__)

_READ_BYTES = 64 * 1024


class Connection:
    """From the first byte to the last. `serve` is its whole life."""

    def __init__(
        self,
        line: Line,
        reader: asyncio.StreamReader,
        *,
        settings: WyomingSettings,
        limits: Limits,
        intake: Intake,
        listening: Listening,
        voices: Voices,
        info: InfoPage,
    ) -> None:
        self._line = line
        self._reader = reader
        self._settings = settings
        self._limits = limits
        self._intake = intake
        self._listening = listening
        self._voices = voices
        self._info = info
        self._decoder = EventDecoder(limits)
        self._session = Session(f"wyoming:{line.host}", limits)
        self._mistakes = 0
        self._answer: Answer | None = None
        self._requests: asyncio.Queue[Answer] = asyncio.Queue()  # holds one: the session has one open at a time
        self._replies: list[bytes] = []
        self._heard_from = asyncio.Event()
        self._is_finishing = False
        self._answering: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Until the client is gone or has to go. Cancelling it hangs up at once."""
        peer = self._line.peer
        reading = asyncio.create_task(self._read(), name=f"wyoming[{peer}].read")
        self._answering = asyncio.create_task(self._answer_requests(), name=f"wyoming[{peer}].answer")
        tasks: list[asyncio.Task[bool] | asyncio.Task[None]] = [reading, self._answering]
        is_over = False
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            is_over = True
        finally:
            for task in tasks:
                task.cancel()
            outcomes = await asyncio.gather(*tasks, return_exceptions=True)
            self._own_up(outcomes)
            if self._answer is not None:
                await self._answer.abandon()
            await (self._line.part(is_read=outcomes[0] is not True) if is_over else self._line.hang_up())

    def finish(self) -> None:
        """Answer what is being answered, and close."""
        self._is_finishing = True
        if self._answer is None and self._answering is not None:
            self._answering.cancel()

    def cut(self) -> None:
        """Close soon, whatever is being answered."""
        if self._answer is not None:
            self._answer.interrupt(CastCutError("the server is stopping"))

    async def _read(self) -> bool:
        """Take events until the client hangs up (True) or has to go (False)."""
        deadline: float | None = None
        while True:
            try:
                data = await self._read_some(deadline)
            except OSError:
                data = b""
            if data is None:
                return False
            if not data:
                return self._hung_up()
            was_in_event = self._decoder.in_event
            try:
                taken = await self._take(data)
            except ListenerGoneError:
                return True
            if taken is None:
                return False
            if not self._decoder.in_event:
                deadline = None
            elif taken or not was_in_event:
                deadline = asyncio.get_running_loop().time() + self._limits.event_seconds

    async def _read_some(self, deadline: float | None) -> bytes | None:
        """What comes next; empty where the client hung up, None where it took too long."""
        while True:
            until = deadline or asyncio.get_running_loop().time() + self._limits.idle_seconds
            try:
                async with asyncio.timeout_at(until):
                    return await self._reader.read(_READ_BYTES)
            except TimeoutError:
                if deadline is not None:
                    self._complain("event_timeout", f"an event has to be complete within {self._limits.event_seconds:.0f} s")
                    return None
            if self._answer is None:
                _LOGGER.debug("%s: closed: nothing was asked for", self._line.peer)
                return None
            self._answer.end()

    async def _take(self, data: bytes) -> int | None:
        """Perform the events in these bytes; how many, or None to close.

        Nothing else happens between them, so that the core sees a text whole that came whole; but a client that asks faster
        than it reads the replies is waited for.
        """
        taken = 0
        for found in self._decoder.receive(data):
            self._heard_from.set()
            taken += 1
            if isinstance(found, Malformed):
                if not self._complain(found.code, found.text) or found.fatal:
                    return None
            elif not self._perform(self._session.receive(found)):
                return None
            if self._line.is_full:
                await self._line.settle()
        return taken

    def _hung_up(self) -> bool:
        if (cut_short := self._decoder.end()) is not None:
            self._complain(cut_short.code, cut_short.text)
        if self._answer is not None:
            _LOGGER.info("%s: hung up before the end of the answer", self._line.peer)
        return True

    async def _answer_requests(self) -> None:
        """One after the other, until the connection has to close."""
        while True:
            answer = await self._requests.get()
            try:
                whole = await answer.give(self._line, self._listening)
                if not whole and answer.streaming:
                    return
                self._answer = None
                await self._line.deliver(b"".join(self._replies))
            except ListenerGoneError as reason:
                _LOGGER.info("%s: stopped speaking: %s", self._line.peer, reason)
                return
            self._replies.clear()
            if not self._perform(self._session.answered()) or self._is_finishing:
                return
            if not whole and not await self._asks_again():
                return

    async def _asks_again(self) -> bool:
        """Whether the client goes on after an error. Some would wait for ever: closing tells them that nothing more comes."""
        if not self._requests.empty():
            return True
        self._heard_from.clear()
        try:
            async with asyncio.timeout(self._limits.parting_seconds):
                await self._heard_from.wait()
        except TimeoutError:
            return False
        return True

    def _perform(self, actions: Iterable[Action]) -> bool:
        """Do what the session says, without waiting; False to close."""
        return all(self._do(action) for action in actions)

    def _do(self, action: Action) -> bool:
        match action:
            case Open():
                request = with_voice(action.request, self._voices)
                self._begin(streaming=action.streaming).open(request, self._intake)
            case Refuse():
                (self._answer or self._begin(streaming=action.streaming)).interrupt(action.error)
            case Feed() if self._answer is not None:
                self._answer.feed(action.text)
            case End() if self._answer is not None:
                self._answer.end()
            case Feed() | End():
                pass
            case Inform():
                return self._say(self._info.encoded())
            case Reply():
                return self._say(encode_event(action.event))
            case Complain():
                return self._complain(action.code, action.text)
            case Close():
                return False
            case _:
                assert_never(action)
        return True

    def _begin(self, *, streaming: bool) -> Answer:
        answer = Answer(streaming=streaming, settings=self._settings)
        self._answer = answer
        self._requests.put_nowait(answer)
        return answer

    def _say(self, reply: bytes) -> bool:
        """Send an event where there is room for it, now or after the open frame."""
        now = reply if self._answer is None else self._answer.framing.reply(reply)
        if now is not None:
            self._line.send(now)
        else:
            self._replies.append(reply)
        return len(self._replies) <= self._limits.held_replies

    def _complain(self, code: str, text: str) -> bool:
        """Tell the client and the log what is wrong; False when it has been wrong too often."""
        _LOGGER.warning("%s: %s (%s)", self._line.peer, text, code)
        self._mistakes += 1
        return self._say(encode_event(Error(text=text, code=code).event())) and self._mistakes <= self._limits.mistakes

    def _own_up(self, outcomes: Iterable[object]) -> None:
        """A mistake of the server's own costs this connection, and is neither hidden nor taken for a complete answer."""
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                _LOGGER.error("%s: unexpected error", self._line.peer, exc_info=outcome)
                event = encode_event(error_event(VoiceOfAHouseError("the server made a mistake; its log says more")))
                self._line.send(event if self._answer is None else self._answer.framing.fail(event))
