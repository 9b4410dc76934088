"""The protocol of one connection as a pure state machine: events in, actions out; both dialects of synthesis.

A plain `synthesize` is one request. In the streaming dialect a request is everything from `synthesize-start` to
`synthesize-stop`; the `synthesize` that Home Assistant sends between them, for servers that know no streaming, is ignored.
One request is answered at a time; events of the next ones are held until it is answered.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, ClassVar

from wyoming.event import Event
from wyoming.ping import Ping, Pong

from wyoming_kokoro.frontends.wyoming.request import TextMender, read_request, read_text
from wyoming_kokoro.model.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wyoming_kokoro.frontends.wyoming.limits import Limits
    from wyoming_kokoro.model.cast import CastRequest


class Phase(Enum):
    """What a connection is at."""

    IDLE = auto()
    """Nothing is asked for."""
    RECEIVING = auto()
    """The text of a streamed request arrives; its answer may be on its way already."""
    ANSWERING = auto()
    """The text of a request is complete, its answer is not."""


@dataclass(frozen=True, slots=True)
class Open:
    """A request begins; its text follows."""

    request: CastRequest
    streaming: bool
    """Whether the answer is in the streaming dialect."""


@dataclass(frozen=True, slots=True)
class Feed:
    """Text of the request that is open."""

    text: str


@dataclass(frozen=True, slots=True)
class End:
    """The text of the open request is complete."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """A request that can't be understood has to be answered with this."""

    error: RefusedError
    streaming: bool


@dataclass(frozen=True, slots=True)
class Inform:
    """The description of the server is wanted."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An event to send as soon as there is room for it."""

    event: Event


@dataclass(frozen=True, slots=True)
class Complain:
    """An event made no sense where it came; the client has to be told."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """The connection has served its turn."""


Action = Open | Feed | End | Refuse | Inform | Reply | Complain | Close

Transition = Callable[["Session", Event], list[Action]]


class Session:
    """What the events of one connection mean, in the order in which they came."""

    def __init__(self, source: str, limits: Limits) -> None:
        self._source = source
        self._limits = limits
        self._phase = Phase.IDLE
        self._mender = TextMender()
        self._held: deque[tuple[str, str]] = deque()
        self._held_chars = 0

    @property
    def phase(self) -> Phase:
        """What the connection is at."""
        return self._phase

    def receive(self, event: Event) -> list[Action]:
        """What has to be done about an event. Unknown events are passed over, as the protocol wants it."""
        transition = self._TRANSITIONS[self._phase].get(event.type)
        return transition(self, event) if transition else []

    def answered(self) -> list[Action]:
        """The answer under way has ended, well or badly."""
        if self._phase is Phase.RECEIVING:
            # The text had stopped arriving, and what there was of it is spoken.
            return [Close()]
        self._phase = Phase.IDLE
        actions: list[Action] = []
        while self._held and self._phase is not Phase.ANSWERING:
            kind, data = self._held.popleft()
            self._held_chars -= len(data)
            actions += self.receive(Event(kind, json.loads(data)))
        return actions

    def _describe(self, _event: Event) -> list[Action]:
        return [Inform()]

    def _ping(self, event: Event) -> list[Action]:
        text = Ping.from_event(event).text
        return [Reply(Pong(text if isinstance(text, str) else None).event())]

    def _pass_over(self, _event: Event) -> list[Action]:
        return []

    def _speak(self, event: Event) -> list[Action]:
        self._phase = Phase.ANSWERING
        self._mender = TextMender()
        try:
            request = read_request(event.data, self._source)
            text = self._mender.mend(read_text(event.data))
        except RefusedError as error:
            return [Refuse(error, streaming=False)]
        return [Open(request, streaming=False), *([Feed(text)] if text else []), End()]

    def _begin(self, event: Event) -> list[Action]:
        self._phase = Phase.RECEIVING
        self._mender = TextMender()
        try:
            return [Open(read_request(event.data, self._source), streaming=True)]
        except RefusedError as error:
            return [Refuse(error, streaming=True)]

    def _feed(self, event: Event) -> list[Action]:
        try:
            text = self._mender.mend(read_text(event.data))
        except RefusedError as error:
            return [Refuse(error, streaming=True)]
        return [Feed(text)] if text else []

    def _end(self, _event: Event) -> list[Action]:
        self._phase = Phase.ANSWERING
        return [End()]

    def _hold(self, event: Event) -> list[Action]:
        # As JSON, so that what it takes to hold it is known.
        data = json.dumps(event.data, ensure_ascii=False)
        self._held.append((event.type, data))
        self._held_chars += len(data)
        if len(self._held) <= self._limits.held_events and self._held_chars <= self._limits.held_chars:
            return []
        self._held.clear()
        return [Complain("queue_full", "too much was asked for on this connection before it was answered"), Close()]

    def _stray(self, event: Event) -> list[Action]:
        return [Complain("unexpected_event", f"{event.type} needs a synthesize-start before it")]

    def _nested(self, _event: Event) -> list[Action]:
        return [Complain("unexpected_event", "synthesize-start came again before synthesize-stop; it is ignored")]

    _ALWAYS: ClassVar[Mapping[str, Transition]] = {
        "describe": _describe,
        "ping": _ping,
        "select-program": _pass_over,
    }

    _TRANSITIONS: ClassVar[Mapping[Phase, Mapping[str, Transition]]] = {
        Phase.IDLE: {
            **_ALWAYS,
            "synthesize": _speak,  # -> ANSWERING
            "synthesize-start": _begin,  # -> RECEIVING
            "synthesize-chunk": _stray,
            "synthesize-stop": _stray,
        },
        Phase.RECEIVING: {
            **_ALWAYS,
            "synthesize": _pass_over,
            "synthesize-start": _nested,
            "synthesize-chunk": _feed,
            "synthesize-stop": _end,  # -> ANSWERING
        },
        Phase.ANSWERING: {  # `answered` -> IDLE
            **_ALWAYS,
            "synthesize": _hold,
            "synthesize-start": _hold,
            "synthesize-chunk": _hold,
            "synthesize-stop": _hold,
        },
    }
