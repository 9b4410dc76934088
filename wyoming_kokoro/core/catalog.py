"""The recipe of a cast in `catalog/<cast>`: the last one counts, and says whether the cast is kept."""

from __future__ import annotations

import dataclasses

from wyoming_kokoro.core.reading import read_last
from wyoming_kokoro.model.errors import CastExpiredError, CastNotFoundError, SeqNumMismatchError
from wyoming_kokoro.model.ids import CastId, cast_stream, catalog_stream
from wyoming_kokoro.model.records import Catalogued
from wyoming_kokoro.ports import Log


async def read_catalog(log: Log, cast_id: CastId) -> Catalogued | None:
    """What the catalog says of a cast; None where it is gone, or never was."""
    catalogued, _ = await read_last(log, catalog_stream(cast_id), Catalogued)
    return catalogued


async def set_keep(log: Log, cast_id: CastId, *, keep: bool) -> None:
    """Have the cast kept for ever, or not any more. Raises `CastNotFoundError`, `CastExpiredError`, `LogError`."""
    stream = catalog_stream(cast_id)
    while True:
        catalogued, tail = await read_last(log, stream, Catalogued)
        if catalogued is None:
            if await log.check_tail(cast_stream(cast_id)):
                raise CastExpiredError("the cast has expired")
            raise CastNotFoundError(f"there is no cast {cast_id}")
        if catalogued.keep == keep:
            return
        try:
            await log.append(stream, [dataclasses.replace(catalogued, keep=keep)], match_seq_num=tail)
        except SeqNumMismatchError:
            continue
        return
