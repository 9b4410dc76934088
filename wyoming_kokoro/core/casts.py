"""What can be asked of casts beside hearing them: look, watch, cancel, delete, keep, and queue again."""

from __future__ import annotations

import asyncio
import heapq
import logging
from collections.abc import AsyncGenerator
from itertools import islice

from wyoming_kokoro.core.cast_view import CastFold, CastView, Surroundings, view
from wyoming_kokoro.core.catalog import read_catalog, set_keep
from wyoming_kokoro.core.dead_letters import open_letters, requeue
from wyoming_kokoro.core.expiring import expire
from wyoming_kokoro.core.page_token import parse_page_token
from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.repair import request_repair
from wyoming_kokoro.core.watching import watch
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import CastState
from wyoming_kokoro.model.errors import CastExpiredError, CastFailedError, CastNotFoundError
from wyoming_kokoro.model.ids import JOBS, PROGRESS_DONE, CastId, cast_stream, input_stream
from wyoming_kokoro.model.position import Cursor, SeqNum
from wyoming_kokoro.model.recipe import Recipe
from wyoming_kokoro.model.records import Audio, Cancel, DeadLetter, Input, Receipt, Sequenced

_LOGGER = logging.getLogger(__name__)

_LAST_RECORDS = 3
"""So many of a cast's newest records say how it ended: `eos` or `expired`, and the command beside it."""

_CANCEL_SECONDS = 10.0
"""How long a deletion waits for the worker to let go of the cast."""


