"""What a look at a basin says."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from s2_sdk import S2Error

from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.journal.s2.failures import is_missing, is_no_basin, translate
from wyoming_kokoro.journal.s2.link import Link
from wyoming_kokoro.journal.s2.log import S2Log
from wyoming_kokoro.model.ids import JOBS
from wyoming_kokoro.model.records import Expired, Trim

if TYPE_CHECKING:
    from wyoming_kokoro.journal.s2.place import Place

_STREAM = "doctor"


class Examination(NamedTuple):
    """What was found; times are None where there is no basin to try them on."""

    has_basin: bool
    append_seconds: float | None = None
    """Until a record is durable."""
    read_seconds: float | None = None
    lasts: bool = True
    """Whether a stream keeps its records for ever when we ask for it: s2-lite does from 0.43 on."""


async def examine(place: Place) -> Examination:
    """Ask it for its basin, and write and read a record there. Raises `LogUnavailableError` and `JournalError`."""
    link = Link(place, SystemClock())
    log = S2Log(link, link.clock)
    try:
        if not await _has_basin(link):
            return Examination(has_basin=False)
        ack = await log.append(_STREAM, [Expired()])  # opens the session
        began = time.monotonic()
        ack = await log.append(_STREAM, [Expired(), Trim(ack.tail)])
        written = time.monotonic()
        await log.read(_STREAM, ack.start)
        return Examination(
            has_basin=True,
            append_seconds=written - began,
            read_seconds=time.monotonic() - written,
            lasts=await link.keeps_for_ever(_STREAM),
        )
    except S2Error as error:
        raise translate(error) from error
    finally:
        await log.close()


async def _has_basin(link: Link) -> bool:
    try:
        await link.reach.ask(link.stream(JOBS).check_tail)
    except S2Error as error:
        if not is_missing(error):
            raise
        return not is_no_basin(error)
    return True
