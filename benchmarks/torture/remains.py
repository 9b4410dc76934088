"""What a journal holds after the killing: read from the file itself, not through the code that wrote it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.model.cast import JobKind, Outcome
from wyoming_kokoro.model.ids import JOBS, PROGRESS_DONE, CastId, cast_stream
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Audio, Eos, EosReason, Fail, Job, Receipt, Start
from wyoming_kokoro.ports import Log


@dataclass(slots=True)
class Remains:
    """Counts, and every fault by its name."""

    jobs: int = 0
    casts: int = 0
    sentences: int = 0
    attempts: int = 0
    resumed: int = 0
    """Attempts that went on where an earlier one was killed."""
    faults: list[str] = field(default_factory=list)


async def unsettled(log: Log) -> set[SeqNum]:
    """Jobs that no receipt names."""
    jobs = {seen.seq_num async for seen in read_through(log, JOBS) if isinstance(seen.record, Job)}
    receipts = [seen.record async for seen in read_through(log, PROGRESS_DONE) if isinstance(seen.record, Receipt)]
    return jobs - {job for receipt in receipts for job in receipt.jobs}


async def examine(log: Log) -> Remains:
    """Hold the journal against what was promised."""
    remains = Remains()
    jobs = {seen.seq_num: seen.record async for seen in read_through(log, JOBS) if isinstance(seen.record, Job)}
    receipts = [seen.record async for seen in read_through(log, PROGRESS_DONE) if isinstance(seen.record, Receipt)]
    remains.jobs = len(jobs)
    named = Counter(job for receipt in receipts for job in receipt.jobs)
    for seq_num in jobs:
        if named[seq_num] != 1:
            remains.faults.append(f"job {seq_num} stands in {named[seq_num]} receipts")
    done = {receipt.cast_id for receipt in receipts if receipt.outcome is Outcome.DONE}
    for cast_id, job in {job.cast_id: job for job in jobs.values()}.items():
        remains.casts += 1
        if job.kind is JobKind.SPEAK and cast_id not in done:
            remains.faults.append(f"cast {cast_id} was never done")
        await _examine_cast(log, cast_id, job, remains)
    return remains


async def _examine_cast(log: Log, cast_id: CastId, job: Job, remains: Remains) -> None:
    indexes: list[int] = []
    ends: list[Eos | Fail] = []
    async for seen in read_through(log, cast_stream(cast_id)):
        match seen.record:
            case Start(next_index=next_index):
                remains.attempts += 1
                remains.resumed += next_index > 0
                if next_index != len(indexes):
                    remains.faults.append(f"cast {cast_id}: an attempt began at {next_index}, {len(indexes)} were there")
            case Audio() as audio:
                indexes.append(audio.index)
                if not audio.is_intact:
                    remains.faults.append(f"cast {cast_id}: sentence {audio.index} is damaged")
            case Eos() | Fail() as end:
                ends.append(end)
            case _:
                pass
    remains.sentences += len(indexes)
    if indexes != list(range(len(indexes))):
        remains.faults.append(f"cast {cast_id}: sentences {indexes}")
    if len(ends) != 1 or not isinstance(ends[0], Eos):
        remains.faults.append(f"cast {cast_id}: it ended in {ends}")
    elif job.kind is JobKind.SPEAK and (ends[0].reason is not EosReason.COMPLETE or ends[0].count != len(indexes)):
        remains.faults.append(f"cast {cast_id}: {ends[0]} after {len(indexes)} sentences")