class Casts:
    """The core's shelf, for the doors. Whatever is not said otherwise raises `LogError` where the journal can't be asked."""

    def __init__(self, shop: Workshop) -> None:
        self._shop = shop

    async def get(self, cast_id: CastId) -> CastView:
        """All that is known of a cast, what was accepted a moment ago included. Raises `CastNotFoundError`."""
        await self._shop.caught_up_with_jobs()
        fold = CastFold()
        async for sequenced in read_through(self._shop.log, cast_stream(cast_id)):
            fold.add(sequenced)
        if not fold.playback.tail:
            raise _not_found(cast_id)
        return view(cast_id, fold, await self._surroundings(cast_id))

    async def newest(self, *, limit: int = 50, before: str | None = None) -> tuple[list[CastView], str | None]:
        """At most `limit` casts without their sentences, newest first, and the token of the next page, if there is one.

        They stand in the order in which they were first asked for, so that nothing moves from page to page; expired ones
        are left out. Raises `RefusedError` for a token that is none.
        """
        below = parse_page_token(before)
        await self._shop.caught_up_with_jobs()
        await self._shop.shelf.ready()
        page = self._page(max(1, limit) + 1, below)
        shown, has_more = page[: max(1, limit)], len(page) > max(1, limit)
        views = await asyncio.gather(*(self._glance(cast_id) for _, cast_id in shown))
        return [each for each in views if each.state is not CastState.EXPIRED], str(shown[-1][0]) if has_more else None

    async def cancel(self, cast_id: CastId) -> None:
        """Take back all that was asked of the cast so far; it is cut if it is being made. Raises `CastNotFoundError`."""
        await self._require(cast_id)
        await self._shop.log.append(JOBS, [Cancel(cast_id=cast_id)])
        _LOGGER.info("cast %s is cancelled", cast_id)

    async def delete(self, cast_id: CastId) -> None:
        """Cancel its jobs and expire it at once, kept or not; whoever asks for it later has it made anew.

        Its text leaves `jobs` when those are trimmed. Raises `CastNotFoundError`.
        """
        await self._require(cast_id)
        async with self._shop.log.removing():
            await self._cancel_all(cast_id)
            while not await expire(self._shop, cast_id, await self._require(cast_id), reason="it was deleted"):
                pass

    async def keep(self, cast_id: CastId, *, keep: bool = True) -> None:
        """Never expire it, or treat it like the others again. Raises `CastNotFoundError`, `CastExpiredError`."""
        await set_keep(self._shop.log, cast_id, keep=keep)

    def events(self, cast_id: CastId, *, start: Cursor = 0) -> AsyncGenerator[Sequenced, None]:
        """Durable records of the cast from `start` on, commands left out, sound with an empty body.

        Ends when all was read and neither a job nor an attempt will add to it: behind `eos`, `fail` or `expired` as a rule.
        Raises `CastNotFoundError`; waits for a journal that is away. Close with `aclose()`.
        """
        return watch(self._shop, cast_id, start)

    async def audio(self, cast_id: CastId, seq_num: SeqNum) -> Audio:
        """The sound of one sentence, which is intact.

        Raises `CastNotFoundError` where no sentence stands there, `CastExpiredError` where it has gone, and
        `CastFailedError` for a damaged one, which is then made again.
        """
        records = await self._shop.log.read(cast_stream(cast_id), seq_num, limit=1)
        if records and records[0].seq_num > seq_num:
            raise CastExpiredError("the cast has expired")
        record = records[0].record if records else None
        if not isinstance(record, Audio):
            raise CastNotFoundError(f"there is no sentence at {seq_num} in cast {cast_id}")
        if not record.is_intact:
            await request_repair(self._shop, cast_id, record.index)
            raise CastFailedError(f"sentence {record.index} was damaged; it is being made again")
        return record

    async def dead(self) -> list[DeadLetter]:
        """Casts that were given up and not queued again since, oldest first."""
        return [letter for _, letter in await open_letters(self._shop.log)]

    async def requeue(self, cast_id: CastId) -> None:
        """Ask again for a cast that was given up. Raises `CastNotFoundError` where there is no dead letter of it."""
        await requeue(self._shop, cast_id)

    def _page(self, limit: int, below: SeqNum | None) -> list[tuple[SeqNum, CastId]]:
        """The casts below that order: those on the shelf, and those whose first job is not settled yet."""
        waiting = [(min(wanted.jobs), wanted.cast_id) for wanted in self._shop.backlog.casts() if wanted.jobs]
        unshelved = [
            (order, cast_id)
            for order, cast_id in waiting
            if cast_id not in self._shop.shelf and (below is None or order < below)
        ]
        shelved = self._shop.shelf.newest(below=below)
        return list(islice(heapq.merge(sorted(unshelved, reverse=True), shelved, reverse=True), limit))

    async def _glance(self, cast_id: CastId) -> CastView:
        """A view from the first and the last records of the cast."""
        stream = cast_stream(cast_id)
        first = await self._shop.log.read(stream, 0, limit=1)
        last = await self._shop.log.read_back(stream, limit=_LAST_RECORDS)
        fold = CastFold()
        for sequenced in {each.seq_num: each for each in (*first, *reversed(last))}.values():
            fold.add(sequenced)
        fold.sentences.clear()
        return view(cast_id, fold, await self._surroundings(cast_id), in_full=False)

    async def _surroundings(self, cast_id: CastId) -> Surroundings:
        feed = self._shop.feeds.get(cast_id)
        catalogued = await read_catalog(self._shop.log, cast_id)
        receipt = await self._receipt(cast_id)
        return Surroundings(
            is_wanted=self._shop.backlog.get(cast_id) is not None,
            is_making=feed is not None and feed.is_making,
            catalogued=catalogued,
            text=None if catalogued is None else await self._text(cast_id, catalogued.recipe),
            receipt=receipt,
        )

    async def _text(self, cast_id: CastId, recipe: Recipe) -> str:
        """The original text, of a live cast as far as it has come."""
        if recipe.sentences:
            return recipe.text
        arrived = [each.record async for each in read_through(self._shop.log, input_stream(cast_id))]
        return "".join(record.sentence.text for record in arrived if isinstance(record, Input))

    async def _receipt(self, cast_id: CastId) -> Receipt | None:
        await self._shop.shelf.ready()
        place = self._shop.shelf.place(cast_id)
        records = await self._shop.log.read(PROGRESS_DONE, place.receipt, limit=1) if place else ()
        return next((each.record for each in records if isinstance(each.record, Receipt)), None)

    async def _require(self, cast_id: CastId) -> SeqNum:
        """The tail of a cast that must be there."""
        tail = await self._shop.log.check_tail(cast_stream(cast_id))
        if not tail:
            raise _not_found(cast_id)
        return tail

    async def _cancel_all(self, cast_id: CastId) -> None:
        """Have every job of the cast that is in the log by now cancelled and settled."""
        await self._shop.caught_up_with_jobs()
        if self._shop.backlog.get(cast_id) is None:
            return
        cancel = (await self._shop.log.append(JOBS, [Cancel(cast_id=cast_id)])).start
        try:
            async with asyncio.timeout(_CANCEL_SECONDS):
                while self._is_wanted_since(cast_id, cancel):
                    await self._shop.settling.settled.wait(self._shop.settling.settled.count)
        except TimeoutError:
            _LOGGER.warning("cast %s is deleted, though its worker does not let go of it", cast_id)

    def _is_wanted_since(self, cast_id: CastId, cancel: SeqNum) -> bool:
        """Whether a job that this cancel takes back is not settled yet."""
        wanted = self._shop.backlog.get(cast_id)
        is_read = self._shop.backlog.jobs_tail > cancel
        return not is_read or (wanted is not None and any(job < cancel for job in wanted.seq_nums))


def _not_found(cast_id: CastId) -> CastNotFoundError:
    return CastNotFoundError(f"there is no cast {cast_id}")
