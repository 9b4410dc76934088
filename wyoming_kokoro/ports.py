"""What the core needs of the world. Each docstring is the contract; `tests/contracts` holds every implementation to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from wyoming_kokoro.model.announcement import Play, Played, Stopped
    from wyoming_kokoro.model.audio import Speech
    from wyoming_kokoro.model.position import Ack, Cursor, SeqNum
    from wyoming_kokoro.model.recipe import Utterance
    from wyoming_kokoro.model.records import Record, Sequenced
    from wyoming_kokoro.model.voice import Voice


class Won(NamedTuple):
    """The claim is ours."""

    ack: Ack


class Lost(NamedTuple):
    """Somebody was first."""

    first: Sequenced | None
    """The first readable record that is not a command; None where nothing is readable any more (expired)."""


class Usage(NamedTuple):
    """How large a journal is."""

    file_bytes: int
    """What it takes of its storage, with all that it needs to work."""
    used_bytes: int
    """What of it holds something; falls when records are trimmed, in the journal's own time."""


class Log(Protocol):
    """Append-only streams of records, with S2's meaning.

    A stream comes into being with its first append. Seq_nums are dense from 0 and never reused; trimming changes neither them
    nor the tail. A reader sees only what is durable, and nothing that it saw ever vanishes but by a trim.
    """

    @property
    def exclusive(self) -> bool:
        """Whether one process alone can use this journal, so that nobody else could take over a cast."""
        ...

    async def append(
        self,
        stream: str,
        records: Sequence[Record],
        *,
        match_seq_num: SeqNum | None = None,
        fencing_token: str | None = None,
    ) -> Ack:
        """Write 1 to 1000 records, all or none, and return once they are durable.

        The fencing token is checked first, then `match_seq_num` against the tail. A `Fence` among the records takes effect
        after the batch. Without a token an append is accepted whatever the fence (S2: fencing is cooperative). Appends to one
        stream whose coroutines start in some order take effect in that order; they may be awaited later (pipelining).

        Three answers: it returns (acked); it raises `AppendRefusedError` (certainly not written); it raises
        `AppendOutcomeUnknownError`. Being cancelled while waiting leaves the outcome unknown.
        """
        ...

    async def read(self, stream: str, start: Cursor, *, limit: int = 1000) -> Sequence[Sequenced]:
        """At most `limit` durable records from `start` on, or from the first that is left after a trim.

        Empty at the tail, beyond it, and for a stream that does not exist. May return fewer than there are, but not none.
        Raises `LogUnavailableError`.
        """
        ...

    async def read_back(self, stream: str, *, before: Cursor | None = None, limit: int = 100) -> Sequence[Sequenced]:
        """The newest records below `before` (or the tail), newest first; fewer than `limit` only at the first one left."""
        ...

    def follow(self, stream: str, start: Cursor) -> AsyncGenerator[Sequenced, None]:
        """Every durable record from `start` on, in order, without gap or repeat, for ever; waits at the tail.

        Waits, too, for a stream that does not exist. A slow follower costs the writer nothing and no memory. It outlives
        outages of the journal. Close it with `aclose()`.
        """
        ...

    async def check_tail(self, stream: str) -> SeqNum:
        """Number that the next record will get; 0 for a stream that does not exist."""
        ...

    async def list_streams(self, prefix: str, *, start_after: str = "", limit: int = 1000) -> Sequence[str]:
        """Names with that prefix, in byte order, after `start_after` (exclusive)."""
        ...

    async def claim(self, stream: str, records: Sequence[Record]) -> Won | Lost:
        """Append as the very first of the stream, or learn who was.

        Of any number of simultaneous callers exactly one wins. A lost reply is resolved by reading back, never by guessing:
        every claim is told apart by the journal itself. Raises as `append` does.
        """
        ...

    async def usage(self) -> Usage:
        """How large it is now; `Usage(0, 0)` where it can't tell, so that nothing is removed for its size.

        Raises `LogUnavailableError`.
        """
        ...

    async def make_room(self) -> None:
        """Give up the room that is kept free for this: on a full disk even trimming needs some. Idempotent, never fails."""
        ...

    async def restore_room(self) -> bool:
        """Keep that room free again; False where there is not enough of it, so that appends would soon be refused."""
        ...

    async def close(self) -> None:
        """Finish what was begun, then let go of the storage. Idempotent."""
        ...


