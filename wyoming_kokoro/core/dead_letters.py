"""Casts that were given up: which ones wait for somebody to ask again, and how that is done."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import Priority
from wyoming_kokoro.model.errors import CastNotFoundError
from wyoming_kokoro.model.ids import JOBS, JOBS_DEAD, CastId
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import DeadLetter, Job, Record, Requeued
from wyoming_kokoro.ports import Log

_LOGGER = logging.getLogger(__name__)


async def open_letters(log: Log) -> list[tuple[SeqNum, DeadLetter]]:
    """Dead letters that were not queued again, oldest first."""
    letters: dict[SeqNum, DeadLetter] = {}
    async for sequenced in read_through(log, JOBS_DEAD):
        match sequenced.record:
            case DeadLetter() as letter:
                letters[sequenced.seq_num] = letter
            case Requeued(letters=requeued):
                for seq_num in requeued:
                    letters.pop(seq_num, None)
            case _:
                pass
    return list(letters.items())


async def requeue(shop: Workshop, cast_id: CastId) -> None:
    """Submit a job for a cast that was given up, then mark its letters: in this order, for jobs of one cast merge."""
    letters = {seq_num: letter for seq_num, letter in await open_letters(shop.log) if letter.cast_id == cast_id}
    if not letters:
        raise CastNotFoundError(f"cast {cast_id} is not among those that were given up")
    letter = letters[max(letters)]
    job = Job(
        cast_id=cast_id, kind=letter.kind, recipe=letter.recipe, priority=Priority.NORMAL, source="requeue",
        due_ms=shop.clock.now_ms(),
    )  # fmt: skip
    mark: list[Record] = [Requeued(cast_id=cast_id, letters=tuple(letters))]
    await shop.log.append(JOBS, [job])
    await shop.log.append(JOBS_DEAD, mark)
    _LOGGER.info("cast %s is queued again", cast_id)
