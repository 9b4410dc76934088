"""Which model requests are written for: that of the engine here, or, where there is none, of the worker heard of last."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.reading import read_last
from wyoming_kokoro.core.tasks import TaskSet
from wyoming_kokoro.model.cast import Outcome
from wyoming_kokoro.model.errors import LogError
from wyoming_kokoro.model.ids import PROGRESS_DONE, cast_stream
from wyoming_kokoro.model.records import Receipt, Sequenced, Start
from wyoming_kokoro.ports import Engine, Log

_LOGGER = logging.getLogger(__name__)

_RECEIPTS = 20
"""Newest receipts that are looked through at start."""


class KnownModel:
    """A fingerprint that follows the workers on the journal, unless an engine of our own decides it."""

    def __init__(self, log: Log, engine: Engine, tasks: TaskSet) -> None:
        self._log = log
        self._tasks = tasks
        self._model = engine.fingerprint
        self._is_ours = engine.slots > 0
        self._worker = ""
        """Whose model it is."""

    def fingerprint(self) -> str:
        """What a request that comes now is written for."""
        return self._model

    async def rebuild(self) -> None:
        """Ask the newest casts, as far as the journal lets it."""
        if self._is_ours:
            return
        try:
            for sequenced in reversed(await self._log.read_back(PROGRESS_DONE, limit=_RECEIPTS)):
                if isinstance(sequenced.record, Receipt):
                    await self._learn(sequenced.record)
        except LogError as error:
            _LOGGER.warning("it is not known which model the workers have: %s", error)

    def take_in(self, sequenced: Sequenced) -> None:
        """A record of `progress/done`."""
        receipt = sequenced.record
        if not self._is_ours and isinstance(receipt, Receipt) and receipt.worker != self._worker:
            self._tasks.start(self._learn_later(receipt), name=f"model[{receipt.worker}]")

    async def _learn_later(self, receipt: Receipt) -> None:
        try:
            await self._learn(receipt)
        except LogError as error:
            _LOGGER.debug("the model of worker %s is not known yet: %s", receipt.worker, error)

    async def _learn(self, receipt: Receipt) -> None:
        """The model of whoever made that cast."""
        if receipt.outcome is not Outcome.DONE:
            return
        start, _ = await read_last(self._log, cast_stream(receipt.cast_id), Start)
        if start is not None and start.worker == receipt.worker:
            self._model, self._worker = start.model, start.worker