class Engine(Protocol):
    """Turns one sentence at a time into speech, off the event loop."""

    @property
    def fingerprint(self) -> str:
        """What makes two engines' sound the same: SHA-256 of the weights, kind of engine, precision. Known before `start`."""
        ...

    @property
    def slots(self) -> int:
        """How many sentences it speaks at once."""
        ...

    async def start(self) -> None:
        """Return when a sentence has been synthesised. Idempotent. Raises `EngineUnavailableError`."""
        ...

    async def synthesize(self, utterance: Utterance) -> Speech:
        """Speak one sentence; waits for its turn where all slots are taken, and for the engine to come up.

        Equal utterances give equal bytes on one machine at one thread count. Leading silence is 30 ms where `opens` is START;
        at a CLAUSE edge the pause of a join is 0.15-0.25 s; at a SENTENCE edge the model's own pause stays.

        Raises `SynthesisError` (this sentence can't be spoken), `LanguageNotInstalledError`, `SynthesisCancelledError`,
        `EngineDiedError` (the process ended or ran out of time while it was at this very sentence; the next call is served by a
        new process; a sentence that was only waiting is sent again by the engine itself, once) and `EngineUnavailableError`.
        Cancelling the awaiting task does what `cancel` does.
        """
        ...

    def cancel(self, utterance: Utterance) -> None:
        """Stop that sentence if it is waiting or under way: its `synthesize` raises `SynthesisCancelledError`. Else nothing."""
        ...

    def prepare(self, utterance: Utterance) -> None:
        """A hint that this sentence will be asked for soon: its phonemes may be made meanwhile. Never blocks or raises."""
        ...

    async def stop(self) -> None:
        """End the process. Idempotent."""
        ...


class Voices(Protocol):
    """Which voices there are, and what they are called."""

    @property
    def default(self) -> Voice:
        """Who speaks when nobody is named."""
        ...

    def all(self) -> Sequence[Voice]:
        """Every single voice, blend and alias target that is offered, in a stable order."""
        ...

    def resolve(self, name: str) -> Voice:
        """The voice that a name, an alias or a blend such as `af_heart(2)+af_bella(1)` means.

        Raises `UnknownVoiceError`, or `RefusedError` for a blend that can't be read.
        """
        ...


class Bodies(Protocol):
    """PCM of a sentence, in `model.audio.SPEECH`, to the body of its record and back; exact both ways."""

    @property
    def body_format(self) -> str:
        """What `encode` makes: `flac` or `pcm`."""
        ...

    async def encode(self, pcm: bytes) -> bytes:
        """The body for that PCM."""
        ...

    async def decode(self, body: bytes, body_format: str) -> bytes:
        """The PCM in that body; a ValueError where there is none."""
        ...


class Speaker(Protocol):
    """A way out of the server into the air. One playback at a time; the room's runner sees to that."""

    @property
    def name(self) -> str:
        """What receipts and logs call it, e.g. `media_player.kitchen`; unlike within a room."""
        ...

    @property
    def outlives_us(self) -> bool:
        """Whether a playback goes on where this process ends in the middle of it."""
        ...

    async def start(self) -> None:
        """Begin to reach for it and return at once; it may be away for as long as it likes. Idempotent."""
        ...

    async def play(self, play: Play) -> Played:
        """Play it and return when it has ended, with what is known of it. Never raises but on being cancelled.

        `BUSY` and `FAILED` say that trying again is safe. A time-out while the speaker may be playing is `UNKNOWN`. `CONFIRMED`
        needs evidence of the end. After `stop` it returns, too, with the outcome `FAILED` and the position.
        """
        ...

    async def stop(self) -> Stopped | None:
        """Silence it at once and return how far it came; None where it can't be stopped. Without a playback: 0.0 seconds."""
        ...

    async def close(self) -> None:
        """Let go of it. What it plays without us goes on. Idempotent."""
        ...


class Clock(Protocol):
    """Time, so that tests can own it."""

    def now_ms(self) -> int:
        """Unix time in milliseconds; may jump."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump; only differences mean something."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait that long on the monotonic clock."""
        ...

    def entropy(self, size: int) -> bytes:
        """That many random bytes: ids and tokens come from here."""
        ...
