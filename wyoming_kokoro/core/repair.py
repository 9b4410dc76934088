"""Has a damaged cast made again from its first bad sentence on."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.reading import read_last
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import JobKind, Priority
from wyoming_kokoro.model.errors import CastFailedError
from wyoming_kokoro.model.ids import JOBS, CastId, catalog_stream
from wyoming_kokoro.model.records import Catalogued, Job

_LOGGER = logging.getLogger(__name__)


async def request_repair(shop: Workshop, cast_id: CastId, index: int) -> None:
    """Submit a job for a cast of which sentence `index` can't be read. Raises `CastFailedError`, `LogError`."""
    _LOGGER.warning("cast %s: sentence %d is damaged; it is made again", cast_id, index)
    shop.library.forget(cast_id)
    catalogued, _ = await read_last(shop.log, catalog_stream(cast_id), Catalogued)
    if catalogued is None:
        raise CastFailedError(f"sentence {index} is damaged, and the recipe is gone")
    recipe = catalogued.recipe
    job = Job(
        cast_id=cast_id,
        kind=JobKind.SPEAK if recipe.sentences else JobKind.LIVE,
        recipe=recipe,
        priority=Priority.NORMAL,
        source="repair",
        due_ms=shop.clock.now_ms(),
    )
    await shop.log.append(JOBS, [job])
