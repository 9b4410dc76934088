"""Has a damaged cast made again from its first bad sentence on."""

from __future__ import annotations

import logging

from wyoming_kokoro.core.catalog import read_catalog
from wyoming_kokoro.core.metrics import Counter
from wyoming_kokoro.core.workshop import Workshop
from wyoming_kokoro.model.cast import JobKind, Priority
from wyoming_kokoro.model.errors import CastFailedError
from wyoming_kokoro.model.ids import JOBS, CastId
from wyoming_kokoro.model.records import Job

_LOGGER = logging.getLogger(__name__)


async def request_repair(shop: Workshop, cast_id: CastId, index: int) -> None:
    """Submit a job for a cast of which sentence `index` can't be read. Raises `CastFailedError`, `LogError`.

    Where the cast is wanted already, that job finds the damage too.
    """
    shop.library.forget(cast_id)
    if shop.backlog.get(cast_id) is not None:
        return
    shop.metrics.count(Counter.repairs_total)
    _LOGGER.warning("repair: cast %s, sentence %d is damaged and is made again", cast_id, index)
    catalogued = await read_catalog(shop.log, cast_id)
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
