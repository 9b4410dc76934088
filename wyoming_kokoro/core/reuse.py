"""Sentences that were spoken before are copied, not synthesised again: where each stands, in bounded memory."""

from __future__ import annotations

import logging
from collections import OrderedDict

from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import PROGRESS_DONE, cast_stream
from wyoming_kokoro.model.position import SeqNum
from wyoming_kokoro.model.records import Audio, Receipt
from wyoming_kokoro.ports import Log

_LOGGER = logging.getLogger(__name__)

REMEMBERED = 20_000
"""Sentences whose place is known; some 200 bytes each."""

_REBUILT_FROM = 100
"""Newest casts that are read at start."""


class SpokenSentences:
    """Finds the record of a sentence that sounds exactly like the one wanted."""

    def __init__(self, log: Log, *, remembered: int = REMEMBERED) -> None:
        self._log = log
        self._remembered = remembered
        self._places: OrderedDict[str, tuple[str, SeqNum]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def add(self, key: str, stream: str, seq_num: SeqNum) -> None:
        """The sentence stands there, durably."""
        self._places[key] = (stream, seq_num)
        self._places.move_to_end(key)
        if len(self._places) > self._remembered:
            self._places.popitem(last=False)

    async def find(self, key: str) -> Audio | None:
        """A sound record of that sentence; None where there is none any more."""
        if (place := self._places.get(key)) is None:
            return None
        stream, seq_num = place
        try:
            records = await self._log.read(stream, seq_num, limit=1)
        except LogError:
            return None
        for sequenced in records:
            record = sequenced.record
            if isinstance(record, Audio) and record.key == key and record.is_intact:
                return record
        self._places.pop(key, None)
        return None

    async def rebuild(self) -> None:
        """Learn the sentences of the newest casts, as far as the journal lets it."""
        try:
            for sequenced in await self._log.read_back(PROGRESS_DONE, limit=_REBUILT_FROM):
                if isinstance(sequenced.record, Receipt):
                    await self._learn(cast_stream(sequenced.record.cast_id))
        except LogError as error:
            _LOGGER.warning("fewer sentences will be reused than there are: %s", error)

    async def _learn(self, stream: str) -> None:
        start = 0
        while records := await self._log.read(stream, start, limit=20):
            for sequenced in records:
                if isinstance(sequenced.record, Audio) and sequenced.record.key not in self._places:
                    self.add(sequenced.record.key, stream, sequenced.seq_num)
            start = records[-1].seq_num + 1
