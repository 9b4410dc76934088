"""Asking a Supervisor that may be away: at every start of the machine it comes up at its own pace."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from wyoming_kokoro.core.retrying import Backoff
from wyoming_kokoro.model.errors import ServerError, SupervisorRefusalError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wyoming_kokoro.ports import Clock
    from wyoming_kokoro.supervisor.api import SupervisorApi

T = TypeVar("T")

_FIRST_SECONDS, _MOST_SECONDS = 0.5, 60.0
_NOT_READY = "System is not ready"
"""So its refusal begins while the Supervisor itself starts."""


async def patiently(api: SupervisorApi, clock: Clock, what: str, ask: Callable[[], Awaitable[T]]) -> T:
    """What it answers, once it does. `what` is a noun for the log.

    Raises `SupervisorRefusalError` where asking again would not help.
    """
    backoff = Backoff(clock, _FIRST_SECONDS, _MOST_SECONDS, is_jittered=True)
    while True:
        try:
            return await ask()
        except ServerError as error:
            if isinstance(error, SupervisorRefusalError) and not error.message.startswith(_NOT_READY):
                raise
            api.tell(what, error)
        await backoff.wait()
