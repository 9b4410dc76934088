"""Requests that are repeated under a key of the asker's: accepted once, answered the same for a while, also after a restart."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import NamedTuple

from wyoming_kokoro.core.accepted import Accepted
from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.core.unix_time import HOUR_MS, unix_now_ms
from wyoming_kokoro.model.cast import CastRequest
from wyoming_kokoro.model.errors import IdempotencyMismatchError, LogUnavailableError
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.position import Cursor
from wyoming_kokoro.model.records import Job, Sequenced
from wyoming_kokoro.ports import Clock, Log

_LOGGER = logging.getLogger(__name__)


class _Answer(NamedTuple):
    at_ms: int
    digest: str
    accepted: Accepted


class IdempotencyKeys:
    """The keys of the last hours. They stand in the jobs themselves."""

    def __init__(self, log: Log, clock: Clock, hours: int) -> None:
        self._log = log
        self._clock = clock
        self._lasts_ms = hours * HOUR_MS
        self._answers: OrderedDict[str, _Answer] = OrderedDict()
        """In the order of their time."""
        self._turns: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._is_rebuilt = asyncio.Event()

    async def rebuild(self) -> None:
        """Learn the keys of the jobs that are in the log. Waits for a journal that is away."""
        backoff = Backoff(self._clock)
        while not self._is_rebuilt.is_set():
            try:
                found = await self._read(await unix_now_ms(self._log, self._clock) - self._lasts_ms)
            except LogUnavailableError as error:
                _LOGGER.debug("the idempotency keys wait for the journal: %s", error)
                await backoff.wait()
                continue
            for sequenced in reversed(found):
                self._learn(sequenced)
            self._is_rebuilt.set()

    @contextlib.asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """One request under a key at a time."""
        await self._is_rebuilt.wait()
        async with self._turns.setdefault(key, asyncio.Lock()):
            yield

    def answer(self, key: str, digest: str) -> Accepted | None:
        """What the request got before; `IdempotencyMismatchError` where it was another one."""
        self._forget_old()
        if (known := self._answers.get(key)) is None:
            return None
        if known.digest != digest:
            raise IdempotencyMismatchError
        return known.accepted

    def remember(self, key: str, digest: str, accepted: Accepted) -> None:
        """It was answered now, durably."""
        self._answers[key] = _Answer(self._clock.now_ms(), digest, accepted)
        self._answers.move_to_end(key)

    async def _read(self, since_ms: int) -> list[Sequenced]:
        """Jobs with keys, newest first."""
        found: list[Sequenced] = []
        before: Cursor | None = None
        while records := await self._log.read_back(JOBS, before=before):
            for sequenced in records:
                if sequenced.timestamp_ms < since_ms:
                    return found
                if isinstance(sequenced.record, Job) and sequenced.record.idempotency is not None:
                    found.append(sequenced)
            before = records[-1].seq_num
        return found

    def _learn(self, sequenced: Sequenced) -> None:
        job = sequenced.record
        if isinstance(job, Job) and (mark := job.idempotency) is not None and mark.key not in self._answers:
            accepted = Accepted(job.cast_id, is_hit=mark.is_hit, is_new=mark.is_new, job=sequenced.seq_num)
            self._answers[mark.key] = _Answer(sequenced.timestamp_ms, mark.digest, accepted)

    def _forget_old(self) -> None:
        since_ms = self._clock.now_ms() - self._lasts_ms
        while self._answers and next(iter(self._answers.values())).at_ms < since_ms:
            self._answers.popitem(last=False)


def request_digest(request: CastRequest) -> str:
    """Equal for equal bodies, whoever sent them."""
    body = [
        request.text, request.voice, request.speed, request.language, request.profile, request.text_format,
        request.priority.label, request.room, request.keep, request.any_voice,
    ]  # fmt: skip
    text = json.dumps(body, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
