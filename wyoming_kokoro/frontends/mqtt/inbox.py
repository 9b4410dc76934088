"""Which messages are under way, which of them the broker brings again, and what may be acknowledged. Pure.

A broker keeps a message until it is acknowledged, and brings it again after the connection was lost, with a mark and under
another number. So a message that is still being worked on is not begun twice, and its acknowledgement goes to the connection
that brought it last. Acknowledgements leave in the order in which the messages came, as MQTT demands.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wyoming_kokoro.frontends.mqtt.message import Message


@dataclass(slots=True, eq=False)
class Pending:
    """One message, however often it is brought."""

    message: Message
    mid: int
    """Under which it came last."""
    is_done: bool = False


@dataclass(slots=True)
class Inbox:
    """Every message that the broker may not have forgotten yet."""

    remembered: int
    """How many settled messages are remembered: at least as many as the broker may have under way."""
    unfinished: int = 0
    _order: deque[Pending] = field(default_factory=deque)
    """Came on this connection and not acknowledged on it yet."""
    _settled: deque[Pending] = field(default_factory=deque)
    """Acknowledged on this connection; the broker may not have got it."""
    _earlier: list[Pending] = field(default_factory=list)
    """Of earlier connections: the broker may bring them again."""

    def reconnected(self) -> None:
        """A new connection: from now on its numbers count, and what was not seen to arrive may come again."""
        done = [*self._settled, *(pending for pending in self._earlier if pending.is_done)]
        going_on = [pending for pending in self._earlier if not pending.is_done]
        self._earlier = [*done[-self.remembered :], *going_on, *self._order]
        self._order.clear()
        self._settled.clear()

    def take(self, message: Message) -> Pending | None:
        """What is to be done now; None where it is being done, or was done before: `acks` says when it is acknowledged."""
        if message.is_redelivered and (known := self._recognised(message)) is not None:
            self._earlier.remove(known)
            known.mid = message.mid
            self._order.append(known)
            return None
        pending = Pending(message, message.mid)
        self.unfinished += 1
        if message.wants_ack:
            self._order.append(pending)
        return pending

    def finish(self, pending: Pending) -> None:
        """It has been done."""
        pending.is_done = True
        self.unfinished -= 1

    def acks(self) -> list[int]:
        """The numbers that may be acknowledged now on this connection, in order; each is named once."""
        numbers = []
        while self._order and self._order[0].is_done:
            pending = self._order.popleft()
            numbers.append(pending.mid)
            self._settled.append(pending)
        while len(self._settled) > self.remembered:
            self._settled.popleft()
        return numbers

    def _recognised(self, message: Message) -> Pending | None:
        digest = message.digest
        return next((each for each in self._earlier if each.message.digest == digest), None)
