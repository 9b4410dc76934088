"""What was seen from outside while a scenario ran; the oracle judges by it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.scenario import Ask
from wyoming_kokoro.core.feeds import Piece
from wyoming_kokoro.journal.batch import Batch
from wyoming_kokoro.journal.memory import MemoryLog, MemoryStorage
from wyoming_kokoro.model.ids import CastId
from wyoming_kokoro.model.position import Ack, SeqNum
from wyoming_kokoro.model.recipe import Utterance
from wyoming_kokoro.model.records import Alive, Audio, Cancel, Eos, Fail, Job, Receipt, Record, Start, Watermark


@dataclass(slots=True)
class Visit:
    """One listener, from joining to its end."""

    name: str
    server: int
    began_at: float
    ask: Ask | None
    """None for one that only joined."""
    cast_id: CastId | None = None
    job: SeqNum | None = None
    pieces: list[Piece] = field(default_factory=list)
    ended: str = "still there"
    """`heard all`, `left`, `quit`, `hit by a crash`, `nothing to hear`, or the name of the error."""
    is_told: bool = False
    """Whether it got an answer to what it asked."""


@dataclass(frozen=True, slots=True)
class Written:
    """One record that became durable."""

    at: float
    server: int
    stream: str
    seq_num: SeqNum
    record: Record


@dataclass(frozen=True, slots=True)
class Asked:
    """One sentence that the engine was asked for."""

    at: float
    server: int
    utterance: Utterance


@dataclass(slots=True)
class Facts:
    """All of them, and a trace that a person can read."""

    trace: list[str] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    jobs: dict[SeqNum, Job | Cancel] = field(default_factory=dict)
    """Whatever stands in `jobs`."""
    asked: list[Asked] = field(default_factory=list)
    rotten: set[tuple[str, SeqNum]] = field(default_factory=set)
    lives: dict[int, tuple[float, float]] = field(default_factory=dict)
    """Server -> when it opened its journal and when it was gone."""

    def say(self, server: int, what: str) -> None:
        """One line of the trace."""
        self.trace.append(f"{asyncio.get_running_loop().time():9.3f}  s{server}  {what}")

    def wrote(self, server: int, stream: str, ack: Ack, records: Sequence[Record]) -> None:
        """A batch is durable."""
        at = asyncio.get_running_loop().time()
        for seq_num, record in enumerate(records, ack.start):
            self.written.append(Written(at, server, stream, seq_num, record))
            if isinstance(record, Job | Cancel):
                self.jobs[seq_num] = record
        self.say(server, f"{stream} @{ack.start}: {', '.join(map(brief, records))}")


class WitnessedLog(MemoryLog):
    """A journal in memory that tells of every batch when it becomes durable."""

    def __init__(self, *args: Any, storage: MemoryStorage, wrote: Callable[[str, Ack, Sequence[Record]], None], **kwargs: Any):
        super().__init__(*args, storage=storage, **kwargs)
        self._witness = wrote

    def _write(self, stream: str, batch: Batch) -> Ack:
        ack = super()._write(stream, batch)
        found = self._storage.stream(stream)
        first = max(ack.start, found.state.first)
        self._witness(stream, Ack(first, ack.tail), [found.record(place).record for place in range(first, ack.tail)])
        return ack


def brief(record: Record) -> str:
    """A record in a few characters."""
    match record:
        case Audio(index=index, attempt=attempt):
            return f"audio {index} (attempt {attempt})"
        case Start(attempt=attempt, next_index=index):
            return f"start {attempt} at {index}"
        case Eos(count=count, reason=reason):
            return f"eos {reason} of {count}"
        case Fail(reason=reason, jobs_tail=tail):
            return f"fail below {tail}: {reason}"
        case Receipt(cast_id=cast_id, jobs=jobs, outcome=outcome):
            return f"receipt {outcome} of {cast_id} for {jobs}"
        case Job(cast_id=cast_id, kind=kind, priority=priority):
            return f"job {kind} {cast_id} {priority.label}"
        case Alive(released=True):
            return "released"
        case Alive(died_under=int() as index):
            return f"died under {index}"
        case Watermark(jobs=jobs, done=done):
            return f"watermark {jobs}, {done}"
        case _:
            return type(record).__name__.lower()
