"""One append on its way: what it is, where it is meant to land, and what became of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import s2_sdk

from wyoming_kokoro.journal.s2.link import STREAM_CONFIG
from wyoming_kokoro.journal.s2.wire import is_same
from wyoming_kokoro.model.errors import AppendOutcomeUnknownError, LogError, LogUnavailableError
from wyoming_kokoro.model.position import Ack

if TYPE_CHECKING:
    from wyoming_kokoro.model.position import SeqNum


@dataclass(slots=True, eq=False)
class Entry:
    """It is only ever sent for one place at a time, so that it can't be written twice."""

    records: list[s2_sdk.Record]
    match_seq_num: SeqNum | None
    """The condition of the asker; without one it is meant for wherever the tail is."""
    fencing_token: str | None
    answer: asyncio.Future[Ack] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    pin: SeqNum = 0
    """Where it was last sent to."""
    is_uncertain: bool = False
    """It may stand at its pin: nobody said whether it does."""

    @property
    def end(self) -> SeqNum:
        """Number behind its last record, when it lands at its pin."""
        return self.pin + len(self.records)

    def sent_to(self, pin: SeqNum) -> s2_sdk.AppendInput:
        """What is sent to have it land there and nowhere else."""
        self.pin = pin
        return s2_sdk.AppendInput(
            records=self.records, match_seq_num=pin, fencing_token=self.fencing_token, stream_config=STREAM_CONFIG
        )

    def is_at_its_pin(self, found: s2_sdk.SequencedRecord | None) -> bool:
        """Whether that record, the first that is readable from the pin on, is its own first."""
        return found is not None and found.seq_num == self.pin and is_same(self.records[0], found)

    def land(self) -> None:
        """It stands at its pin."""
        if not self.answer.done():
            self.answer.set_result(Ack(self.pin, self.end))

    def refuse(self, error: LogError) -> None:
        """It was certainly not written, or nobody can tell: the error says which."""
        if not self.answer.done():
            self.answer.set_exception(error)

    def give_up(self, stream: str, cause: BaseException) -> None:
        """S2 does not answer, or does not let us; where it never got it, that is a refusal."""
        error: LogError
        if self.is_uncertain:
            error = AppendOutcomeUnknownError(f"{stream}: S2 did not say whether it was written")
        elif isinstance(cause, LogError):
            error = type(cause)(str(cause))
        else:
            error = LogUnavailableError(f"{stream}: S2 does not answer")
        error.__cause__ = cause
        self.refuse(error)
