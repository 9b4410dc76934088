"""Shortens the streams that belong to no cast: what is settled and old leaves `jobs`, `jobs/dead` and `progress/done`."""

from __future__ import annotations

import dataclasses

from wyoming_kokoro.core.reading import read_last
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.ids import JOBS, JOBS_CURSOR, JOBS_DEAD, PROGRESS_DONE
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import COMMANDS, Receipt, Record, Trim, Watermark
from wyoming_kokoro.ports import Log

_RECEIPTS = 1000
"""So many of the oldest receipts are looked at together."""
_COPIED = 400
"""At most so many of them are written again, so that all the others can go."""


async def trim_jobs(shop: Workshop, old_ms: int) -> None:
    """Let go of the jobs that are settled, durably, and older than that. Raises `LogError`."""
    committed = await _committed(shop)
    await trim_old(shop.log, JOBS, old_ms, committed.jobs)


async def trim_dead_letters(shop: Workshop, old_ms: int) -> None:
    """Let go of letters that are older than that. Raises `LogError`."""
    await trim_old(shop.log, JOBS_DEAD, old_ms, await shop.log.check_tail(JOBS_DEAD))


async def trim_receipts(shop: Workshop) -> None:
    """Compact `progress/done` below the committed place while at least half of its beginning says nothing any more.

    The newest receipts of casts that are still there are written again at its end, in one append with the trim.
    Raises `LogError`.
    """
    committed = await _committed(shop)
    while await _compact(shop, committed.done):
        pass


async def _compact(shop: Workshop, limit: SeqNum) -> bool:
    """Do it for the oldest receipts, if they all lie below the limit; whether there may be more to do."""
    tail = shop.backlog.watermark.done_tail
    oldest = await shop.log.read(PROGRESS_DONE, 0, limit=_RECEIPTS)
    if len(oldest) < _RECEIPTS or oldest[-1].seq_num >= limit:
        return False
    copies: list[Record] = []
    for sequenced in oldest:
        receipt = sequenced.record
        place = shop.shelf.place(receipt.cast_id) if isinstance(receipt, Receipt) else None
        if isinstance(receipt, Receipt) and place is not None and place.receipt == sequenced.seq_num:
            copies.append(dataclasses.replace(receipt, jobs=tuple(sorted({place.order, *receipt.jobs}))))
    if len(copies) > _COPIED:
        return False
    records = [*copies, Trim(oldest[-1].seq_num + 1)]
    # A copy must not come behind a newer receipt of its cast: where one came meanwhile, the next run does it.
    await shop.settling.append(records, unless=lambda: shop.backlog.watermark.done_tail != tail)
    return shop.backlog.watermark.done_tail == tail + len(records)


async def _committed(shop: Workshop) -> Watermark:
    """The place from which the next start reads; nothing from there on may go."""
    found, _ = await read_last(shop.log, JOBS_CURSOR, Watermark)
    tails = await shop.log.check_tail(JOBS), await shop.log.check_tail(PROGRESS_DONE)
    if found is None or found.jobs > tails[0] or found.done > tails[1]:
        return Watermark(0, 0)
    return found


async def trim_old(log: Log, stream: str, old_ms: int, limit: SeqNum) -> SeqNum:
    """Trim what is older and lies below the limit, if it is more than the commands of earlier trims.

    Returns the first record that is left, 0 where nothing was trimmed. Raises `LogError`.
    """
    first, is_worth_it = 0, False
    while records := await log.read(stream, first):
        for sequenced in records:
            if sequenced.timestamp_ms >= old_ms or sequenced.seq_num >= limit:
                break
            first = sequenced.seq_num + 1
            is_worth_it = is_worth_it or not isinstance(sequenced.record, COMMANDS)
        else:
            continue
        break
    if not is_worth_it:
        return 0
    await log.append(stream, [Trim(first)])
    return first
