"""The appends of one stream: pipelined over one session, in the order of their coming.

Each is sent with a condition on the place where it must land, also where the asker made none. So one that was sent twice is
written once, and whether a lost one was written is read from its place.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import s2_sdk
from s2_sdk import S2Error

from wyoming_kokoro.core.waiting import first_of
from wyoming_kokoro.journal.s2.failures import is_missing, is_passing, is_untouched, translate
from wyoming_kokoro.journal.s2.reach import Patience
from wyoming_kokoro.journal.s2.reading import first_at, tail_of
from wyoming_kokoro.model.errors import (
    AppendOutcomeUnknownError,
    FencingTokenMismatchError,
    LogError,
    LogUnavailableError,
    SeqNumMismatchError,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from wyoming_kokoro.journal.s2.entry import Entry
    from wyoming_kokoro.journal.s2.link import Link
    from wyoming_kokoro.model.position import SeqNum

IDLE_SECONDS = 10.0
"""A session that nobody used for so long is closed; the server forgets idle ones sooner or later."""
CLOSE_SECONDS = 1.0
"""So long the other side has to say good-bye."""
_WINDOW = 64
"""Appends under way at once in one stream."""


class _Sent(NamedTuple):
    entry: Entry
    acking: asyncio.Future[s2_sdk.AppendAck]


class Lane:
    """Works while there is something to write, and for a while after that."""

    def __init__(self, link: Link, stream: str, ended: Callable[[], object]) -> None:
        """`ended` is called when it works no more; another one is to be made then."""
        self._link = link
        self._stream = stream
        self._ended = ended
        self._waiting: deque[Entry] = deque()
        self._sent: deque[_Sent] = deque()
        self._session: s2_sdk.AppendSession | None = None
        self._next: SeqNum | None = None
        """The tail when all that is under way has landed, as far as is known."""
        self._written: SeqNum = 0
        """Below it everything is durable, whoever wrote it."""
        self._patience: Patience | None = None
        self._bell = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name=f"s2.lane[{stream}]")

    def put(self, entry: Entry) -> None:
        """Have it written after all that was put before."""
        self._waiting.append(entry)
        self._bell.set()

    async def close(self) -> None:
        """Stop; what has no answer yet gets one."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        try:
            while await self._has_work():
                try:
                    await self._submit()
                    await self._take_acks()
                except S2Error as error:
                    await self._recover(error)
                except LogError as error:  # there is no telling where the tail is
                    self._rewind()
                    await self._drop_session()
                    self._give_up(error)
        finally:
            self._ended()
            for sent in self._sent:
                sent.entry.is_uncertain = True
            self._rewind()
            self._give_up(LogUnavailableError("the journal is closed"))
            await self._drop_session()

    async def _has_work(self) -> bool:
        """Wait for some; False where none came for a long time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(IDLE_SECONDS):
                while not self._waiting and not self._sent:
                    self._bell.clear()
                    await self._bell.wait()
        return bool(self._waiting or self._sent)

    async def _submit(self) -> None:
        """Send what waits."""
        while self._waiting and len(self._sent) < _WINDOW:
            entry = self._waiting[0]
            if entry.answer.done() or self._is_late(entry):  # nobody waits for it any more; it was not sent, or not written
                self._waiting.popleft()
                continue
            pin = await self._place_of(entry)
            if self._session is None:
                self._session = self._link.open_session(self._stream)
            ticket = await self._session.submit(entry.sent_to(pin))
            self._waiting.popleft()
            self._sent.append(_Sent(entry, asyncio.ensure_future(_acked(ticket))))
            self._next = entry.end

    def _is_late(self, entry: Entry) -> bool:
        """Whether its place is taken, as is known without asking; it is refused then."""
        place = entry.match_seq_num
        if place is None or place >= self._written or entry.is_uncertain or entry.fencing_token is not None:
            return False
        entry.refuse(SeqNumMismatchError(self._stream, self._written))
        return True

    async def _place_of(self, entry: Entry) -> SeqNum:
        if entry.is_uncertain:
            return entry.pin
        if entry.match_seq_num is not None:
            return entry.match_seq_num
        if self._next is None:
            self._next = await tail_of(self._link, self._stream)
        return self._next

    async def _take_acks(self) -> None:
        """Wait for the first of those under way, or for more to do."""
        if not self._sent:
            return
        self._bell.clear()
        await first_of(self._sent[0].acking, self._bell.wait())
        while self._sent and self._sent[0].acking.done():
            self._sent[0].acking.result()
            self._land(self._sent.popleft().entry)

    async def _recover(self, error: S2Error) -> None:
        """A session that met an error is dead; all that it did not ack is sent again, but what the error is about."""
        head_was_sent = bool(self._sent)
        for place, sent in enumerate(self._sent):
            # Behind the one that met it the server may have gone on, or not.
            sent.entry.is_uncertain |= place > 0 or not is_untouched(error)
        self._rewind()
        await self._drop_session()
        if not self._waiting:
            return
        if isinstance(error, s2_sdk.AppendConditionError) and head_was_sent:
            await self._judge(self._waiting[0], error)
        elif is_missing(error):
            await self._make_stream()
        elif is_passing(error):
            await self._bear(error)
        else:
            self._waiting.popleft().refuse(translate(error))

    async def _judge(self, entry: Entry, error: s2_sdk.AppendConditionError) -> None:
        """Its condition does not hold: because it was written before, or somebody else was first?"""
        expected = error.expected_seq_num if isinstance(error, s2_sdk.SeqNumMismatchError) else None
        if expected is None or expected > entry.pin:
            try:
                found = await first_at(self._link, self._stream, entry.pin)
            except LogError as away:
                self._waiting.remove(entry)
                entry.give_up(self._stream, away)
                return
            if entry.is_at_its_pin(found):
                self._waiting.remove(entry)
                self._next = entry.end
                self._land(entry)
                return
            if entry.is_uncertain and (found is None or found.seq_num > entry.pin):
                self._waiting.remove(entry)
                entry.refuse(AppendOutcomeUnknownError(f"{self._stream}: what stood at {entry.pin} is trimmed"))
                return
        entry.is_uncertain = False
        self._next = expected
        self._written = max(self._written, expected or 0)
        if entry.match_seq_num is None and expected is not None:
            return
        self._waiting.remove(entry)
        entry.refuse(_mismatch(self._stream, error))

    def _land(self, entry: Entry) -> None:
        entry.land()
        self._written = max(self._written, entry.end)
        self._patience = None

    async def _make_stream(self) -> None:
        try:
            await self._link.make_stream(self._stream)
        except S2Error as error:
            if is_passing(error):
                await self._bear(error)
            else:
                self._waiting.popleft().refuse(translate(error))

    async def _bear(self, error: S2Error) -> None:
        """Wait before all is sent again; give all up when patience is over."""
        if self._patience is None:
            self._patience = Patience(self._link.clock)
        if not self._link.reach.is_away and await self._patience.wait():
            return
        self._patience = None
        self._link.reach.give_up(error)
        self._give_up(error)

    def _give_up(self, cause: BaseException) -> None:
        self._next = None
        while self._waiting:
            self._waiting.popleft().give_up(self._stream, cause)

    def _rewind(self) -> None:
        """What was sent waits again, in its order."""
        for sent in self._sent:
            sent.acking.cancel()
            if sent.acking.done() and not sent.acking.cancelled():
                sent.acking.exception()  # so that nobody complains that it was not looked at
        self._waiting.extendleft(sent.entry for sent in reversed(self._sent))
        self._sent.clear()
        self._next = None

    async def _drop_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            with contextlib.suppress(S2Error, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):  # an S2 that hangs would never end it
                    await session.close()


async def _acked(ticket: s2_sdk.BatchSubmitTicket) -> s2_sdk.AppendAck:
    ack: s2_sdk.AppendAck = await ticket
    return ack


def _mismatch(stream: str, error: s2_sdk.AppendConditionError) -> LogError:
    match error:
        case s2_sdk.SeqNumMismatchError():
            return SeqNumMismatchError(stream, error.expected_seq_num)
        case s2_sdk.FencingTokenMismatchError():
            return FencingTokenMismatchError(stream, error.expected_fencing_token)
        case _:
            return translate(error)
