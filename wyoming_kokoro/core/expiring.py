"""Takes a cast out of the journal: its sound first, by one atomic append, then its recipe and its text."""

from __future__ import annotations

import dataclasses
import logging

from wyoming_kokoro.core.catalog import read_catalog
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import Outcome
from wyoming_kokoro.model.errors import SeqNumMismatchError
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream, input_stream
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import COMMANDS, Expired, Receipt, Record, Trim

_LOGGER = logging.getLogger(__name__)


async def expire(shop: Workshop, cast_id: CastId, tail: SeqNum, *, reason: str) -> bool:
    """Expire a cast that was judged by its stream up to `tail`; False where the stream has grown since. Raises `LogError`.

    It may be begun again after a crash: whatever is done already is passed over.
    """
    stream, place = cast_stream(cast_id), shop.shelf.place(cast_id)
    newest = await shop.log.read_back(stream, before=tail, limit=2)
    if not any(isinstance(sequenced.record, Expired) for sequenced in newest):
        try:
            tail = (await shop.log.append(stream, [Expired(), Trim(tail)], match_seq_num=tail)).tail
        except SeqNumMismatchError:
            return False
    shop.library.forget(cast_id)
    await _clear_catalog(shop, cast_id, tail)
    await _clear(shop, input_stream(cast_id))
    receipt: list[Record] = [Receipt(cast_id=cast_id, jobs=(), outcome=Outcome.EXPIRED, worker=shop.name)]
    # A receipt that came meanwhile is of the cast made anew, which has not expired.
    await shop.settling.append(receipt, unless=lambda: shop.shelf.place(cast_id) != place)
    shop.metrics.count(Counter.casts_total, Outcome.EXPIRED.value)
    _LOGGER.info("cast %s is expired: %s", cast_id, reason)
    return True


async def _clear_catalog(shop: Workshop, cast_id: CastId, tail: SeqNum) -> None:
    """Trim the recipe; whoever has begun the cast anew meanwhile, and found the recipe still there, gets it back."""
    catalogued = await read_catalog(shop.log, cast_id)
    await _clear(shop, catalog_stream(cast_id))
    is_begun = shop.is_wanted(cast_id) or await shop.log.check_tail(cast_stream(cast_id)) > tail
    if catalogued is not None and is_begun and await read_catalog(shop.log, cast_id) is None:
        await shop.log.append(catalog_stream(cast_id), [dataclasses.replace(catalogued, keep=False)])


async def _clear(shop: Workshop, stream: str) -> None:
    """Trim all that the stream holds."""
    while True:
        newest = await shop.log.read_back(stream, limit=1)
        if not newest or isinstance(newest[0].record, COMMANDS):
            return
        tail = newest[0].seq_num + 1
        trim: list[Record] = [Trim(tail)]
        try:
            await shop.log.append(stream, trim, match_seq_num=tail)
        except SeqNumMismatchError:
            continue
        return
