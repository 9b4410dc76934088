"""Asking an S2 server, whatever the client library does of it."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from tests.virtual_time import VirtualClock
from wyoming_kokoro.journal.s2.reach import Reach


class _Deaf:
    """A question that takes a cancellation for an answer, as `wait_for` may before Python 3.12."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()

    async def __call__(self) -> int:
        self.is_asked.set()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        return 1


async def test_who_asks_is_cancelled_even_where_the_client_library_swallows_it() -> None:
    deaf = _Deaf()
    reach = Reach(VirtualClock(), "s2", deaf)
    asking = asyncio.create_task(reach.ask(deaf))
    await deaf.is_asked.wait()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


async def test_an_answer_and_an_error_come_through() -> None:
    async def answer() -> int:
        return 7

    async def fail() -> int:
        raise LookupError("nothing there")

    reach = Reach(VirtualClock(), "s2", answer)
    assert await reach.ask(answer) == 7
    with pytest.raises(LookupError, match="nothing there"):
        await reach.ask(fail)
