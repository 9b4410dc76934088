"""Removes what has become old or too much: casts first, then what `jobs` and `progress/done` say of them.

A cast stays while it is kept, wanted or listened to. Each one goes by an append that is conditional on the very state of the
stream by which it was judged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from wyoming_kokoro.core.cast_view import CastFold
from wyoming_kokoro.core.catalog import read_catalog
from wyoming_kokoro.core.expiring import expire
from wyoming_kokoro.core.metrics import Gauge
from wyoming_kokoro.core.reading import read_through
from wyoming_kokoro.core.rooms.shortening import Shortening
from wyoming_kokoro.core.trimming import trim_dead_letters, trim_jobs, trim_receipts
from wyoming_kokoro.core.unix_time import DAY_MS, HOUR_MS, unix_now_ms
from wyoming_kokoro.core.waiting import first_of
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import CASTS_PREFIX, CastId, cast_stream, parse_cast_id
from wyoming_kokoro.model.records import COMMANDS, Expired
from wyoming_kokoro.ports import Usage
from wyoming_kokoro.settings import RetentionSettings

_LOGGER = logging.getLogger(__name__)

_LOOK_SECONDS = 60.0
"""How often the size of the journal is looked at."""
_LOOKS_PER_RUN = 60
"""Every so many looks everything is gone through."""
_SHORT_SECONDS = 10.0
"""How often a journal without room is tried again, when nobody else does."""
_SHORT_LOOKS_PER_RUN = 6
"""Every so many of those tries the reserve is given up for another run."""
_DOWN_TO = 0.95
"""Part of the allowed size that is left when it was exceeded, so that not every cast removes another one."""


class Retention:
    """One house's retention; other workers on the same journal may have their own."""

    def __init__(
        self,
        shop: Workshop,
        settings: RetentionSettings,
        *,
        is_announced: Callable[[CastId], bool] = lambda _: False,
        shortening: Shortening | None = None,
    ) -> None:
        """`is_announced` says whether a room is still to play a cast; `shortening` is of the rooms' streams."""
        self._shop = shop
        self._log = shop.log
        self._settings = settings
        self._is_announced = is_announced
        self._shortening = shortening
        self._usage = Usage(0, 0)
        self._short_looks = 0
        shop.metrics.gauge(Gauge.journal_file_bytes, lambda: self._usage.file_bytes)
        shop.metrics.gauge(Gauge.journal_used_bytes, lambda: self._usage.used_bytes)

    async def work(self) -> None:
        """Look after the journal; never returns."""
        looks = seen = 0
        while True:
            is_met = self._log.shortage.count > seen
            seen = self._log.shortage.count
            try:
                if is_met or await self._is_still_short():
                    await self.relieve()
                await self._look(everything=looks % _LOOKS_PER_RUN == 0)
                looks += 1
            except LogError as error:
                _LOGGER.warning("retention has to wait: %s", error)
            await self._rest(seen, is_short=is_met or self._log.is_short)

    async def run(self) -> None:
        """Go through everything once. Raises `LogError`."""
        now_ms = await unix_now_ms(self._log, self._shop.clock)
        await self._shop.shelf.ready()
        old_ms = now_ms - self._settings.retention_days * DAY_MS
        await self._expire_old(old_ms)
        await self._expire_excess()
        await self._expire_orphans(now_ms - DAY_MS)
        await trim_jobs(self._shop, min(old_ms, now_ms - self._settings.dedupe_hours * HOUR_MS))
        await trim_dead_letters(self._shop, old_ms)
        await trim_receipts(self._shop)
        if self._shortening is not None:
            await self._shortening.run(min(old_ms, now_ms - self._settings.dedupe_hours * HOUR_MS))

    async def relieve(self) -> bool:
        """Free what can be freed on a full journal; whether there is room again."""
        _LOGGER.warning("the journal has no room: nothing new is accepted until there is some")
        async with self._log.relief():
            await self.run()
        return not self._log.is_short

    async def _is_still_short(self) -> bool:
        """Whether there is no room yet, and has been none for long enough to go through everything again."""
        self._short_looks = self._short_looks + 1 if self._log.is_short and not await self._log.try_again() else 0
        return self._short_looks > 0 and self._short_looks % _SHORT_LOOKS_PER_RUN == 0

    async def _look(self, *, everything: bool) -> None:
        self._usage = await self._log.usage()
        if everything:
            await self.run()
        elif self._usage.used_bytes > self._settings.retention_bytes:
            await self._shop.shelf.ready()
            await self._expire_excess()

    async def _rest(self, seen: int, *, is_short: bool) -> None:
        """Until it is time, or the journal has no room."""
        if is_short:
            await self._shop.clock.sleep(_SHORT_SECONDS)
            return
        await first_of(self._shop.clock.sleep(_LOOK_SECONDS), self._log.shortage.wait(seen))

    async def _expire_old(self, old_ms: int) -> None:
        for cast_id in self._shop.shelf.oldest():
            created_ms = await self._created_ms(cast_id)
            if created_ms is not None and created_ms >= old_ms:
                return
            await self._try_expire(cast_id, f"it is older than {self._settings.retention_days} days")

    async def _expire_excess(self) -> None:
        self._usage = await self._log.usage()
        if self._usage.used_bytes <= self._settings.retention_bytes:
            return
        # What is trimmed leaves the journal in its own time, so it is the casts' own size that is counted here.
        excess_bytes = self._usage.used_bytes - _DOWN_TO * self._settings.retention_bytes
        for cast_id in self._shop.shelf.oldest():
            if excess_bytes <= 0:
                return
            excess_bytes -= await self._try_expire(cast_id, "the journal is larger than it may be")

    async def _expire_orphans(self, old_ms: int) -> None:
        """Casts that no receipt will ever name: their asker was gone before there was a job."""
        start_after = ""
        while names := await self._log.list_streams(CASTS_PREFIX, start_after=start_after):
            for name in names:
                cast_id = parse_cast_id(name.removeprefix(CASTS_PREFIX))
                if cast_id is not None and cast_id not in self._shop.shelf and await self._is_orphan(cast_id, old_ms):
                    await self._try_expire(cast_id, "nobody asked for it in the end")
            start_after = names[-1]

    async def _is_orphan(self, cast_id: CastId, old_ms: int) -> bool:
        newest = await self._log.read_back(cast_stream(cast_id), limit=2)
        is_expired = any(isinstance(sequenced.record, Expired) for sequenced in newest)
        return bool(newest) and not is_expired and newest[0].timestamp_ms < old_ms

    async def _created_ms(self, cast_id: CastId) -> int | None:
        """When the oldest record of the cast that counts was written; None where nothing is left."""
        for sequenced in await self._log.read(cast_stream(cast_id), 0, limit=4):
            if not isinstance(sequenced.record, (*COMMANDS, Expired)):
                return sequenced.timestamp_ms
        return None

    async def _try_expire(self, cast_id: CastId, reason: str) -> int:
        """Expire it if that may be; returns how many bytes of sound that frees."""
        if self._is_needed(cast_id):
            return 0
        catalogued = await read_catalog(self._log, cast_id)
        if catalogued is not None and catalogued.keep:
            return 0
        fold = CastFold()
        async for sequenced in read_through(self._log, cast_stream(cast_id)):
            fold.add(sequenced)
        if self._is_needed(cast_id) or not await expire(self._shop, cast_id, fold.playback.tail, reason=reason):
            return 0
        return fold.stored_bytes

    def _is_needed(self, cast_id: CastId) -> bool:
        is_heard = self._shop.feeds.listeners(cast_id) > 0
        return is_heard or self._shop.is_wanted(cast_id) or self._is_announced(cast_id)
