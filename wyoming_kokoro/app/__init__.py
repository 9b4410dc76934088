"""Composition root: the only package that names concrete classes; start and stop order.

The engine's process is started before anything else: it takes longest to get ready, and the rest of the program is imported
meanwhile (`serving`, a second of the processor's time).
"""

from __future__ import annotations

import asyncio
import contextlib
from importlib import import_module
from typing import TYPE_CHECKING, Any

from wyoming_kokoro.app.head_start import head_start
from wyoming_kokoro.core.clock import SystemClock
from wyoming_kokoro.core.lifetime import ended_in_time, stopped_by_signal
from wyoming_kokoro.model.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wyoming_kokoro.app.head_start import Warm
    from wyoming_kokoro.settings import Settings
    from wyoming_kokoro.settings.supervised import Supervised

_STOP_SECONDS = 15.0
"""Twice what all the steps of a stop may take."""
_SHARED = ("s2",)
"""Journals that several processes may use."""


async def serve(settings: Settings, supervised: Supervised | None = None) -> None:
    """Serve until SIGTERM or SIGINT; as an app of that Supervisor where one is given.

    Raises what keeps the server from starting, or from going on.
    """
    if settings.engine.engine == "none" and settings.journal.journal not in _SHARED:
        raise SettingsError("engine: none needs workers, and a journal that they share with the server: --journal s2")
    async with _begun(settings) as (warm, stopped):
        await (await _serving()).serve(settings, warm, stopped, supervised)


async def work(settings: Settings) -> None:
    """Make the casts that others are asked for, on the journal that they share, until SIGTERM or SIGINT. Raises as `serve`."""
    if settings.journal.journal not in _SHARED:
        kind = settings.journal.journal
        raise SettingsError(f"journal: {kind} belongs to one server; a worker needs one that several share: --journal s2")
    if settings.engine.engine == "none":
        raise SettingsError("engine: a worker needs one")
    async with _begun(settings) as (warm, stopped):
        await (await _serving()).work(settings, warm, stopped)


@contextlib.asynccontextmanager
async def _begun(settings: Settings) -> AsyncIterator[tuple[Warm, asyncio.Future[None]]]:
    """The engine that is coming up, and what is done at the first signal; from then on the end comes in time."""
    stopped = stopped_by_signal()
    with ended_in_time(stopped, _STOP_SECONDS):
        async with head_start(settings.engine, SystemClock()) as warm:
            yield warm, stopped


async def _serving() -> Any:
    """The rest of the program, imported in a thread, so that the engine's process is spoken to meanwhile."""
    return await asyncio.to_thread(import_module, "wyoming_kokoro.app.serving")
