"""Which casts there are, in the order in which they were asked for: an index of `progress/done`, some 200 bytes a cast.

A cast comes onto the shelf with its first receipt and leaves it with the receipt that says it has expired. Its order is the
first job that it was made for, so neither a hit nor a repair moves it.
"""

from __future__ import annotations

import asyncio
import bisect
import logging
from collections.abc import Iterator
from typing import NamedTuple

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.model.cast import Outcome
from wyoming_kokoro.model.errors import LogUnavailableError
from wyoming_kokoro.model.ids import PROGRESS_DONE, CastId
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.records import Receipt, Sequenced
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)


class Place(NamedTuple):
    """Where a cast stands on the shelf."""

    order: SeqNum
    """The first job that it was made for."""
    receipt: SeqNum
    """Its newest receipt."""


class Shelf:
    """Follows the receipts; complete once it is `ready`."""

    def __init__(self, log: Log, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._places: dict[CastId, Place] = {}
        self._order: list[tuple[SeqNum, CastId]] = []
        self._early: list[Sequenced] | None = []
        """Receipts that came before the older ones were read; None once they are."""
        self._is_ready = asyncio.Event()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, cast_id: CastId) -> bool:
        return cast_id in self._places

    async def rebuild(self, end: Cursor) -> None:
        """Read the receipts below `end`; those from there on come by `take_in`. Waits for a journal that is away."""
        start, backoff = 0, Backoff(self._clock)
        while start < end:
            try:
                records = await self._log.read(PROGRESS_DONE, start)
            except LogUnavailableError as error:
                _LOGGER.debug("the shelf waits for the journal: %s", error)
                await backoff.wait()
                continue
            for sequenced in records:
                if sequenced.seq_num < end:
                    self._add(sequenced)
            start = records[-1].seq_num + 1 if records else end
        early, self._early = self._early or [], None
        for sequenced in early:
            self._add(sequenced)
        self._is_ready.set()

    async def ready(self) -> None:
        """Return once every receipt was read."""
        await self._is_ready.wait()

    def take_in(self, sequenced: Sequenced) -> None:
        """The next record of `progress/done`."""
        if self._early is None:
            self._add(sequenced)
        else:
            self._early.append(sequenced)

    def place(self, cast_id: CastId) -> Place | None:
        """Where that cast stands, if it is there."""
        return self._places.get(cast_id)

    def newest(self, *, below: SeqNum | None = None) -> Iterator[tuple[SeqNum, CastId]]:
        """Order and name of the casts, newest first; the shelf must not change meanwhile."""
        end = len(self._order) if below is None else bisect.bisect_left(self._order, (below, CastId("")))
        return reversed(self._order[:end]) if end else iter(())

    def oldest(self) -> list[CastId]:
        """All casts, oldest first, as they are now."""
        return [cast_id for _, cast_id in self._order]

    def _add(self, sequenced: Sequenced) -> None:
        receipt = sequenced.record
        if not isinstance(receipt, Receipt):
            return
        known = self._places.get(receipt.cast_id)
        if receipt.outcome is Outcome.EXPIRED:
            if known is not None:
                del self._places[receipt.cast_id]
                del self._order[bisect.bisect_left(self._order, (known.order, receipt.cast_id))]
        elif known is not None:
            self._places[receipt.cast_id] = known._replace(receipt=sequenced.seq_num)
        elif receipt.jobs:
            order = min(receipt.jobs)
            self._places[receipt.cast_id] = Place(order, sequenced.seq_num)
            bisect.insort(self._order, (order, receipt.cast_id))
