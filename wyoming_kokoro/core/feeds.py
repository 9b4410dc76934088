"""What listeners in the worker's own process hear before the log has it, and who is listening.

A feed holds only the sentences that the log does not have yet: whoever is slower reads the log, so a slow listener costs
nobody anything. Where the log refuses, the feed holds all of them until its listeners have gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from wyoming_kokoro.core.signal import Signal
from wyoming_kokoro.model.errors import VoiceOfAHouseError
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Eos, EosReason, Fail


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence as a listener gets it."""

    index: int
    pcm: bytes
    """In `model.audio.SPEECH`."""
    text: str
    seq_num: SeqNum | None
    """Where it stands in the cast's stream; None where that is not known to be durable yet."""
    voice: str = ""
    """Whose loudness it has; empty where that is not known."""


@dataclass(slots=True)
class Feed:
    """One cast, live."""

    cast_id: CastId
    listeners: int = 0
    is_making: bool = False
    """Whether an attempt is open in this process."""
    end: Eos | Fail | VoiceOfAHouseError | None = None
    """How the attempt of this process ended; an error where listeners can't be helped."""
    changed: Signal = field(default_factory=Signal)
    _pieces: dict[int, Piece] = field(default_factory=dict)

    @property
    def ended_badly(self) -> bool:
        """Whether its listeners were told that the cast is not to be had."""
        match self.end:
            case None | Eos(reason=EosReason.COMPLETE):
                return False
            case _:
                return True

    def begin(self) -> None:
        """An attempt opens."""
        self.is_making = True
        self.end = None

    def publish(self, piece: Piece) -> None:
        """It can be heard from now on."""
        self._pieces[piece.index] = piece
        self.changed.notify()

    def logged(self, index: int) -> None:
        """The log has it: whoever comes later reads it there."""
        self._pieces.pop(index, None)

    def piece(self, index: int) -> Piece | None:
        """That sentence, if it is in memory."""
        return self._pieces.get(index)

    def close(self, end: Eos | Fail | VoiceOfAHouseError | None) -> None:
        """The attempt is over."""
        self.is_making = False
        self.end = end
        self.changed.notify()


class Feeds:
    """The feeds of all casts that are being made or listened to here."""

    def __init__(self) -> None:
        self._feeds: dict[CastId, Feed] = {}
        self._observers: list[Callable[[CastId, int], None]] = []

    def watch(self, observer: Callable[[CastId, int], None]) -> None:
        """Be told whenever the number of a cast's listeners changes."""
        self._observers.append(observer)

    def get(self, cast_id: CastId) -> Feed | None:
        """The feed of a cast, if it has one."""
        return self._feeds.get(cast_id)

    def open(self, cast_id: CastId) -> Feed:
        """The feed of a cast, for the attempt that begins."""
        feed = self._feeds.setdefault(cast_id, Feed(cast_id))
        feed.begin()
        return feed

    def close(self, cast_id: CastId, end: Eos | Fail | VoiceOfAHouseError | None) -> None:
        """The attempt is over."""
        if feed := self._feeds.get(cast_id):
            feed.close(end)
            self._sweep(feed)

    def listeners(self, cast_id: CastId) -> int:
        """How many wait for that cast here."""
        feed = self._feeds.get(cast_id)
        return feed.listeners if feed else 0

    @property
    def all_listeners(self) -> int:
        """How many wait for any cast here."""
        return sum(feed.listeners for feed in self._feeds.values())

    def notify(self, cast_id: CastId) -> None:
        """Something about the cast changed that its listeners should look at."""
        if feed := self._feeds.get(cast_id):
            feed.changed.notify()

    @contextlib.contextmanager
    def listening(self, cast_id: CastId, *, anew: bool = False) -> Iterator[Feed]:
        """Count as a listener of the cast; `anew` where a new request is made that an earlier bad end does not answer."""
        feed = self._feeds.get(cast_id)
        if feed is None or (anew and feed.ended_badly):
            # Who listens to the one before is told of changes, too: it may still be reading the log.
            feed = self._feeds[cast_id] = Feed(cast_id, changed=feed.changed if feed else Signal())
        feed.listeners += 1
        self._tell(feed)
        try:
            yield feed
        finally:
            feed.listeners -= 1
            self._tell(feed)
            self._sweep(feed)

    def _tell(self, feed: Feed) -> None:
        for observer in self._observers:
            observer(feed.cast_id, feed.listeners)

    def _sweep(self, feed: Feed) -> None:
        if not feed.listeners and not feed.is_making and self._feeds.get(feed.cast_id) is feed:
            del self._feeds[feed.cast_id]
